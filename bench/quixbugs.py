#!/usr/bin/env python3
"""QuixBugs: 40 small Python programs with a defect of one line each, told their tests only.

usage: bench/quixbugs.py --tenline PROGRAM --quixbugs DIR [--python PY] [--budget 60s] [--correct] [--out FILE.json] [NAME ...]

DIR is a checkout of github.com/jkoppel/QuixBugs, or a bare clone. The reference programs are taken out of what
tenline sees. A patch is plausible when all tests of its program pass; correct when the program then does what
the reference does on generated inputs (quixbugs_inputs.py). `--correct` runs on the 40 reference programs instead:
there is nothing to repair. The check on the base has 5 s: some programs loop, and their tests take milliseconds.
"""
import argparse
import concurrent.futures
import io
import json
import os
import statistics
import subprocess
import sys
import tarfile
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
SEEN = ["conftest.py", "json_testcases", "python_programs", "python_testcases"]


def unpack(quixbugs, what, folder):
    data = subprocess.run(["git", "-C", quixbugs, "archive", "HEAD"] + what, stdout=subprocess.PIPE, check=True).stdout
    with tarfile.open(fileobj=io.BytesIO(data)) as archive:
        archive.extractall(folder)


def git(folder, *arguments):
    subprocess.run(["git", "-C", folder, "-c", "user.name=bench", "-c", "user.email=bench@localhost"] + list(arguments),
                   stdout=subprocess.DEVNULL, check=True)


def make_repository(folder, programs, references):
    """A repository of the programs and their tests; of the references under the programs' names when they are given."""
    for name in os.listdir(programs):
        if name.endswith("_test.py"):  # a script that prints beside the tests
            os.remove(os.path.join(programs, name))
        elif references and os.path.exists(os.path.join(references, name)):
            os.replace(os.path.join(references, name), os.path.join(programs, name))
    git(folder, "init", "--quiet")
    git(folder, "add", "--all")
    git(folder, "commit", "--quiet", "--message", "base")


def is_correct(name, repository, diff, reference):
    with tempfile.TemporaryDirectory() as folder:
        git(repository, "worktree", "add", "--quiet", "--detach", os.path.join(folder, "w"))
        try:
            tree = os.path.join(folder, "w")
            subprocess.run(["git", "-C", tree, "apply", "-"], input=diff, text=True, check=True)
            asked = subprocess.run([sys.executable, os.path.join(HERE, "quixbugs_inputs.py"), name, reference,
                                    os.path.join(tree, "python_programs", name + ".py")],
                                   stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=1200, check=False)
            return asked.returncode == 0
        finally:
            git(repository, "worktree", "remove", "--force", os.path.join(folder, "w"))


def fix(options, repository, references, name, out):
    done = subprocess.run([options.tenline, "fix", "--repo", repository, "--test", "pytest -q python_testcases/test_%s.py" % name,
                           "--python", options.python, "--jobs", "1", "--budget", options.budget, "--time-limit", "5s", "--max-candidates",
                           options.max_candidates, "--json", "--out", os.path.join(out, name)],
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, check=False)
    if not done.stdout:
        return {"name": name, "outcome": "error", "detail": done.stderr[-300:], "correct": [], "cpu_seconds": 0.0}
    found = json.loads(done.stdout)
    grades = [] if options.correct else [
        is_correct(name, repository, patch["diff"], os.path.join(references, name + ".py")) for patch in found["patches"]]
    return {"name": name, "outcome": found["outcome"], "correct": grades, "cpu_seconds": found["cpu_seconds"],
            "seconds": found["seconds"], "run": found["candidates"]["run"], "grouped": found["candidates"]["grouped"],
            "generated": found["candidates"]["generated"], "detail": found["detail"],
            "templates": [patch["template"] for patch in found["patches"]], "diffs": [patch["diff"] for patch in found["patches"]]}


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("--tenline", required=True)
    parser.add_argument("--quixbugs", required=True)
    parser.add_argument("--python", default="/usr/bin/python3")
    parser.add_argument("--budget", default="60s")
    parser.add_argument("--max-candidates", default="10000")
    parser.add_argument("--correct", action="store_true")
    parser.add_argument("--out")
    parser.add_argument("--keep", help="keep the runs in this folder")
    parser.add_argument("--parallel", type=int, default=1, help="programs at a time")
    parser.add_argument("names", nargs="*")
    options = parser.parse_args()
    options.tenline = os.path.abspath(options.tenline)
    with tempfile.TemporaryDirectory() as folder:
        os.chmod(folder, 0o755)  # the sandbox runs as another user
        repository = os.path.join(folder, "repository")
        os.mkdir(repository)
        unpack(options.quixbugs, SEEN, repository)
        unpack(options.quixbugs, ["correct_python_programs"], folder)
        references = os.path.join(folder, "correct_python_programs")
        make_repository(repository, os.path.join(repository, "python_programs"), references if options.correct else None)
        names = options.names or sorted(name[5:-3] for name in os.listdir(os.path.join(repository, "python_testcases"))
                                        if name.startswith("test_"))
        results = []
        with concurrent.futures.ThreadPoolExecutor(options.parallel) as pool:
            for one in pool.map(lambda n: fix(options, repository, references, n, options.keep or os.path.join(folder, "runs")), names):
                results.append(one)
                print("%-28s %-16s correct %-26s %6.1f CPU-s  %s" % (
                    one["name"], one["outcome"], ",".join("yes" if c else "no" for c in one["correct"]) or "-", one["cpu_seconds"],
                    one["detail"]), flush=True)
    plausible = sum(one["outcome"] == "patched" for one in results)
    print("programs %d, plausible %d, correct first %d, correct among five %d, median %.1f CPU-s" % (
        len(results), plausible, sum(one["correct"][:1] == [True] for one in results),
        sum(any(one["correct"][:5]) for one in results), statistics.median(one["cpu_seconds"] for one in results)))
    if options.out:
        with open(options.out, "w", encoding="utf-8") as file:
            json.dump(results, file, indent=1)


if __name__ == "__main__":
    sys.exit(main())
