"""Exit 0: bug absent. Exit 1: bug present. Anything else: could not tell."""

import sys
import traceback


def check():
    from shardkit.optimizer import Parameter, global_norm

    used, frozen = Parameter("used", [1.0, 1.0]), Parameter("frozen", [1.0])
    used.grad = [3.0, 4.0]
    assert global_norm([frozen, used]) == 5.0
    assert global_norm([used, frozen, used]) > 7.0


try:
    check()
except TypeError:
    traceback.print_exc()
    sys.exit(1)
except Exception:
    traceback.print_exc()
    sys.exit(2)
print("bug absent")
