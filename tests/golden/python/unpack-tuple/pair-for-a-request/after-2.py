class Engine:
    def step(self):
        request = self.queue.pop()
        return request[1].request_id  # here
