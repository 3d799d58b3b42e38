class A:
    def f(self, options):
        use(options.depth)
        def g():
            depth = options.depth
            return self.run(  # here
                depth)  # here
        return g
