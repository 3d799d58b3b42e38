import abc


@abc.traced  # here
class Layer(Module):  # here
    pass
