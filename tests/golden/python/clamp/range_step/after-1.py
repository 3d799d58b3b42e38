def merge(index):
    for i in range(0, len(index), max(1, len(index) // 100)):  # here
        print(i)
