LOCATIONS = {
    "a": Place(file="a"),
    # beta
    "b":  # here
        Place(file="b"),  # here
}
