REQUIRES = [
    "lib>=1.7",  # here
    "other",
]
