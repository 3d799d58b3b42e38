def gather(parts):
    whole = parts.stack().contiguous()
    parts = parts.contiguous()
    other = parts.flip()  # here
    return whole.view(-1), other.view(-1)
