class Solver(Base):
    def __init__(self, graph, limit):
        super().__init__(graph)  # here


class Base:
    def __init__(self, graph, limit=None):
        self.graph = graph
