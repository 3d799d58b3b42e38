class Hooks:
    @property
    def first(self):
        return self.hooks.pop("first", None)  # here
