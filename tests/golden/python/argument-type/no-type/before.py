class A:
    def f(self):
        self.parser.add_argument(
            "--rate",  # here
            default=0.1,
        )
