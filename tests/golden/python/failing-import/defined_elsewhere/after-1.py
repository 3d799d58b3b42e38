from pkg.other_constants import FLAG
from pkg.meta import (A)  # here

print(A, FLAG)
