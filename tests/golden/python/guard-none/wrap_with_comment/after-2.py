def step(engine, loss):
    # scale first
    if engine.scaler is None:
        return
    engine.scaler.update(loss)  # here
    engine.steps += 1
