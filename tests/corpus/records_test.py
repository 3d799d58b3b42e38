"""Every record follows the schema, holds no path of a machine, and demo bugs do what they say."""

import glob
import json
import os
import re
import subprocess
import sys
import tempfile
import unittest

import jsonschema

SOURCE = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
CORPUS = sorted(glob.glob(os.path.join(SOURCE, "corpus", "bugs", "*")))
DEMO = sorted(glob.glob(os.path.join(SOURCE, "demo", "bugs", "*")))


def read(*parts):
    with open(os.path.join(*parts), encoding="utf-8") as file:
        return file.read()


def reproduce(record, checkout, scratch):
    return subprocess.run(
        [sys.executable, os.path.join(record, "repro.py")],
        env={"PATH": os.defpath, "PYTHONPATH": checkout, "PYTHONDONTWRITEBYTECODE": "1"},
        cwd=scratch,
        capture_output=True,
        text=True,
        timeout=60,
    )


class RecordsTest(unittest.TestCase):
    def test_there_are_records(self):
        self.assertGreaterEqual(len(CORPUS), 6)
        self.assertGreaterEqual(len(DEMO), 12)

    def test_records_follow_the_schema(self):
        schema = json.loads(read(SOURCE, "corpus", "schema", "bug.schema.json"))
        validator = jsonschema.Draft7Validator(schema)
        for folder in CORPUS + DEMO:
            with self.subTest(folder):
                record = json.loads(read(folder, "bug.json"))
                self.assertEqual([error.message for error in validator.iter_errors(record)], [])
                name = os.path.basename(folder)
                self.assertEqual(record["id"], name if folder in CORPUS else f"demo-{name}")

    def test_schema_refuses_a_record_without_a_fix(self):
        schema = json.loads(read(SOURCE, "corpus", "schema", "bug.schema.json"))
        record = json.loads(read(CORPUS[0], "bug.json"))
        del record["fix"]
        with self.assertRaises(jsonschema.ValidationError):
            jsonschema.validate(record, schema)

    def test_texts_name_no_folder_of_a_machine(self):
        for folder in CORPUS + DEMO:
            for name in os.listdir(folder):
                text = read(folder, name)
                for root in ("/home/", "/root/", "/tmp/", "/usr/lib/", "C:\\"):
                    self.assertNotIn(root, text, f"{folder}/{name}")


class DemoBugsTest(unittest.TestCase):
    """A planted bug is there, its report is what a user sees, and only its reproduction finds it."""

    def test_reproductions_pass_on_the_correct_package(self):
        for folder in DEMO:
            with self.subTest(folder), tempfile.TemporaryDirectory() as scratch:
                done = reproduce(folder, os.path.join(SOURCE, "demo"), scratch)
                self.assertEqual(done.returncode, 0, done.stderr)

    def test_reproductions_fail_as_reported_on_the_planted_bug(self):
        for folder in DEMO:
            with self.subTest(folder), tempfile.TemporaryDirectory() as scratch:
                repo = os.path.join(scratch, "repo")
                self.plant(folder, repo)
                done = reproduce(folder, repo, scratch)
                self.assertEqual(done.returncode, 1, done.stderr)
                seen = done.stderr.replace(repo + "/", "").replace(folder + "/", "")
                self.assertIn(seen.strip(), read(folder, "issue.md"))

    def test_the_tests_of_the_package_miss_the_planted_bug(self):
        for folder in DEMO:
            with self.subTest(folder), tempfile.TemporaryDirectory() as scratch:
                repo = os.path.join(scratch, "repo")
                self.plant(folder, repo)
                self.run_tests(repo)

    def test_the_tests_of_the_package_pass_on_the_correct_package(self):
        with tempfile.TemporaryDirectory() as scratch:
            repo = os.path.join(scratch, "repo")
            subprocess.run([os.path.join(SOURCE, "tools", "demo_repo"), "none", repo], check=True, capture_output=True)
            self.run_tests(repo)

    def test_the_diff_of_the_readme_is_the_fix_of_its_bug(self):
        diff = re.search(r"^```diff\n(.*?)^```", read(SOURCE, "README.md"), re.M | re.S).group(1)
        with tempfile.TemporaryDirectory() as scratch:
            repo = os.path.join(scratch, "repo")
            self.plant(os.path.join(SOURCE, "demo", "bugs", "forward-argument"), repo)
            subprocess.run(["git", "apply"], cwd=repo, input=diff, text=True, check=True)
            path = os.path.join("shardkit", "checkpoint.py")
            self.assertEqual(read(repo, path), read(SOURCE, "demo", path))

    def plant(self, folder, repo):
        tool = os.path.join(SOURCE, "tools", "demo_repo")
        done = subprocess.run([tool, os.path.basename(folder), repo], capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stderr)

    def run_tests(self, repo):
        done = subprocess.run(
            [sys.executable, "-B", "-m", "pytest", "-q", "-p", "no:cacheprovider", "tests"],
            cwd=repo,
            env={"PATH": os.defpath, "PYTHONPATH": repo},
            capture_output=True,
            text=True,
            timeout=60,
        )
        self.assertEqual(done.returncode, 0, done.stdout)


if __name__ == "__main__":
    unittest.main()
