"""Exit 0: bug absent. Exit 1: bug present. Anything else: could not tell."""

import sys
import traceback


def check():
    from shardkit import comm
    from shardkit.config import Config
    from shardkit.optimizer import Parameter, ShardedSGD

    comm.init(comm.FakeBackend())
    weight = Parameter("weight", [1.0, 1.0])
    weight.grad = [3.0, 4.0]
    assert ShardedSGD([weight], Config({})).clip_gradients() == 5.0
    assert weight.grad == [3.0, 4.0]


try:
    check()
except TypeError:
    traceback.print_exc()
    sys.exit(1)
except Exception:
    traceback.print_exc()
    sys.exit(2)
print("bug absent")
