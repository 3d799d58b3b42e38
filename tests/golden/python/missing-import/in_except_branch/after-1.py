try:
    import triton
except ImportError:
    from unittest.mock import MagicMock
    triton = MagicMock()  # here

import os
