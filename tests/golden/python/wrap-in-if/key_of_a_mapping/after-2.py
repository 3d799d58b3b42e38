def tie(state, pairs):
    for pair in pairs:
        if pair[0] in state:
            state[pair[0]] = state[pair[1]]  # here
    return state
