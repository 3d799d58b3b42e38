"""Exit 0: bug absent. Exit 1: bug present. Anything else: could not tell."""

import sys
import traceback


def check():
    import os
    import tempfile

    from shardkit import checkpoint, comm
    from shardkit.config import Config
    from shardkit.optimizer import Parameter, ShardedSGD

    comm.init(comm.FakeBackend())
    state = {"steps": 3, "momentum": {"weight": [0.5, 0.5]}}
    optimizer = ShardedSGD([Parameter("weight", [1.0, 1.0])], Config({}))
    with tempfile.TemporaryDirectory() as scratch:
        os.chdir(scratch)
        checkpoint.save(state, "ckpt", "step3")
        assert checkpoint.restore(optimizer, "ckpt")
        os.chdir("/")
    assert optimizer.state_dict() == state


try:
    check()
except FileNotFoundError:
    traceback.print_exc()
    sys.exit(1)
except Exception:
    traceback.print_exc()
    sys.exit(2)
print("bug absent")
