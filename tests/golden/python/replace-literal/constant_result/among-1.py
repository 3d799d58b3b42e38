def is_even(bits):
    ones = 0
    for bit in bits:
        ones += bit
        if ones < 0:
            return False
    return ones == 0  # here
