def parse(text):
    try:
        return int(text)  # here
    except (
        TypeError,  # not a text
        OSError, ValueError,
    ) as error:  # here
        return None
