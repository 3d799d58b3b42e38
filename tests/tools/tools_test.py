"""The developer scripts say no when they should."""

import io
import json
import os
import shutil
import subprocess
import sys
import tarfile
import tempfile
import unittest

SOURCE = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
TOOLS = os.path.join(SOURCE, "tools")
sys.path.insert(0, TOOLS)

from run_bug import changed_lines, digest  # noqa: E402


def run(name, *args):
    return subprocess.run([os.path.join(TOOLS, name), *args], capture_output=True, text=True, timeout=60)


def write(text, *parts):
    path = os.path.join(*parts)
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w", encoding="utf-8") as out:
        out.write(text)


class Scratch(unittest.TestCase):
    def setUp(self):
        made = tempfile.TemporaryDirectory()
        self.addCleanup(made.cleanup)
        self.root = made.name


class CheckLayersTest(Scratch):
    def check(self, path, line):
        write(f"// A file.\n{line}\n", self.root, path)
        return run("check_layers.py", self.root)

    def test_the_sources_keep_to_the_table(self):
        done = run("check_layers.py")
        self.assertEqual(done.returncode, 0, done.stdout)

    def test_accepts_an_include_of_the_table(self):
        done = self.check("engine/core/a.cc", '#include "engine/base/text.h"')
        self.assertEqual((done.returncode, done.stdout), (0, "layers: 1 files keep to the table\n"))

    def test_refuses_an_include_that_is_not_in_the_table(self):
        done = self.check("engine/core/a.cc", '  #  include "engine/issue/read_issue.h"')
        self.assertEqual(done.returncode, 1)
        self.assertIn("engine/core/a.cc:2: engine/core may not include engine/issue", done.stdout)

    def test_nothing_includes_app(self):
        self.assertEqual(self.check("templates/a.h", '#include "app/cli/main.h"').returncode, 1)

    def test_only_its_folder_sees_a_wrapped_library(self):
        self.assertEqual(self.check("engine/platform/a.cc", "#include <git2.h>").returncode, 0)
        self.assertEqual(self.check("engine/syntax/b.cc", "#include <git2.h>").returncode, 1)

    def test_tests_do_not_see_a_wrapped_library_either(self):
        self.assertEqual(self.check("tests/a.cc", "#include <tree_sitter/api.h>").returncode, 1)

    def test_refuses_a_folder_that_is_not_in_the_table(self):
        self.assertEqual(self.check("engine/new/a.cc", '#include "engine/base/text.h"').returncode, 1)

    def test_refuses_includes_that_are_not_from_the_root(self):
        self.assertEqual(self.check("engine/core/a.cc", '#include "edit.h"').returncode, 1)

    def test_refuses_an_empty_tree(self):
        self.assertEqual(run("check_layers.py", self.root).returncode, 1)


class CheckDocsTest(Scratch):
    HELP = """#!/bin/sh
case "$*" in
  "templates list --markdown") echo "# Templates" ;;
  "fix --help" | "fix *--help") echo "--repo DIR --issue FILE" ;;
  *) exit 2 ;;
esac
"""

    def check(self, **texts):
        documents = {name: "" for name in ("README.md", "CONTRIBUTING.md", "ARCHITECTURE.md")}
        documents |= {"docs/manual.md": "", "corpus/README.md": "", "docs/templates.md": "# Templates\n"}
        documents |= {"tenline": self.HELP, **texts}
        for path, text in documents.items():
            write(text, self.root, path)
        tenline = os.path.join(self.root, "tenline")
        os.chmod(tenline, 0o755)
        return run("check_docs", tenline, self.root)

    def test_accepts_documents_that_agree(self):
        readme = "```sh\ntenline fix --repo . \\\n  --issue issue.md  # comment\n```\n[templates](docs/templates.md)"
        done = self.check(**{"README.md": readme, "ARCHITECTURE.md": "`corpus/`"})
        self.assertEqual(done.returncode, 0, done.stdout)

    def test_refuses_a_flag_that_does_not_exist(self):
        done = self.check(**{"README.md": "```sh\ntenline fix --rep .\n```\n", "ARCHITECTURE.md": "`corpus/`"})
        self.assertEqual((done.returncode, done.stdout), (1, "README.md: fix: --rep\n"))

    def test_refuses_a_stale_list_of_templates(self):
        done = self.check(**{"docs/templates.md": "# Old\n", "ARCHITECTURE.md": "`corpus/`"})
        self.assertEqual(done.returncode, 1)

    def test_refuses_a_folder_that_the_architecture_does_not_name(self):
        self.assertIn("does not name `corpus/`", self.check().stdout)

    def test_refuses_a_dead_link(self):
        done = self.check(**{"README.md": "[x](docs/none.md)", "ARCHITECTURE.md": "`corpus/`"})
        self.assertIn("docs/none.md does not exist", done.stdout)


class ReleaseRepoTest(Scratch):
    def pack(self, *members):
        path = os.path.join(self.root, "package.tar.gz")
        with tarfile.open(path, "w:gz") as archive:
            for name, text in members:
                member = tarfile.TarInfo(name)
                if text is None:
                    member.type, member.linkname = tarfile.SYMTYPE, "/etc/passwd"
                    archive.addfile(member)
                else:
                    member.size = len(text)
                    archive.addfile(member, io.BytesIO(text.encode()))
        return path

    def make(self, *members, name="repo"):
        self.repo = os.path.join(self.root, name)
        return run("release_repo", self.pack(*members), self.repo)

    def commit(self):
        command = ["git", "-C", self.repo, "rev-parse", "HEAD"]
        return subprocess.run(command, capture_output=True, text=True, check=True).stdout

    def test_the_same_package_gives_the_same_commit(self):
        self.make(("p-1/a.py", "x = 1\n"), name="one")
        first = self.commit()
        self.make(("p-1/a.py", "x = 1\n"), name="two")
        self.assertEqual(self.commit(), first)

    def test_leaves_out_links_and_paths_that_lead_out(self):
        done = self.make(
            ("p-1/a.py", "x"), ("p-1/link", None), ("p-1/../../out.py", "x"), ("p-1/.git/config", "x")
        )
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("left out 3 entries", done.stderr)
        self.assertEqual(sorted(os.listdir(self.repo)), [".git", "a.py"])
        self.assertFalse(os.path.exists(os.path.join(self.root, "out.py")))

    def test_refuses_what_is_not_an_archive(self):
        write("nothing", self.root, "package.tar.gz")
        done = run("release_repo", os.path.join(self.root, "package.tar.gz"), os.path.join(self.root, "r"))
        self.assertEqual((done.returncode, done.stdout), (1, ""))
        self.assertEqual(len(done.stderr.splitlines()), 1, done.stderr)

    def test_refuses_a_folder_that_is_not_empty(self):
        write("mine", self.root, "repo", "file")
        self.assertEqual(self.make(("p-1/a.py", "x")).returncode, 1)
        self.assertEqual(os.listdir(self.repo), ["file"])


class DemoRepoTest(Scratch):
    def test_names_the_bugs_that_there_are(self):
        done = run("demo_repo", "no-such-bug", os.path.join(self.root, "repo"))
        self.assertEqual(done.returncode, 1)
        self.assertIn("two-sites", done.stderr)


class InstallTest(Scratch):
    def test_names_the_missing_packages_where_it_may_not_install(self):
        stubs = {"id": "echo 1000", "npm": "exit 1"}
        stubs["dpkg-query"] = 'case "$*" in *git) exit 1 ;; *) echo installed ;; esac'
        for name, text in stubs.items():
            write(f"#!/bin/sh\n{text}\n", self.root, name)
            os.chmod(os.path.join(self.root, name), 0o755)
        for name in ("bash", "dirname", "grep", "sed"):
            os.symlink(shutil.which(name), os.path.join(self.root, name))
        done = subprocess.run(
            [shutil.which("bash"), os.path.join(TOOLS, "install")],
            env={"PATH": self.root},
            capture_output=True,
            text=True,
        )
        self.assertEqual((done.returncode, done.stdout), (4, ""))
        self.assertEqual(done.stderr, "install: neither root nor sudo; missing packages: git\n")


class FetchReleaseTest(unittest.TestCase):
    def test_a_record_without_a_release_is_an_error(self):
        self.assertNotEqual(run("fetch_release", "no-such-bug").returncode, 0)


class RunBugTest(Scratch):
    FAKE = "#!/usr/bin/env python3\nprint(open({!r}).read())\n"

    def test_digest_is_blind_to_layout(self):
        self.assertEqual(digest("x = f(1, 'a')  # no\n"), digest('x = f(\n    1, "a"\n)\n'))
        self.assertNotEqual(digest("x = a < b"), digest("x = b < a"))
        self.assertEqual(digest("x = ("), "does not parse")

    def test_reads_the_lines_that_a_diff_touches(self):
        diff = "--- a/m.py\n+++ b/m.py\n@@ -3,3 +3,3 @@\n x\n-old\n+new\n y\n@@ -20,1 +20,2 @@\n z\n+added\n"
        self.assertEqual(changed_lines(diff), {"m.py": {4, 5, 20, 21}})

    def grade(self, old, new):
        """Runs the runner on a demo bug with a program that answers with this change."""
        repo = os.path.join(self.root, "repo")
        run("demo_repo", "wrong-comparison", repo)
        path = os.path.join(repo, "shardkit", "partition.py")
        with open(path, encoding="utf-8") as file:
            text = file.read()
        self.assertIn(old, text)
        write(text.replace(old, new), path)
        git = ["git", "-C", repo]
        diff = subprocess.run([*git, "diff"], capture_output=True, text=True, check=True).stdout
        subprocess.run([*git, "checkout", "-q", "."], check=True)
        return self.answer(repo, [{"rank": 1, "diff": diff, "template": "t"}])

    def answer(self, repo, patches):
        document = {"outcome": "patched" if patches else "no_patch", "candidates": {"run": 1}, "patches": patches}
        answer, fake = os.path.join(self.root, "answer.json"), os.path.join(self.root, "fake")
        write(json.dumps(document), answer)
        write(self.FAKE.format(answer), fake)
        os.chmod(fake, 0o755)
        record = os.path.join(SOURCE, "demo", "bugs", "wrong-comparison")
        return run("run_bug.py", "--tenline", fake, "--record", record, "--repo", repo)

    def test_the_known_fix_is_exact(self):
        done = self.grade("parts >= len", "parts > len")
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertIn("exact", done.stdout)

    def test_another_patch_that_passes_is_only_plausible(self):
        done = self.grade("parts >= len", "parts - 1 >= len")
        self.assertEqual(done.returncode, 1)
        self.assertIn("#1 plausible (t) at the lines of the fix", done.stdout)

    def test_a_patch_that_does_not_pass_is_wrong(self):
        done = self.grade("parts >= len", "parts == len")
        self.assertEqual(done.returncode, 1)
        self.assertIn("#1 wrong", done.stdout)

    def test_no_patch_is_a_failure(self):
        repo = os.path.join(self.root, "repo")
        run("demo_repo", "wrong-comparison", repo)
        self.assertEqual(self.answer(repo, []).returncode, 1)


if __name__ == "__main__":
    unittest.main()
