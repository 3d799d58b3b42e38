"""Named timers with totals, for the log of a step."""

import time


class Timer:
    def __init__(self, name, clock=time.perf_counter):
        self.name = name
        self.clock = clock
        self.started = None
        self.total = 0.0
        self.count = 0

    def start(self):
        if self.started is not None:
            raise RuntimeError(f"timer {self.name} has already been started")
        self.started = self.clock()

    def stop(self):
        if self.started is None:
            raise RuntimeError(f"timer {self.name} has not been started")
        self.total += self.clock() - self.started
        self.started = None
        self.count += 1

    def mean(self):
        return self.total / self.count if self.count else 0.0


class Timers:
    """Timers by name, made at first use."""

    def __init__(self, clock=time.perf_counter):
        self.clock = clock
        self.timers = {}

    def __call__(self, name):
        if name not in self.timers:
            self.timers[name] = Timer(name, self.clock)
        return self.timers[name]

    def report(self, samples=0):
        """One line: the mean of each timer in milliseconds, and the throughput."""
        parts = [f"{name}: {timer.mean() * 1000:.2f}" for name, timer in self.timers.items()]
        spent = sum(timer.total for timer in self.timers.values())
        if samples and spent:
            parts.append(f"samples/s: {samples / spent:.1f}")
        return " | ".join(parts)
