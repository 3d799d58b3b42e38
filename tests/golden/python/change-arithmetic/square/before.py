def root(x, limit):
    guess = x / 2
    while abs(x - guess) > limit:  # here
        guess = 0.5 * (guess + x / guess)
    return guess
