#!/usr/bin/env python3
"""What a candidate costs, by the stage that decided it, and whether cold runs say the same.

usage: bench/stages.py --tenline PROGRAM --record corpus/bugs/ID --repo DIR --rev PARENT [--python PY]
                       [--cold N] [--warm N] [--budget 5m]

Runs `tenline fix` twice with one job: `--cold` on the first N candidates (default 30), and as it is on
the first N (default 1000). Prints CPU seconds a candidate for each stage, how many times fewer they are
than cold, and all candidates of both runs on which the two do not agree. Exit 0: there are none.
"""
import argparse
import collections
import glob
import json
import os
import subprocess
import sys
import tempfile


def run(options, folder, extra):
    record = options.record
    command = [options.tenline, "fix", "--repo", options.repo, "--rev", options.rev, "--issue",
               os.path.join(record, "issue.md"), "--repro", os.path.join(record, "repro.py"), "--python", options.python,
               "--jobs", "1", "--budget", options.budget, "--json", "--out", folder] + extra
    done = subprocess.run(command, stdout=subprocess.PIPE, check=False)
    document = json.loads(done.stdout)
    events = {}
    for path in glob.glob(os.path.join(folder, "*", "log.jsonl")):
        with open(path, encoding="utf-8") as file:
            for line in file:
                event = json.loads(line)
                if event["event"] == "checked":
                    events[event["candidate"]] = event
    return document, events


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    for name in ("tenline", "record", "repo", "rev"):
        parser.add_argument("--" + name, required=True)
    parser.add_argument("--python", default="/usr/bin/python3")
    parser.add_argument("--cold", default="30")
    parser.add_argument("--warm", default="1000")
    parser.add_argument("--budget", default="5m")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        os.chmod(folder, 0o755)
        _, cold = run(options, os.path.join(folder, "cold"), ["--cold", "--max-candidates", options.cold])
        document, warm = run(options, os.path.join(folder, "warm"), ["--max-candidates", options.warm])

    failing = [e["cpu_seconds"] for e in cold.values() if e["outcome"] != "passes"]
    base = sum(failing) / max(1, len(failing))
    stages = collections.defaultdict(list)
    for event in warm.values():
        if event["outcome"] != "passes":
            stages[event["stage"]].append(event["cpu_seconds"])
    print("%-10s %6s %12s %8s" % ("stage", "number", "CPU-ms each", "x cold"))
    print("%-10s %6d %12.1f %8.1f" % ("cold", len(failing), 1000 * base, 1))
    for stage, costs in sorted(stages.items()):
        mean = sum(costs) / len(costs)
        times = base / mean if mean else float("inf")
        print("%-10s %6d %12.1f %8.1f" % (stage, len(costs), 1000 * mean, times))
    print("counted: %s, %s in %.0f s" % (json.dumps(document["candidates"]), document["outcome"], document["seconds"]))
    differ = [(c, w) for key, c in cold.items() if (w := warm.get(key)) and
              (c["outcome"], c["level"]) != (w["outcome"], w["level"])]
    for one, other in differ:
        print("differ: %s: cold %s (%s), %s %s (%s)" % (one["summary"], one["outcome"], one["detail"], other["stage"],
                                                        other["outcome"], other["detail"]))
    print("%d candidates of both runs, %d of them differ" % (len(set(cold) & set(warm)), len(differ)))
    sys.exit(1 if differ else 0)


main()
