class Engine:
    def step(self):
        request = self.queue.pop()
        return request.request_id  # here
