class A:
    x = 1  # here

    # checks
    def check(a,  # here
              b):
        return a == b
