REQUIRES = [
    "lib>=1.9",  # here
    "other",
]
