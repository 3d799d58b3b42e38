"""Repairs one recorded bug from end to end: the first patch has to be the known fix.

usage: fix_test.py TENLINE WORK demo|release NAME

WORK/NAME holds the repository and the run; it is kept when the test fails.
"""

import os
import shutil
import subprocess
import sys

SOURCE = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
TOOLS = os.path.join(SOURCE, "tools")


def tool(name, *args):
    """First line that a tool prints; ends the test with the tool's words if it fails."""
    done = subprocess.run([os.path.join(TOOLS, name), *args], capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"{name} failed with {done.returncode}: {done.stderr.strip()}")
    return done.stdout.strip()


def main():
    tenline, work, kind, name = sys.argv[1:]
    folder = os.path.join(os.path.abspath(work), name)
    shutil.rmtree(folder, ignore_errors=True)
    os.makedirs(folder)
    repo = os.path.join(folder, "repo")
    if kind == "demo":
        record = os.path.join(SOURCE, "demo", "bugs", name)
        tool("demo_repo", name, repo)
    else:
        record = os.path.join(SOURCE, "corpus", "bugs", name)
        tool("release_repo", tool("fetch_release", name), repo)
    done = subprocess.run(
        [sys.executable, os.path.join(TOOLS, "run_bug.py"), "--tenline", tenline, "--record", record]
        + ["--repo", repo, "--python", "/usr/bin/python3", "--out", os.path.join(folder, "run")]
    )
    if done.returncode == 0:
        shutil.rmtree(folder)
    else:
        print(f"kept: {folder}")
    sys.exit(done.returncode)


main()
