"""Exit 0: bug absent. Exit 1: bug present. Anything else: could not tell."""

import sys
import traceback


def check():
    from shardkit import comm
    from shardkit.buckets import reduce_gradients
    from shardkit.optimizer import Parameter

    backend = comm.FakeBackend()
    comm.init(backend)
    params = [Parameter(name, [0.0] * 3) for name in ("a", "b", "c")]
    for number, param in enumerate(params):
        param.grad = [float(number)] * 3
    reduce_gradients(params, capacity=6)
    assert [param.grad[0] for param in params] == [0.0, 1.0, 2.0]
    assert [size for _, size in backend.log] == [6, 3], backend.log


try:
    check()
except AttributeError:
    traceback.print_exc()
    sys.exit(1)
except Exception:
    traceback.print_exc()
    sys.exit(2)
print("bug absent")
