def gather(parts):
    whole = parts.stack().contiguous()
    other = parts.flip()  # here
    other = other.contiguous()
    return whole.view(-1), other.view(-1)
