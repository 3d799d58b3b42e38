from pkg.meta import (A,
                      FLAG)  # here

print(A, FLAG)
