def digits(number, names):
    text = ""
    while number:
        text = text + names[number % 2]  # here
        number //= 2
    return text
