def parse(text):
    try:
        return int(text)  # here
    except (
        TypeError,  # not a text
        OSError,
    ) as error:  # here
        return None
