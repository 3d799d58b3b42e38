"""A pytest plugin that appends what became of each test to TENLINE_RESULTS, one JSON object a line.

With TENLINE_SHORT_REPORTS a failure is told by its exception alone: to show where it came from, pytest
parses sources, which takes longer than most tests.
"""
import json
import os
import sys

import pytest

_file = None


def _write(**record):
    if _file is not None:
        os.write(_file, json.dumps(record).encode("ascii") + b"\n")


def pytest_configure(config):
    global _file
    path = os.environ.get("TENLINE_RESULTS")
    if path and not hasattr(config, "workerinput"):  # Of pytest-xdist, the controller reports.
        _file = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o644)


def _text(report):
    try:
        return report.longreprtext[-4000:]
    except Exception:
        return ""


def pytest_runtest_logstart(nodeid, location):
    _write(test=nodeid[:1000], when="start")


def pytest_runtest_logreport(report):
    _write(test=report.nodeid[:1000], when=report.when, outcome=report.outcome,
           text=_text(report) if report.outcome == "failed" else "")


def pytest_collectreport(report):
    if report.outcome == "failed":
        _write(collect=report.nodeid[:1000], text=_text(report))


def _exception_alone(excinfo, style=None):
    return "\n".join("E   " + line for line in excinfo.exconly(tryshort=True).split("\n"))


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_makereport(item, call):
    if call.excinfo is not None and os.environ.get("TENLINE_SHORT_REPORTS"):
        item.repr_failure = item._repr_failure_py = _exception_alone
    yield


def pytest_exception_interact(node, call, report):
    note = getattr(sys, "tenline_note", None)
    if note is not None and call.excinfo is not None:
        note(call.excinfo.value)
