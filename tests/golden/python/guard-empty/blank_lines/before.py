def read_hosts(path):
    slots = {}
    with open(path) as f:
        for line in f:
            host, count = line.split()  # here
            slots[host] = count
    return slots
