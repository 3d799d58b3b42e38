def read_hosts(path):
    slots = {}
    with open(path) as f:
        for line in f:
            if not line.strip():
                continue
            host, count = line.split()  # here
            slots[host] = count
    return slots
