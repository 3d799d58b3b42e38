class A:
    def start(self, args):
        self.state.clear()
        return run(args)

    def stop(self, args):
        # stop
        result = halt(args, self.state)  # here
        return result  # here
