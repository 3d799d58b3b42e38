def sample(data, indices):
    if 'index' in data:  # here
        return data['index']
    return indices
