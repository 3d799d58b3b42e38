def ready(state):
    if state.done and state.loss.item() > 0:  # here
        return True
    return False
