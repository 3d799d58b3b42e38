"""The command line as a user runs it, on repositories of the demo package.

usage: cli_test.py TENLINE WORK_FOLDER
"""

import hashlib
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import unittest

SOURCE = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
TENLINE, WORK = (os.path.abspath(path) for path in sys.argv[1:3])
PYTHON = "/usr/bin/python3"


def fresh(name):
    folder = os.path.join(WORK, name)
    shutil.rmtree(folder, ignore_errors=True)
    os.makedirs(folder)
    return folder


def demo(bug, folder):
    """A repository of the demo package with a planted bug."""
    repository = os.path.join(folder, "repository")
    command = [PYTHON, os.path.join(SOURCE, "tools", "demo_repo"), bug, repository]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    return repository


def record(bug, name):
    return os.path.join(SOURCE, "demo", "bugs", bug, name)


def fix_command(bug, repository, folder, *more):
    return [TENLINE, "fix", "--repo", repository, "--issue", record(bug, "issue.md"),
            "--repro", record(bug, "repro.py"), "--python", PYTHON, "--json",
            "--out", os.path.join(folder, "runs"), *more]


def run(command, **options):
    return subprocess.run(command, capture_output=True, text=True, timeout=300, **options)


def fingerprint(folder):
    """Everything about a folder: names, kinds, contents and times of change."""
    seen = []
    for parent, names, files in os.walk(folder):
        names.sort()
        for name in sorted(names + files):
            path = os.path.join(parent, name)
            about = os.lstat(path)
            content = b""
            if os.path.islink(path):
                content = os.readlink(path).encode()
            elif os.path.isfile(path):
                with open(path, "rb") as file:
                    content = file.read()
            seen.append((path, about.st_mode, about.st_mtime_ns, about.st_size,
                         hashlib.sha256(content).hexdigest()))
    return seen


def processes_of(folder):
    """Processes whose command line or environment names the folder."""
    found = []
    for pid in filter(str.isdigit, os.listdir("/proc")):
        if int(pid) == os.getpid():
            continue
        for name in ("cmdline", "environ"):
            try:
                with open(f"/proc/{pid}/{name}", "rb") as file:
                    if folder.encode() in file.read():
                        found.append(pid)
            except OSError:
                pass
    return found


def wait_until(condition, seconds):
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if condition():
            return True
        time.sleep(0.05)
    return False


def patches(document):
    return [(patch["rank"], patch["diff"], patch["evidence"]) for patch in document["patches"]]


class BadInput(unittest.TestCase):
    """One clear line on standard error, and the right exit code."""

    def check(self, code, words, command, **options):
        done = run(command, **options)
        self.assertEqual(done.returncode, code, done.stderr + done.stdout)
        self.assertIn(words, done.stderr)
        self.assertEqual(len(done.stderr.strip().splitlines()), 1, done.stderr)
        self.assertEqual(done.stdout, "")

    def setUp(self):
        self.folder = fresh("bad-input")
        self.repository = demo("wrong-name", self.folder)

    def command(self, **changes):
        options = {"repo": self.repository, "issue": record("wrong-name", "issue.md"),
                   "repro": record("wrong-name", "repro.py"), "python": PYTHON,
                   "out": os.path.join(self.folder, "runs"), **changes}
        command = [TENLINE, "fix"]
        for name, value in options.items():
            if value is not None:
                command += [f"--{name}", value]
        return command

    def file(self, name, content):
        path = os.path.join(self.folder, name)
        with open(path, "wb") as file:
            file.write(content)
        return path

    def test_missing_and_wrong_repositories(self):
        self.check(2, "no such folder", self.command(repo=self.folder + "/absent"))
        with tempfile.TemporaryDirectory() as outside:  # The work folder lies in a checkout.
            self.check(2, "repository", self.command(repo=outside))
        self.check(2, "absent", self.command(rev="absent"))

    def test_an_empty_repository(self):
        folder = fresh("empty-repository")
        subprocess.run(["git", "init", "-q", folder], check=True)
        self.check(2, "commit", self.command(repo=folder))

    def test_unusable_issues(self):
        self.check(2, "no such file", self.command(issue=self.folder + "/absent.md"))
        self.check(2, "folder", self.command(issue=self.folder))
        self.check(6, "empty", self.command(issue=self.file("empty.md", b" \n\t\n")))
        self.check(6, "at most", self.command(issue=self.file("big.md", b"word " * 2_000_000)))
        self.check(6, "not text", self.command(issue=self.file("binary.md", b"\0\1\2" * 100)))

    def test_unusable_scripts(self):
        self.check(2, "no such file", self.command(repro=self.folder + "/absent.py"))
        self.check(2, "--repro", self.command(repro=None))
        self.check(6, "binary", self.command(repro=self.file("binary.py", b"\x7fELF\0\0")))

    def test_wrong_flags_and_names(self):
        self.check(2, "duration", self.command(budget="soon"))
        self.check(2, "no run", [TENLINE, "show", "4711", "--out", self.folder])
        self.check(2, "no template", [TENLINE, "templates", "show", "absent"])

    def test_an_issue_that_is_not_utf8_is_read(self):
        with open(record("wrong-name", "issue.md"), "rb") as file:
            text = b"\xff\xfe\x80 " + file.read()
        done = run(self.command(issue=self.file("latin.md", text)) + ["--json"])
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(json.loads(done.stdout)["outcome"], "patched")


class Answers(unittest.TestCase):
    """What is no repair is a result, with its own exit code."""

    def answer(self, name, script, code, outcome, *words):
        folder = fresh(name)
        repository = demo("none", folder)
        path = os.path.join(folder, "repro.py")
        with open(path, "w") as file:
            file.write(script)
        before = fingerprint(repository)
        done = run([TENLINE, "fix", "--repo", repository, "--repro", path, "--python", PYTHON,
                    "--json", "--budget", "2m", "--out", os.path.join(folder, "runs")])
        self.assertEqual(done.returncode, code, done.stderr + done.stdout)
        document = json.loads(done.stdout)
        self.assertEqual(document["outcome"], outcome)
        self.assertEqual(document["exit"], code)
        for word in words:
            self.assertIn(word, done.stdout)
        self.assertEqual(fingerprint(repository), before)
        self.assertTrue(wait_until(lambda: not processes_of(folder), 3), "a process survived")

    def test_nothing_to_repair(self):
        self.answer("fixed", "import shardkit\n", 3, "already_fixed")

    def test_could_not_tell(self):
        self.answer("unclear", "import sys\nsys.exit(7)\n", 3, "not_reproducible", "exit 7")

    def test_a_module_that_is_not_installed(self):
        self.answer("module", "import no_such_module_here\n", 4, "environment",
                    "no_such_module_here")

    def test_a_fork_bomb_is_contained_and_named(self):
        script = "import os\nwhile True:\n    try:\n        os.fork()\n    except OSError:\n        pass\n"
        self.answer("forks", script, 3, "not_reproducible", "process limit")

    def test_a_gigabyte_of_output_is_contained_and_named(self):
        script = "import sys\nfor _ in range(1024):\n    sys.stdout.write('x' * (1 << 20))\n"
        self.answer("output", script, 3, "not_reproducible", "output limit")

    def test_a_full_disk_is_contained_and_named(self):
        script = ("import time\nfiles = []\ntry:\n    for i in range(1 << 20):\n"
                  "        files.append(open(f'f{i % 900}', 'ab'))\n"
                  "        files[-1].write(b'x' * (1 << 24)); files[-1].flush(); files.pop()\n"
                  "except OSError:\n    time.sleep(5)\n    raise\n")
        self.answer("disk", script, 3, "not_reproducible", "disk limit")

    def test_the_worktree_and_its_git_pointer_cannot_be_written(self):
        script = ("import os, shardkit, sys\n"
                  "top = os.path.dirname(os.path.dirname(os.path.abspath(shardkit.__file__)))\n"
                  "for name in ('.git', 'shardkit/__init__.py', 'new'):\n"
                  "    try:\n        open(os.path.join(top, name), 'w').write('gitdir: /tmp')\n"
                  "    except OSError:\n        continue\n    sys.exit(1)\n")
        self.answer("pointer", script, 3, "already_fixed")


class Runs(unittest.TestCase):
    def test_jobs_and_repetition_change_nothing(self):
        folder = fresh("jobs")
        repository = demo("two-sites", folder)
        seen = []
        for jobs in ("1", "2", "2"):
            done = run(fix_command("two-sites", repository, folder, "--jobs", jobs))
            self.assertEqual(done.returncode, 0, done.stderr)
            seen.append(patches(json.loads(done.stdout)))
        self.assertTrue(seen[0])
        self.assertEqual(seen[0], seen[1])
        self.assertEqual(seen[1], seen[2])

    def test_stopped_runs_go_on_and_end_the_same(self):
        folder = fresh("stopped")
        repository = demo("two-sites", folder)
        before = fingerprint(repository)
        whole = json.loads(run(fix_command("two-sites", repository, folder)).stdout)
        for number, (kind, verdicts) in enumerate(
                [(signal.SIGKILL, 0), (signal.SIGKILL, 5), (signal.SIGINT, 10)], start=2):
            started = subprocess.Popen(fix_command("two-sites", repository, folder),
                                       stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
            log = os.path.join(folder, "runs", f"{number:04}", "log.jsonl")

            def enough():
                if not os.path.exists(log):
                    return False
                with open(log) as file:
                    text = file.read()
                return text.count('"checked"') >= verdicts and "proposed" in text

            self.assertTrue(wait_until(enough, 120), "the run did not come that far")
            asked = time.monotonic()
            started.send_signal(kind)
            out, err = started.communicate(timeout=60)
            self.assertLess(time.monotonic() - asked, 20)
            if kind == signal.SIGINT:
                self.assertEqual(started.returncode, 130, err)
                self.assertIn("resume", out + err)
            self.assertTrue(wait_until(lambda: not processes_of(f"runs/{number:04}"), 10),
                            "a process survived")
            resumed = run([TENLINE, "resume", os.path.join(folder, "runs", f"{number:04}"), "--json"])
            self.assertEqual(resumed.returncode, 0, resumed.stderr)
            document = json.loads(resumed.stdout)
            self.assertEqual(patches(document), patches(whole))
            self.assertEqual(document["candidates"], whole["candidates"])
        self.assertEqual(fingerprint(repository), before)

    def test_a_patch_is_shown_and_applied(self):
        folder = fresh("apply")
        repository = demo("wrong-attribute", folder)
        done = run(fix_command("wrong-attribute", repository, folder))
        self.assertEqual(done.returncode, 0, done.stderr)
        best = json.loads(done.stdout)["patches"][0]
        shown = run([TENLINE, "show", os.path.join(folder, "runs")])
        self.assertIn(best["diff"].splitlines()[-1], shown.stdout)
        script = os.path.join(repository, "shardkit", "__init__.py")
        with open(script, "a") as file:
            file.write("# my own change\n")
        command = [TENLINE, "apply", os.path.join(folder, "runs", "0001")]
        refused = run(command)
        self.assertEqual(refused.returncode, 2, refused.stderr)
        subprocess.run(["git", "-C", repository, "checkout", "-q", "."], check=True)
        mail = [name for name in os.listdir(os.path.join(folder, "runs", "0001"))
                if name.startswith("0001-")]
        self.assertEqual(len(mail), 1)
        copy = os.path.join(folder, "copy")
        subprocess.run(["git", "clone", "-q", repository, copy], check=True)
        subprocess.run(["git", "-C", copy, "-c", "user.name=t", "-c", "user.email=t@t", "am", "-q",
                        os.path.join(folder, "runs", "0001", mail[0])], check=True)
        self.assertEqual(run(command).returncode, 0)
        for path in (repository, copy):
            check = run([PYTHON, record("wrong-attribute", "repro.py")], cwd=folder,
                        env={**os.environ, "PYTHONPATH": path})
            self.assertEqual(check.returncode, 0, check.stdout + check.stderr)

    def test_a_run_from_inside_the_repository_leaves_it_alone(self):
        folder = fresh("inside")
        repository = demo("wrong-name", folder)
        before = fingerprint(repository)
        environment = {**os.environ, "XDG_STATE_HOME": os.path.join(folder, "state")}
        done = run([TENLINE, "fix", "--repo", ".", "--repro", record("wrong-name", "repro.py"),
                    "--python", PYTHON, "--json"], cwd=repository, env=environment)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(fingerprint(repository), before)
        shown = run([TENLINE, "show", "0001"], cwd=repository, env=environment)
        self.assertEqual(shown.returncode, 0, shown.stderr)

    def test_a_dry_run_runs_nothing(self):
        folder = fresh("dry")
        repository = demo("wrong-name", folder)
        done = run([*fix_command("wrong-name", repository, folder, "--dry-run")])
        self.assertEqual(done.returncode, 0, done.stderr)
        document = json.loads(done.stdout)
        self.assertEqual(document["locations"][0]["file"], "shardkit/hostfile.py")
        self.assertGreater(document["candidates"]["generated"], 0)

    def test_places_are_ranked_with_and_without_a_check(self):
        folder = fresh("locate")
        repository = demo("wrong-name", folder)
        command = [TENLINE, "locate", "--repo", repository, "--python", PYTHON, "--json",
                   "--out", os.path.join(folder, "runs"), "--issue", record("wrong-name", "issue.md")]
        for more in ([], ["--repro", record("wrong-name", "repro.py")]):
            done = run(command + more)
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertEqual(json.loads(done.stdout)["locations"][0]["file"],
                             "shardkit/hostfile.py")

    def test_a_pytest_command_is_an_oracle(self):
        folder = fresh("pytest")
        repository = demo("wrong-comparison", folder)
        tests = os.path.join(repository, "tests")
        shutil.copy(record("wrong-comparison", "repro.py"), os.path.join(tests, "reported_case.py"))
        with open(os.path.join(tests, "test_reported.py"), "w") as file:
            file.write("import os, runpy\n\n\ndef test_reported():\n"
                       "    case = os.path.join(os.path.dirname(__file__), 'reported_case.py')\n"
                       "    try:\n        runpy.run_path(case, run_name='__main__')\n"
                       "    except SystemExit as end:\n        assert not end.code\n")
        subprocess.run(["git", "-C", repository, "add", "."], check=True)
        subprocess.run(["git", "-C", repository, "-c", "user.name=t", "-c", "user.email=t@t",
                        "commit", "-qm", "Add the failing test"], check=True)
        done = run([TENLINE, "fix", "--repo", repository, "--python", PYTHON, "--json",
                    "--test", "pytest -q tests/test_reported.py::test_reported",
                    "--out", os.path.join(folder, "runs")])
        self.assertEqual(done.returncode, 0, done.stderr + done.stdout)
        self.assertEqual(json.loads(done.stdout)["outcome"], "patched")


FLUSH = """\
id: flush-on-close
family: state_or_order
summary: Write what is pending before closing.
language: python
query: |
  (function_definition
    name: (identifier) @name
    body: (block (return_statement) @return))
constraints:
  name: {equals: close}
  return: {inside: class_definition}
  method: {matches: ^flush$}
rewrite:
  insert_before: "@return"
  text: self.$method:own_member()
examples:
  - before: |
      class Log:
          def flush(self):
              write(self)

          def close(self):
              return self.size
    after: |
      class Log:
          def flush(self):
              write(self)

          def close(self):
              self.flush()
              return self.size
  - unchanged: |
      class Log:
          def close(self):
              return self.size
"""

JOURNAL = """\
class Journal:
    def __init__(self):
        self.pending = []
        self.written = []

    def add(self, entry):
        self.pending.append(entry)

    def flush(self):
        self.written = self.written + self.pending
        self.pending = []

    def close(self):
        return self.written
"""


class UserTemplates(unittest.TestCase):
    def commit(self, repository, *names):
        subprocess.run(["git", "-C", repository, "add", *names], check=True)
        subprocess.run(["git", "-C", repository, "-c", "user.name=t", "-c", "user.email=t@t",
                        "commit", "-qm", "Change"], check=True)

    def repository(self, folder):
        repository = os.path.join(folder, "repository")
        os.makedirs(os.path.join(repository, ".tenline", "templates"))
        subprocess.run(["git", "init", "-q", repository], check=True)
        self.write(repository, "journal.py", JOURNAL)
        self.commit(repository, "journal.py")
        return repository

    def write(self, repository, name, text):
        with open(os.path.join(repository, name), "w") as file:
            file.write(text)

    def fix(self, folder, repository, *more):
        repro = os.path.join(folder, "repro.py")
        with open(repro, "w") as file:
            file.write("import sys, journal\n\nlog = journal.Journal()\nlog.add(1)\nlog.flush()\n"
                       "log.add(2)\nassert (log.written, log.pending) == ([1], [2])\n"
                       "sys.exit(0 if log.close() == [1, 2] and log.pending == [] else 1)\n")
        return run([TENLINE, "fix", "--repo", repository, "--repro", repro, "--python", PYTHON,
                    "--json", "--out", os.path.join(folder, "runs"), *more])

    def test_a_template_of_the_repository_is_tried_before_others(self):
        folder = fresh("user-template")
        repository = self.repository(folder)
        self.write(repository, ".tenline/templates/flush.yaml", FLUSH)
        self.write(repository, ".tenline/templates/broken.yaml", "id: broken\nfamly: other\n")
        without = self.fix(folder, repository)  # The files are not part of the revision.
        searched = json.loads(without.stdout)["candidates"]["run"]
        self.assertNotIn("flush-on-close", without.stdout)
        self.assertNotIn("left out", without.stderr)
        self.commit(repository, ".tenline")
        before = fingerprint(repository)
        done = self.fix(folder, repository)
        self.assertEqual(done.returncode, 0, done.stderr + done.stdout)
        document = json.loads(done.stdout)
        patch = document["patches"][0]
        self.assertIn("+        self.flush()", patch["diff"])
        self.assertEqual(patch["template"], "flush-on-close")
        self.assertLess(document["candidates"]["run"] * 4, searched)
        line = "template left out: .tenline/templates/broken.yaml:2: there is no key famly"
        self.assertEqual(done.stderr.count(line), 1, done.stderr)
        self.assertEqual(sum(line in note for note in document["notes"]), 1)
        dry = self.fix(folder, repository, "--dry-run")
        self.assertEqual(dry.returncode, 0, dry.stderr)
        self.assertIn(line, dry.stderr)
        self.assertEqual(fingerprint(repository), before)

    def test_examples_are_tried(self):
        folder = fresh("template-examples")
        repository = self.repository(folder)
        path = ".tenline/templates/flush.yaml"
        inside = os.path.join(repository, ".tenline")
        self.write(repository, path, FLUSH)
        for place in ({"cwd": repository}, {"cwd": inside}):
            done = run([TENLINE, "templates", "test"], **place)
            self.assertEqual(done.returncode, 0, done.stderr + done.stdout)
            self.assertIn("flush.yaml: 2 of 2 examples hold", done.stdout)
            self.assertEqual(done.stderr, "")
        self.write(repository, path, FLUSH.replace("        self.flush()\n", "        self.sync()\n"))
        done = run([TENLINE, "templates", "test", "--repo", repository])
        self.assertEqual(done.returncode, 1, done.stderr)
        self.assertIn("flush.yaml: 1 of 2 examples hold", done.stdout)
        self.assertIn("wanted:         self.sync()", done.stdout)
        self.assertIn("got:            self.flush()", done.stdout)
        self.write(repository, path, FLUSH.replace("$method", "$methd"))
        done = run([TENLINE, "templates", "test", path], cwd=repository)
        self.assertEqual(done.returncode, 6, done.stdout)
        self.assertIn("flush.yaml:12: method is neither captured", done.stderr)
        self.assertEqual(len(done.stderr.splitlines()), 1, done.stderr)
        for wrong in (["absent.yaml"], ["--repo", "absent"], ["--repo", folder], [folder]):
            done = run([TENLINE, "templates", "test", *wrong], cwd=folder)
            self.assertEqual(done.returncode, 2, done.stdout)
            self.assertEqual(len(done.stderr.splitlines()), 1, done.stderr)

    def test_they_are_listed_and_shown_as_what_they_are(self):
        folder = fresh("template-list")
        repository = self.repository(folder)
        self.write(repository, ".tenline/templates/flush.yaml", FLUSH)
        listed = run([TENLINE, "templates", "list"], cwd=repository).stdout.splitlines()
        self.assertIn("flush-on-close", listed[-1])
        self.assertIn("(.tenline/templates/flush.yaml)", listed[-1])
        self.assertFalse(any("(.tenline" in line for line in listed[:-1]))
        document = json.loads(run([TENLINE, "templates", "list", "--json", "--repo",
                                   repository]).stdout)
        self.assertTrue(document["templates"][-1]["file"].endswith("flush.yaml"))
        self.assertNotIn("file", document["templates"][0])
        shown = run([TENLINE, "templates", "show", "flush-on-close"], cwd=repository)
        self.assertIn("file: .tenline/templates/flush.yaml", shown.stdout)
        page = run([TENLINE, "templates", "list", "--markdown"], cwd=repository).stdout
        self.assertNotIn("flush-on-close", page)
        self.assertEqual(run([TENLINE, "templates", "show", "flush-on-close"],
                             cwd=folder).returncode, 2)


class Recall(unittest.TestCase):
    """Whether the templates say what developers wrote, measured on a repository's history."""

    WRONG = "def first(return_value):\n    return retrun_value\n"
    RIGHT = "def first(return_value):\n    return return_value\n"

    def setUp(self):
        self.folder = fresh("recall")
        self.repository = os.path.join(self.folder, "owner", "name")
        subprocess.run(["git", "init", "-q", self.repository], check=True)
        self.commits = [self.commit(self.WRONG), self.commit(self.RIGHT)]

    def git(self, *command):
        identity = ["-c", "user.name=t", "-c", "user.email=t@t"]
        return subprocess.run(["git", "-C", self.repository, *identity, *command], check=True,
                              capture_output=True, text=True).stdout.strip()

    def commit(self, text):
        with open(os.path.join(self.repository, "a.py"), "w") as file:
            file.write(text)
        self.git("add", ".")
        self.git("commit", "-q", "-m", "change")
        return self.git("rev-parse", "HEAD")

    def test_ends_when_it_is_asked_to(self):
        fixes = self.fixes(*[self.row()] * 20000)
        with subprocess.Popen([TENLINE, "corpus", "recall", fixes, "--repos", self.folder],
                              stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as run:
            time.sleep(1)
            self.assertIsNone(run.poll())
            run.send_signal(signal.SIGTERM)
            self.assertEqual(run.wait(20), -signal.SIGTERM)

    def fixes(self, *rows):
        path = os.path.join(self.folder, "fixes.jsonl")
        with open(path, "w") as file:
            file.writelines(row + "\n" for row in rows)
        return path

    def row(self, **changes):
        return json.dumps({"framework": "demo", "repository": "owner/name",
                           "parent_commit": self.commits[0], "fix_commit": self.commits[1],
                           "date": "2025-06-19", "files": ["a.py"], **changes})

    def recall(self, fixes, *more):
        return run([TENLINE, "corpus", "recall", fixes, "--repos", self.folder, "--json", *more])

    def test_a_rename_is_found_and_the_repository_stays_as_it_is(self):
        before = fingerprint(self.repository)
        fixes = self.fixes(self.row(), self.row(fix_commit="a" * 40))
        done = self.recall(fixes)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(done.stderr, "")
        found, unreadable = json.loads(done.stdout)["fixes"]
        self.assertEqual(found["outcome"], "found")
        self.assertGreater(found["rank"], 0)
        self.assertLessEqual(found["rank"], found["generated"])
        self.assertEqual(unreadable["outcome"], "unreadable")
        self.assertIsNone(unreadable["rank"])
        self.assertEqual(self.recall(fixes, "--jobs", "2").stdout, done.stdout)
        self.assertEqual(fingerprint(self.repository), before)

    def test_a_bad_row_is_named_by_its_line(self):
        done = self.recall(self.fixes(self.row(), "", self.row(fix_commit="HEAD")))
        self.assertEqual(done.returncode, 6, done.stderr)
        self.assertEqual(len(done.stderr.strip().splitlines()), 1, done.stderr)
        self.assertIn("line 3", done.stderr)
        self.assertEqual(done.stdout, "")
        self.assertEqual(self.recall(self.folder + "/absent").returncode, 2)

    def test_a_folder_without_the_repository_is_refused(self):
        done = self.recall(self.fixes(self.row(repository="owner/absent")))
        self.assertEqual(done.returncode, 2, done.stderr)
        self.assertIn("owner/absent", done.stderr)
        self.assertEqual(done.stdout, "")


class Commands(unittest.TestCase):
    def test_doctor_names_the_sandbox_and_the_interpreter(self):
        done = run([TENLINE, "doctor", "--python", PYTHON, "--json"])
        self.assertEqual(done.returncode, 0, done.stdout)
        checks = {check["id"]: check for check in json.loads(done.stdout)["checks"]}
        self.assertTrue(checks["sandbox"]["ok"])
        self.assertTrue(checks["python"]["ok"])
        without = run([TENLINE, "doctor", "--python", "/no/python"])
        self.assertEqual(without.returncode, 4)

    def test_without_bubblewrap_nothing_runs(self):
        folder = fresh("no-bubblewrap")
        repository = demo("wrong-name", folder)
        done = run(fix_command("wrong-name", repository, folder),
                   env={**os.environ, "PATH": "/nonexistent"})
        self.assertEqual(done.returncode, 4, done.stderr)
        self.assertIn("bubblewrap", done.stderr + done.stdout)

    def test_templates_are_listed_and_shown(self):
        done = run([TENLINE, "templates", "list"])
        ids = [line.split()[0] for line in done.stdout.splitlines()]
        self.assertGreaterEqual(len(ids), 10)
        for name in ids:
            self.assertEqual(run([TENLINE, "templates", "show", name]).returncode, 0)

    def test_every_command_explains_itself(self):
        for command in ("fix", "resume", "show", "apply", "locate", "doctor", "templates"):
            done = run([TENLINE, command, "--help"])
            self.assertEqual(done.returncode, 0)
            self.assertIn("--help", done.stdout)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1] + sys.argv[3:], verbosity=2)
