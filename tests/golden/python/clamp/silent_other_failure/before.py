def share(total, ranks):
    return total / ranks  # here
