"""Exit 0: bug absent. Exit 1: bug present. Anything else: could not tell."""

import sys
import traceback


def check():
    from shardkit.launcher import build_commands, parse_args

    args = parse_args(["train.py", "--name", "my run"])
    commands = build_commands(args, "a slots=2\nb slots=2\n", {"PATH": "/usr/bin"})
    assert [command[:2] for command in commands] == [["ssh", "a"], ["ssh", "b"]]
    assert commands[0][2].endswith("python3 -m shardkit.run train.py --name 'my run'"), commands[0][2]


try:
    check()
except NameError:
    traceback.print_exc()
    sys.exit(1)
except Exception:
    traceback.print_exc()
    sys.exit(2)
print("bug absent")
