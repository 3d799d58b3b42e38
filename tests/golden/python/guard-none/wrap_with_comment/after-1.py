def step(engine, loss):
    # scale first
    if engine.scaler is not None:
        engine.scaler.update(loss)  # here
    engine.steps += 1
