// pytest oracles and affected tests, with real runs of a real pytest.

#include <gtest/gtest.h>

#include "oracles/oracles.h"
#include "tests/test_process_runner.h"

namespace tenline {
namespace {

const std::string k_module =
    "def add(a, b):\n    return a - b\n\n\ndef twice(a):\n    return a * 2\n";

class PytestTest : public testing::Test {
 protected:
  void repository(FileTexts files) {
    files["pkg/__init__.py"] = "";
    files["pkg/mod.py"] = k_module;
    workspace_ = std::make_unique<MemoryWorkspace>(std::move(files));
  }
  std::unique_ptr<Oracle> oracle(const std::string& test) {
    options_.python = "/usr/bin/python3";
    options_.run_folder = folder_.path() + "/run";
    options_.test = test;
    options_.runs = 2;
    return make_oracle(options_, *workspace_, runner_).value();
  }
  static Candidate replacing(const std::string& before, const std::string& after) {
    Candidate made;
    made.id = before + after;
    const std::size_t at = k_module.find(before);
    made.edits = {{"pkg/mod.py", {at, at + before.size()}, after}};
    return made;
  }

  TemporaryFolder folder_;
  OracleOptions options_;
  std::unique_ptr<MemoryWorkspace> workspace_;
  TestProcessRunner runner_;
};

const std::string k_tests =
    "import pytest\nfrom pkg.mod import add, twice\n"
    "def test_add():\n    assert add(2, 3) == 5\n"
    "def test_twice():\n    assert twice(3) == 6\n"
    "@pytest.mark.skip\ndef test_skipped():\n    pass\n"
    "@pytest.mark.parametrize('x', ['a b'])\ndef test_more(x):\n    assert add(1, 0) == 1\n";

TEST_F(PytestTest, ReproducesAndJudgesByTheNamedTest) {
  repository({{"tests/test_mod.py", k_tests}});
  const auto by_test = oracle("pytest -q tests/test_mod.py::test_add");
  const Reproduction base = by_test->reproduce().value();
  ASSERT_EQ(base.reproduced, Reproduced::yes) << base.detail << base.output;
  EXPECT_EQ(base.detail,
            "pytest -q tests/test_mod.py::test_add fails in 2 of 2 runs: exit 1: assert -1 == 5");
  ASSERT_NE(base.trace.main_exception(), nullptr);
  EXPECT_EQ(base.trace.main_exception()->frames.back().function, "test_add");
  int depth = -1;
  for (const ExecutedFunction& f : base.trace.functions) {
    if (f.name == "add") depth = f.depth;
  }
  EXPECT_EQ(depth, 1);
  EXPECT_EQ(by_test->judge(replacing("-", "+"), Level::e1, 0)->outcome, Outcome::passes);
  EXPECT_EQ(by_test->judge(replacing("-", "*"), Level::e1, 1)->outcome, Outcome::fails);
}

TEST_F(PytestTest, CouldNotTellWithoutTests) {
  repository({{"tests/test_mod.py", k_tests}});
  struct {
    std::string test;
    Reproduced expected;
    std::string part;
  } cases[] = {
      {"pytest tests/test_mod.py -k nothing", Reproduced::not_reproducible,
       "no tests were collected"},
      {"pytest tests/test_mod.py::test_skipped", Reproduced::not_reproducible,
       "all tests were skipped"},
      {"pytest tests/no_such.py", Reproduced::not_reproducible, "exit 4"},
      {"pytest --no-such-flag", Reproduced::not_reproducible, "exit 4"},
      {"python -m pytest 'tests/test_mod.py::test_more[a b]'", Reproduced::already_fixed, "passes"},
  };
  for (const auto& c : cases) {
    const Reproduction base = oracle(c.test)->reproduce().value();
    EXPECT_EQ(base.reproduced, c.expected) << base.detail;
    EXPECT_NE(base.detail.find(c.part), std::string::npos) << base.detail;
  }
}

TEST_F(PytestTest, AnImportErrorCountsOnlyIfItIsTheRepositorys) {
  repository({{"tests/test_a.py", "from pkg.mod import no_such\ndef test(): pass\n"},
              {"tests/test_b.py", "import no_such_package\ndef test(): pass\n"}});
  EXPECT_EQ(oracle("pytest tests/test_a.py")->reproduce()->reproduced, Reproduced::yes);
  const Reproduction other = oracle("pytest tests/test_b.py")->reproduce().value();
  EXPECT_EQ(other.reproduced, Reproduced::environment);
  EXPECT_NE(other.detail.find("no_such_package"), std::string::npos) << other.detail;
}

TEST_F(PytestTest, ACandidateThatLosesTheTestDoesNotPass) {
  repository({{"tests/test_mod.py",
               "import pytest\nimport pkg.mod\n"
               "def test_add():\n"
               "    if pkg.mod.add(1, 1) == 1: pytest.skip('lost')\n"
               "    assert pkg.mod.add(2, 3) == 5\n"
               "def test_other():\n    pass\n"}});
  const auto by_test = oracle("pytest tests/test_mod.py");
  ASSERT_EQ(by_test->reproduce()->reproduced, Reproduced::yes);
  const Verdict verdict = by_test->judge(replacing("a - b", "1"), Level::e1, 0).value();
  EXPECT_EQ(verdict.outcome, Outcome::fails);
  EXPECT_EQ(verdict.detail, "a test that failed was not run");
}

TEST_F(PytestTest, ACheckThatDoesNotEndIsABug) {
  const std::string loop = "def count(n):\n    while n > 0:\n        n = n - 0\n    return n\n";
  repository({{"pkg/loop.py", loop},
              {"tests/test_loop.py",
               "from pkg.loop import count\n"
               "def test_a():\n    pass\n"
               "def test_count():\n    assert count(3) == 0\n"}});
  options_.limits.time = std::chrono::milliseconds(2500);
  const auto by_test = oracle("pytest tests/test_loop.py");
  const Reproduction base = by_test->reproduce().value();
  ASSERT_EQ(base.reproduced, Reproduced::yes) << base.detail;
  EXPECT_NE(base.detail.find("in tests/test_loop.py::test_count"), std::string::npos)
      << base.detail;
  const FailureException* hang = base.trace.main_exception();
  ASSERT_NE(hang, nullptr);
  EXPECT_EQ(hang->type, "TimeoutError");
  EXPECT_EQ(hang->frames.back().function, "count");
  EXPECT_EQ(hang->frames.back().values.at("n").repr, "3");

  const auto with = [&](const std::string& text, Level level = Level::e1) {
    Candidate made;
    made.id = text;
    const std::size_t at = loop.find("n - 0");
    made.edits = {{"pkg/loop.py", {at, at + 5}, text}};
    return by_test->judge(made, level, 0).value();
  };
  EXPECT_EQ(with("n - 1").outcome, Outcome::passes);
  EXPECT_EQ(with("n + 0").outcome, Outcome::timed_out);
  EXPECT_EQ(with("n - 2").outcome, Outcome::fails);
  const Verdict tests = with("n - 1", Level::e2);
  EXPECT_EQ(tests.level, Level::e2);
  EXPECT_EQ(tests.runs, 0);  // The whole file is the check: nothing is left to run.
}

TEST_F(PytestTest, AffectedTestsMustStillPass) {
  repository(
      {{"tests/test_mod.py", k_tests}, {"tests/test_unrelated.py", "def test(): assert False\n"}});
  const auto by_test = oracle("pytest tests/test_mod.py::test_add");
  ASSERT_EQ(by_test->reproduce()->reproduced, Reproduced::yes);
  const Verdict good = by_test->judge(replacing("-", "+"), Level::e2, 0).value();
  EXPECT_EQ(good.outcome, Outcome::passes);
  EXPECT_EQ(good.level, Level::e2);
  EXPECT_EQ(good.checked, std::vector<std::string>{"2 tests in 1 file still pass"});

  const Verdict bad = by_test->judge(replacing("a * 2", "a"), Level::e2, 1).value();
  EXPECT_EQ(bad.outcome, Outcome::breaks_tests);
  EXPECT_EQ(bad.detail, "tests/test_mod.py::test_twice");
}

TEST_F(PytestTest, ATestThatPassesSometimesIsNoEvidence) {
  const std::string counter = folder_.path() + "/counter";
  repository({{"tests/test_mod.py",
               "import pkg.mod\n"
               "def test_unstable():\n"
               "    with open('" +
                   counter +
                   "', 'a+') as f:\n"
                   "        f.write('x'); f.seek(0)\n"
                   "        assert len(f.read()) % 2 == 1\n"
                   "def test_stable():\n    assert pkg.mod.twice(1) == 2\n"}});
  const auto by_test = oracle("pytest tests/none.py");
  const Verdict verdict = by_test->judge(replacing("-", "+"), Level::e2, 0).value();
  EXPECT_EQ(verdict.outcome, Outcome::passes) << verdict.detail;
  EXPECT_EQ(verdict.checked, std::vector<std::string>{"1 test in 1 file still passes"});
  EXPECT_EQ(verdict.not_checked.size(), 1U);
}

TEST_F(PytestTest, SaysWhyNoTestCouldBeUsed) {
  repository({{"tests/test_mod.py", "import pkg.mod\ndef test(): assert False\n"}});
  const auto by_test = oracle("pytest tests/none.py");
  const Verdict verdict = by_test->judge(replacing("-", "+"), Level::e2, 0).value();
  EXPECT_EQ(verdict.level, Level::e1);
  EXPECT_EQ(verdict.not_checked,
            std::vector<std::string>{
                "no test that imports pkg.mod passes on the base revision: 1 file tried"});
}

}  // namespace
}  // namespace tenline
