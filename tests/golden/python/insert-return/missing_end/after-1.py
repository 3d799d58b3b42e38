def is_local(host):
    if host == "localhost":
        return True
    print(host)  # here
    return False
