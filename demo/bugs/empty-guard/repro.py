"""Exit 0: bug absent. Exit 1: bug present. Anything else: could not tell."""

import sys
import traceback


def check():
    from shardkit import comm
    from shardkit.buckets import Bucket, reduce_gradients
    from shardkit.optimizer import Parameter

    backend = comm.FakeBackend()
    comm.init(backend)
    Bucket(4).flush()
    reduce_gradients([Parameter("frozen", [1.0])], capacity=4)
    large = Parameter("large", [0.0] * 6)
    large.grad = [1.0] * 6
    reduce_gradients([large], capacity=4)
    assert large.grad == [1.0] * 6
    assert backend.log == [("all_reduce", 6)], backend.log


try:
    check()
except ValueError:
    traceback.print_exc()
    sys.exit(1)
except Exception:
    traceback.print_exc()
    sys.exit(2)
print("bug absent")
