class A:
    def f(self, options):
        use(options.depth)
        def g():
            return self.run(  # here
                depth)  # here
        return g
