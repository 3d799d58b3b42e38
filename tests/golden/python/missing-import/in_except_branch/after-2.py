try:
    import triton
except ImportError:
    triton = MagicMock()  # here

import os
from unittest.mock import MagicMock
