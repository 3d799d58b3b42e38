from packaging.version import Version

import lib

NEW = Version(lib.__version__) >= Version("2.3.1")  # here
