def share(total, ranks):
    return total / len(ranks)  # here
