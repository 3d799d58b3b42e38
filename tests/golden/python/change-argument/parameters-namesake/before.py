def build(stages, micro):
    return plan(self_size, stages)  # here


self_size = 3


def plan(micro, stages):
    return micro
