"""Exit 0: bug absent. Exit 1: bug present. Anything else: could not tell."""

import sys
import traceback


def check():
    from shardkit.hostfile import parse_hostfile

    try:
        parse_hostfile("worker-0 slots=4\nworker-0 slots=4\n")
    except ValueError as error:
        assert "worker-0" in str(error), error
    else:
        raise AssertionError("a host that is listed twice was accepted")


try:
    check()
except NameError:
    traceback.print_exc()
    sys.exit(1)
except Exception:
    traceback.print_exc()
    sys.exit(2)
print("bug absent")
