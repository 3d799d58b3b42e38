def digits(number, names):
    text = ""
    while number:
        text = names[number % 2] + text  # here
        number //= 2
    return text
