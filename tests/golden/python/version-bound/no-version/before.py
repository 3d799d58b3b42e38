HOST = "node12"  # here
DATE = "20240102.123456"  # here
RATIO = "a 1.x"  # here
HASH = "v1.2.3.4.5"  # here
