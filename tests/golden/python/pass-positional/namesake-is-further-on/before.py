def run(states, rotary):
    return step(states, rotary)  # here


def step(states, mask=None, context=None, rotary=None):
    return states
