def encode(documents, encoder, skip_empty=True):
    for sentences in documents:
        ids = []
        if sentences is None:
            continue
        for sentence in sentences:  # here
            ids.append(encoder(sentence))
        yield ids
