import pytest

from shardkit.timer import Timers


def test_reports_means():
    ticks = iter([0.0, 1.0, 1.0, 4.0])
    timers = Timers(clock=lambda: next(ticks))
    for _ in range(2):
        timers("step").start()
        timers("step").stop()
    assert timers.report(samples=8) == "step: 2000.00 | samples/s: 2.0"


def test_refuses_to_stop_twice():
    with pytest.raises(RuntimeError, match="step has not been started"):
        Timers()("step").stop()
