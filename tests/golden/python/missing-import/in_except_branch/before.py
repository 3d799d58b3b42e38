try:
    import triton
except ImportError:
    triton = MagicMock()  # here

import os
