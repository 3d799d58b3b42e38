def share(total, ranks):
    return total / max(1, len(ranks))  # here
