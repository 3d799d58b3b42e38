#!/usr/bin/env python3
"""Runs `tenline fix` on a recorded bug and grades the patches against the known fix.

The grade of a patch says how its syntax trees compare with those of the fix:
  exact       the same trees
  equivalent  trees that the record lists as equally right, with the reason
  plausible   other trees, but the reproduction passes
  wrong       the reproduction does not pass
The fix is known from the history (with --rev), else from digests of syntax trees in the record
(`fixed`); a demo bug's fix is the demo package itself. Exit 0: the first patch is exact or equivalent. Exit 1: it is not.
"""

import argparse
import ast
import hashlib
import json
import os
import re
import subprocess
import sys
import tempfile
import time

from repository import SOURCE, git


def digest(text):
    """Digest of a Python syntax tree: blind to comments, layout and quotes."""
    try:
        return hashlib.sha256(ast.dump(ast.parse(text)).encode()).hexdigest()[:16]
    except (SyntaxError, ValueError):
        return "does not parse"


def read(*parts):
    with open(os.path.join(*parts), encoding="utf-8") as file:
        return file.read()


def known_fix(record, repo, revision):
    """Digests of the fixed files by path: from the repository's history, the record or the demo."""
    paths = [entry["path"] for entry in record["fix"]["files"] if entry["path"].endswith(".py")]
    if revision:
        return {path: digest(git(repo, "show", f"{record['fix_commit']}:{path}")) for path in paths}
    return record.get("fixed") or {path: digest(read(SOURCE, "demo", path)) for path in paths}


def changed_lines(diff):
    """Old line numbers that the diff touches, by path; an insertion touches its two neighbours."""
    touched, path, line = {}, None, 0
    for text in diff.splitlines():
        if text.startswith("--- "):
            path = text[4:].split("\t")[0].removeprefix("a/")
        elif match := re.match(r"@@ -(\d+)", text):
            line = int(match.group(1))
        elif path and text.startswith("-"):
            touched.setdefault(path, set()).add(line)
            line += 1
        elif path and text.startswith("+") and not text.startswith("+++ "):
            touched.setdefault(path, set()).update((line - 1, line))
        elif text.startswith(" "):
            line += 1
    return touched


def overlaps(diff, record):
    touched = changed_lines(diff)
    return any(
        line in range(first, last + 1)
        for entry in record["fix"]["files"]
        for first, last in entry["parent_lines"]
        for line in touched.get(entry["path"], ())
    )


def checkout(repo, revision, folder):
    """A copy of the repository, less the folders of pictures that a mirror may not have."""
    git(".", "clone", "-q", "--no-checkout", "--shared", os.path.abspath(repo), folder)
    git(folder, "checkout", "-q", revision or "HEAD", "--", ".", ":!blogs", ":!docs")


def reproduction(folder, copy, scratch, python):
    """Exit code of the reproduction on a copy of the repository."""
    environment = {"PATH": os.defpath, "PYTHONDONTWRITEBYTECODE": "1", "HOME": scratch, "PYTHONPATH": copy}
    command = [python, os.path.abspath(os.path.join(folder, "repro.py"))]
    return subprocess.run(command, cwd=scratch, env=environment, capture_output=True, timeout=300).returncode


def grade(diff, record, args):
    """Applies a patch to a copy of the repository; the grade, and what it was taken from."""
    fixed = known_fix(record, args.repo, args.rev)
    equivalents = {(entry["path"], entry["tree"]) for entry in record.get("equivalents", [])}
    with tempfile.TemporaryDirectory(prefix="run_bug.") as scratch:
        copy, patch = os.path.join(scratch, "copy"), os.path.join(scratch, "patch.diff")
        checkout(args.repo, args.rev, copy)
        with open(patch, "w", encoding="utf-8") as out:
            out.write(diff)
        git(copy, "apply", patch)
        paths = {*fixed, *changed_lines(diff)}
        trees = {path: digest(read(copy, path)) for path in sorted(paths)}
        code = reproduction(args.record, copy, scratch, args.python)
    note = " ".join(f"{path}={tree}" for path, tree in trees.items())
    if code != 0:
        return "wrong", f"the reproduction exits with {code}; {note}"
    if all(tree == fixed.get(path) for path, tree in trees.items()):
        return "exact", note
    if all(tree == fixed.get(path) or (path, tree) in equivalents for path, tree in trees.items()):
        return "equivalent", note
    place = "at" if overlaps(diff, record) else "not at"
    return "plausible", f"{place} the lines of the fix; {note}"


def fix(args):
    """Runs the program; its document, its exit code and the seconds it took."""
    folder = args.record
    command = [args.tenline, "fix", "--repo", args.repo, "--python", args.python, "--json"]
    command += ["--issue", os.path.join(folder, "issue.md"), "--repro", os.path.join(folder, "repro.py")]
    command += ["--out", args.out] if args.out else []
    command += ["--rev", args.rev] if args.rev else []
    started = time.monotonic()
    done = subprocess.run(command + args.more, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    seconds = time.monotonic() - started
    try:
        return json.loads(done.stdout), done.returncode, seconds
    except json.JSONDecodeError:
        sys.exit(f"{folder}: exit {done.returncode}, no JSON document on stdout\n{done.stderr[-4000:]}")


def main():
    parser = argparse.ArgumentParser(description="Runs tenline on a recorded bug and grades it.")
    parser.add_argument("--tenline", required=True)
    parser.add_argument("--record", required=True, help="folder with bug.json, issue.md, repro.py")
    parser.add_argument("--repo", required=True, help="git repository that has the bug")
    parser.add_argument("--rev", help="buggy commit, in a repository with history")
    parser.add_argument("--python", default="/usr/bin/python3", help="interpreter of the reproduction")
    parser.add_argument("--out", help="where tenline puts its run folder")
    parser.add_argument("more", nargs="*", help="further flags for tenline fix, after --")
    args = parser.parse_args()
    record = json.loads(read(args.record, "bug.json"))
    document, code, seconds = fix(args)
    graded = [(patch, *grade(patch["diff"], record, args)) for patch in document["patches"]]
    right = [patch["rank"] for patch, what, _ in graded if what in ("exact", "equivalent")]
    print(
        f"{record['id']:24} {document['outcome']:10} exit {code}  "
        f"{graded[0][1] if graded else 'none':10} right at {right[0] if right else '-'}  "
        f"candidates {document['candidates']['run']:4}  {seconds:6.1f} s  "
        f"{graded[0][0]['template'] if graded else '-'}"
    )
    success = document["outcome"] == "patched" and code == 0 and right[:1] == [1]
    if not success:
        for patch, what, note in graded:
            print(f"\n#{patch['rank']} {what} ({patch['template']}) {note}\n{patch['diff']}")
    sys.exit(0 if success else 1)


if __name__ == "__main__":
    main()
