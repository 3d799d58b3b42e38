def step(engine, loss):
    # scale first
    engine.scaler.update(loss)  # here
    engine.steps += 1
