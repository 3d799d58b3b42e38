class Attention:
    @property
    def one(self):
        return 1

    def forward(self, x, mask, cache=False):  # here
        return x
