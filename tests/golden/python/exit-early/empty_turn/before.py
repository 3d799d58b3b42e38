def encode(documents, encoder, skip_empty=True):
    for sentences in documents:
        ids = []
        for sentence in sentences:  # here
            ids.append(encoder(sentence))
        yield ids
