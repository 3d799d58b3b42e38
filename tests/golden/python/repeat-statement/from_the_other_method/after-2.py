class A:
    def start(self, args):
        self.state.clear()
        return run(args)

    def stop(self, args):
        # stop
        self.state.clear()
        result = halt(args, self.state)  # here
        return result  # here
