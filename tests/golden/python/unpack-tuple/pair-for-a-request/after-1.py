class Engine:
    def step(self):
        request = self.queue.pop()
        return request[0].request_id  # here
