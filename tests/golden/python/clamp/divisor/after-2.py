def share(total, ranks):
    return total / max(2, len(ranks))  # here
