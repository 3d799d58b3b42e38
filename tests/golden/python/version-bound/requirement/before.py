REQUIRES = [
    "lib>=1.8",  # here
    "other",
]
