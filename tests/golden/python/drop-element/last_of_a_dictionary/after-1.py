LOCATIONS = {
    "a": Place(file="a"),
    # beta
    # here
}
