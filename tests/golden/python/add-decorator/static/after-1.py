class A:
    x = 1  # here

    # checks
    @staticmethod
    def check(a,  # here
              b):
        return a == b
