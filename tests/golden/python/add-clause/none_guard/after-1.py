def ready(state):
    if state.loss is not None and state.done and state.loss.item() > 0:  # here
        return True
    return False
