"""Exit 0: bug absent. Exit 1: bug present. Anything else: could not tell."""

import sys
import traceback


def check():
    from shardkit import comm
    from shardkit.config import Config
    from shardkit.optimizer import Parameter, ShardedSGD, global_norm

    comm.init(comm.FakeBackend())
    weight = Parameter("weight", [1.0, 1.0])
    weight.grad = [3.0, 4.0]
    ShardedSGD([weight], Config({"gradient_clipping": 1.0})).clip_gradients()
    norm = global_norm([weight])
    assert abs(norm - 1.0) < 1e-6, f"norm after clipping to 1.0 is {norm}"


try:
    check()
except AssertionError:
    traceback.print_exc()
    sys.exit(1)
except Exception:
    traceback.print_exc()
    sys.exit(2)
print("bug absent")
