def build(config, vocab):
    encoder = Layer(config.hidden_size, heads=config.encoder_heads)
    # The decoder is built the same way.
    decoder = Layer(
        config.hidden_size,  # width
        heads=config.encoder_heads,  # here
    )
    head = Linear(config.hidden_size, len(vocab))
    return encoder, decoder, head
