def ready(state):
    if state.loss is None or state.done and state.loss.item() > 0:  # here
        return True
    return False
