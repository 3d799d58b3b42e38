def tie(state, pairs):
    for pair in pairs:
        if pair[1] in state:
            state[pair[0]] = state[pair[1]]  # here
    return state
