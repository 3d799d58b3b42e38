"""Exit 0: bug absent. Exit 1: bug present. Anything else: could not tell."""

import sys
import traceback


def check():
    import os
    import tempfile

    from shardkit import checkpoint

    with tempfile.TemporaryDirectory() as folder:
        for rank in range(2):
            checkpoint.save({"momentum": rank}, folder, "step1", rank=rank)
        names = sorted(os.listdir(os.path.join(folder, "step1")))
        assert names == ["shard_000.json", "shard_001.json"], f"files of two ranks: {names}"
        assert [checkpoint.load_rank(folder, "step1", rank)["momentum"] for rank in range(2)] == [0, 1]


try:
    check()
except (AssertionError, FileNotFoundError):
    traceback.print_exc()
    sys.exit(1)
except Exception:
    traceback.print_exc()
    sys.exit(2)
print("bug absent")
