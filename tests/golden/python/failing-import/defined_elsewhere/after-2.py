from pkg import FLAG
from pkg.meta import (A)  # here

print(A, FLAG)
