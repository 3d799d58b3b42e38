def parse(text):
    try:
        return int(text)  # here
    except Exception as error:  # here
        return None
