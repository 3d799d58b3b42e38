def sample(data, indices):
    if isinstance(data, list) and 'index' in data:  # here
        return data['index']
    return indices
