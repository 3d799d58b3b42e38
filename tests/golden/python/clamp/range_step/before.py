def merge(index):
    for i in range(0, len(index), len(index) // 100):  # here
        print(i)
