"""Makes small git repositories: deterministic, and blind to the git configuration of the user."""

import os
import subprocess
import sys

SOURCE = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))

_ENVIRONMENT = {
    "PATH": os.environ.get("PATH", os.defpath),
    "HOME": os.devnull,
    "GIT_CONFIG_GLOBAL": os.devnull,
    "GIT_CONFIG_NOSYSTEM": "1",
    **{
        f"GIT_{who}_{what}": value
        for who in ("AUTHOR", "COMMITTER")
        for what, value in (
            ("NAME", "tenline"),
            ("EMAIL", "tenline@localhost"),
            ("DATE", "2000-01-01T00:00:00Z"),
        )
    },
}


def git(folder, *args):
    """Output of a git command in a folder; ends the program with git's own words if it fails."""
    done = subprocess.run(["git", *args], cwd=folder, env=_ENVIRONMENT, text=True, capture_output=True)
    if done.returncode != 0:
        sys.exit(f"git {args[0]} failed in {folder}: {done.stderr.strip()}")
    return done.stdout


def new_folder(folder):
    """Makes the folder; refuses one that has something in it."""
    if os.path.exists(folder) and (not os.path.isdir(folder) or os.listdir(folder)):
        sys.exit(f"{folder} exists and is not an empty folder")
    os.makedirs(folder, exist_ok=True)


def commit_all(folder, message):
    """Makes the folder a repository with all of its files, ignored ones too, in one commit."""
    git(folder, "init", "-q", "-b", "main")
    git(folder, "add", "--all", "--force", ".")
    git(folder, "commit", "-q", "-m", message)
