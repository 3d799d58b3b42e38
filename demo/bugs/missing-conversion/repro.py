"""Exit 0: bug absent. Exit 1: bug present. Anything else: could not tell."""

import sys
import traceback


def check():
    from shardkit.launcher import rank_from_env

    assert rank_from_env({"RANK": "1", "WORLD_SIZE": "2"}) == (1, 2)
    assert rank_from_env({"RANK": "10", "WORLD_SIZE": "16"}) == (10, 16)


try:
    check()
except TypeError:
    traceback.print_exc()
    sys.exit(1)
except Exception:
    traceback.print_exc()
    sys.exit(2)
print("bug absent")
