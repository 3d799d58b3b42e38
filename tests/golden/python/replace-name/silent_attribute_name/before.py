def f(self):
    self.x.y()  # here
