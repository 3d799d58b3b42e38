def run(model):
    model.eval()  # here
