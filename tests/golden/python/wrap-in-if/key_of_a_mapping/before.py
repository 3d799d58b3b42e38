def tie(state, pairs):
    for pair in pairs:
        state[pair[0]] = state[pair[1]]  # here
    return state
