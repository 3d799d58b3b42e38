class Config:
    sizes: list = []
