"""Exit 0: bug absent. Exit 1: bug present. Anything else: could not tell."""

import sys
import traceback


def check():
    from shardkit import comm
    from shardkit.config import Config
    from shardkit.optimizer import Parameter, ShardedSGD

    comm.init(comm.FakeBackend())
    optimizer = ShardedSGD([Parameter("weight", [1.0])], Config({}))
    optimizer.load_state_dict({"momentum": {"weight": [0.5]}})
    assert repr(optimizer.state_dict()) == "{'steps': 0, 'momentum': {'weight': [0.5]}}"


try:
    check()
except (KeyError, AssertionError):
    traceback.print_exc()
    sys.exit(1)
except Exception:
    traceback.print_exc()
    sys.exit(2)
print("bug absent")
