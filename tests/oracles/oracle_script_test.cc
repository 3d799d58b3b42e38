#include <gtest/gtest.h>

#include "oracles/oracles.h"
#include "tests/test_process_runner.h"

namespace tenline {
namespace {

constexpr const char* k_module = "def add(a, b):\n    return a - b\n";

/// With faked runs: what is asked for, and what the answers come to.
class ScriptAnswersTest : public testing::Test {
 protected:
  ScriptAnswersTest() : workspace_({{"pkg/__init__.py", ""}, {"pkg/mod.py", k_module}}) {
    options_.python = "/usr/bin/python3";
    options_.script = folder_.write("in/repro.py", "pass\n");
    options_.run_folder = folder_.path() + "/run";
    options_.jobs = 1;
    runner_.script = [this](const Command& command) -> Result<ProcessOutput> {
      if (command.argv.size() > 1 && command.argv[1] == "-c") return interpreter_;
      if (command.argv.size() > 1 && command.argv[1] == "-I") return ProcessOutput{};
      if (command.environment.contains("TENLINE_TRACE_OUT")) {
        std::ofstream(command.environment.at("TENLINE_TRACE_OUT") + "/trace-main.json") << trace_;
      }
      const std::size_t index = std::min(next_++, answers_.size() - 1);
      return answers_[index];
    };
    interpreter_.out =
        R"({"executable": "/usr/bin/python3", "version": [3, 11, 2], "cache_tag": "cpython-311",
           "places": ["/opt/venv", "/usr", "/"]})";
    std::erase(interpreter_.out, '\n');
  }
  static ProcessOutput exits(int code, std::string out = {}, std::string err = {}) {
    ProcessOutput output;
    output.exit_code = code;
    output.out = std::move(out);
    output.err = std::move(err);
    output.seconds = 1;
    return output;
  }
  Reproduction reproduce() {
    oracle_ = make_oracle(options_, workspace_, runner_).value();
    return oracle_->reproduce().value();
  }
  static Candidate candidate(std::string text) {
    Candidate made;
    made.id = text;
    made.edits = {{"pkg/mod.py", {26, 27}, std::move(text)}};
    return made;
  }

  TemporaryFolder folder_;
  MemoryWorkspace workspace_;
  FakeProcessRunner runner_;
  OracleOptions options_;
  std::unique_ptr<Oracle> oracle_;
  ProcessOutput interpreter_;
  std::vector<ProcessOutput> answers_;
  std::size_t next_ = 0;
  std::string trace_ = R"({"files": ["pkg/mod.py"]})";
};

TEST_F(ScriptAnswersTest, ReadsTheRunsOfTheBaseRevision) {
  const std::string uncaught = "Traceback (most recent call last):\n  File \"x\"\n";
  struct {
    std::vector<ProcessOutput> answers;
    Reproduced expected;
    std::string detail;
  } cases[] = {
      {{exits(1, "", "KeyError: 'k'")},
       Reproduced::yes,
       "repro.py fails in 3 of 3 runs: exit 1: KeyError: 'k'"},
      {{exits(0)}, Reproduced::already_fixed, "repro.py passes in 3 of 3 runs"},
      {{exits(1), exits(0), exits(1)}, Reproduced::flaky, "repro.py fails in 2 of 3 runs: exit 1"},
      {{exits(1), exits(2), exits(1)}, Reproduced::flaky, "repro.py fails in 2 of 3 runs: exit 1"},
      {{exits(2, "", "odd\n")},
       Reproduced::not_reproducible,
       "repro.py could not tell: exit 2: odd"},
      {{exits(2, "", "ModuleNotFoundError: No module named 'apex'")},
       Reproduced::environment,
       "repro.py could not tell: exit 2: ModuleNotFoundError: No module named 'apex'"},
      {{exits(1, "", uncaught + "ModuleNotFoundError: No module named 'apex'")},
       Reproduced::environment,
       "repro.py could not tell: exit 1: ModuleNotFoundError: No module named 'apex'"},
      {{exits(1, "", uncaught + "ModuleNotFoundError: No module named 'pkg.new'")},
       Reproduced::yes,
       "repro.py fails in 3 of 3 runs: exit 1: ModuleNotFoundError: No module named 'pkg.new'"},
      {{exits(2, "RuntimeError: Found no NVIDIA driver on your system")},
       Reproduced::needs_gpus,
       "repro.py could not tell: exit 2: RuntimeError: Found no NVIDIA driver on your system"},
  };
  for (const auto& c : cases) {
    answers_ = c.answers;
    next_ = 0;
    const Reproduction reproduction = reproduce();
    EXPECT_EQ(reproduction.reproduced, c.expected) << reproduction.detail;
    EXPECT_EQ(reproduction.detail, c.detail);
    EXPECT_EQ(reproduction.trace.files.empty(), c.expected != Reproduced::yes);
  }
}

TEST_F(ScriptAnswersTest, AMissingModuleThatTheIssueNamesIsTheBug) {
  answers_ = {exits(
      1, "", "Traceback (most recent call last):\nModuleNotFoundError: No module named 'apex'")};
  options_.issue = "It should work without apex";
  EXPECT_EQ(reproduce().reproduced, Reproduced::yes);
}

TEST_F(ScriptAnswersTest, NamesTheLimitThatWasHit) {
  answers_ = {ProcessOutput{}};
  answers_[0].end = ProcessEnd::memory_limit;
  options_.limits.memory = std::size_t{1} << 30U;
  const Reproduction reproduction = reproduce();
  EXPECT_EQ(reproduction.reproduced, Reproduced::not_reproducible);
  EXPECT_EQ(reproduction.detail, "repro.py could not tell: memory limit of 1024 MiB");
}

TEST_F(ScriptAnswersTest, ABrokenInterpreterIsTheEnvironmentsFault) {
  answers_ = {exits(1)};
  interpreter_ = exits(127, "", "Fatal Python error: init_fs_encoding");
  EXPECT_EQ(reproduce().reproduced, Reproduced::environment);
  interpreter_ = exits(0, "hello");
  EXPECT_EQ(reproduce().reproduced, Reproduced::environment);
  options_.python = folder_.path() + "/no-such-python";
  const Reproduction missing = reproduce();
  EXPECT_EQ(missing.reproduced, Reproduced::environment);
  EXPECT_EQ(missing.detail, options_.python + ": no such program");
}

TEST_F(ScriptAnswersTest, ARunThatCannotBeStartedIsAnError) {
  answers_ = {exits(1)};
  runner_.script = [](const Command&) -> Result<ProcessOutput> {
    return fail(ErrorCode::unavailable, "no bubblewrap");
  };
  oracle_ = make_oracle(options_, workspace_, runner_).value();
  EXPECT_EQ(oracle_->reproduce().error().code, ErrorCode::unavailable);
}

TEST_F(ScriptAnswersTest, RunsTheScriptColdAndShowsItOnlyWhatItNeeds) {
  answers_ = {exits(1)};
  reproduce();
  ASSERT_EQ(runner_.commands.size(), 5U);  // The question, three cold runs, a traced one.
  const Command& cold = runner_.commands[1];
  const std::string worktree = workspace_.worktree(0).value();
  EXPECT_EQ(cold.argv, (std::vector<std::string>{"/usr/bin/python3",
                                                 options_.run_folder + "/oracle/script/repro.py"}));
  EXPECT_EQ(cold.cwd, "");
  EXPECT_EQ(cold.readable, (std::vector<std::string>{"/opt/venv", worktree,
                                                     options_.run_folder + "/oracle/script"}));
  EXPECT_TRUE(cold.writable.empty());
  EXPECT_EQ(cold.environment.at("PYTHONPATH"), worktree);
  EXPECT_EQ(cold.environment.at("PYTHONHASHSEED"), "0");
  EXPECT_EQ(cold.environment.at("CUDA_VISIBLE_DEVICES"), "");
  EXPECT_FALSE(cold.environment.contains("TENLINE_TRACE_OUT"));
  const Command& traced = runner_.commands[4];
  EXPECT_EQ(traced.argv, cold.argv);
  EXPECT_EQ(traced.writable.size(), 1U);
}

TEST_F(ScriptAnswersTest, ACandidateMustPassEveryRun) {
  answers_ = {exits(1)};
  reproduce();
  answers_ = {exits(0), exits(0), exits(0)};
  next_ = 0;
  const Verdict good = oracle_->judge(candidate("+"), Level::e1, 0).value();
  EXPECT_EQ(good.outcome, Outcome::passes);
  EXPECT_EQ(good.level, Level::e1);
  EXPECT_EQ(good.runs, 3);
  EXPECT_EQ(good.checked, std::vector<std::string>{"repro.py passes in 3 of 3 cold runs"});

  answers_ = {exits(0), exits(1, "", "KeyError: 1")};
  next_ = 0;
  const Verdict flaky = oracle_->judge(candidate("+"), Level::e1, 0).value();
  EXPECT_EQ(flaky.outcome, Outcome::fails);
  EXPECT_EQ(flaky.detail, "run 2 of 3: exit 1: KeyError: 1");
}

TEST_F(ScriptAnswersTest, TellsTheWaysToFailApart) {
  answers_ = {exits(1)};
  reproduce();
  ProcessOutput late;
  late.end = ProcessEnd::timed_out;
  ProcessOutput large;
  large.end = ProcessEnd::output_limit;
  ProcessOutput crashed;
  crashed.end = ProcessEnd::signalled;
  crashed.signal = 11;
  struct {
    ProcessOutput answer;
    Outcome outcome;
    std::string detail;
  } cases[] = {
      {exits(1, "", "KeyError: 1"), Outcome::fails, "exit 1: KeyError: 1"},
      {exits(2, "hm"), Outcome::fails, "exit 2: hm"},
      {exits(1, "", "SyntaxError: invalid syntax"), Outcome::does_not_parse,
       "exit 1: SyntaxError: invalid syntax"},
      {late, Outcome::timed_out, "time limit of 10 s"},
      {large, Outcome::limit, "output limit of 64 MiB"},
      {crashed, Outcome::fails, "signal 11"},
  };
  for (const auto& c : cases) {
    answers_ = {c.answer};
    next_ = 0;
    const Verdict verdict = oracle_->judge(candidate("+"), Level::e1, 0).value();
    EXPECT_EQ(verdict.outcome, c.outcome) << verdict.detail;
    EXPECT_EQ(verdict.detail, c.detail);
    EXPECT_EQ(verdict.runs, 1);
  }
}

TEST_F(ScriptAnswersTest, ACancelledRunIsNoVerdict) {
  answers_ = {exits(1)};
  reproduce();
  answers_[0].end = ProcessEnd::cancelled;
  EXPECT_EQ(oracle_->judge(candidate("+"), Level::e1, 0).error().code, ErrorCode::cancelled);
}

TEST_F(ScriptAnswersTest, EditsThatDoNotFitAreTheCandidatesFault) {
  answers_ = {exits(1)};
  reproduce();
  Candidate bad = candidate("+");
  bad.edits[0].span = {1000, 2000};
  EXPECT_EQ(oracle_->judge(bad, Level::e1, 0)->outcome, Outcome::does_not_parse);
  bad.edits[0].file = "no/such.py";
  EXPECT_EQ(oracle_->judge(bad, Level::e1, 0)->outcome, Outcome::does_not_parse);
}

TEST_F(ScriptAnswersTest, AResumedOracleJudgesByTheTimesOfTheFirst) {
  answers_ = {exits(1)};
  answers_[0].seconds = 10;
  reproduce();
  const std::unique_ptr<Oracle> resumed = make_oracle(options_, workspace_, runner_).value();
  ASSERT_TRUE(resumed->judge(candidate("+"), Level::e1, 0));
  EXPECT_EQ(runner_.commands.back().limits.time, std::chrono::seconds(35));
}

TEST_F(ScriptAnswersTest, RefusesOptionsThatMakeNoSense) {
  for (const auto& [script, test] : std::vector<std::pair<std::string, std::string>>{
           {"", ""}, {options_.script, "pytest"}, {"/no/such/file.py", ""}, {"", "tox"}}) {
    OracleOptions options = options_;
    options.script = script;
    options.test = test;
    const auto made = make_oracle(options, workspace_, runner_);
    ASSERT_FALSE(made) << script << test;
    EXPECT_EQ(made.error().code, ErrorCode::invalid_input);
  }
}

/// With real runs of a real Python.
class ScriptRunsTest : public testing::Test {
 protected:
  ScriptRunsTest() : workspace_({{"pkg/__init__.py", ""}, {"pkg/mod.py", k_module}}) {
    options_.python = "/usr/bin/python3";
    options_.run_folder = folder_.path() + "/run";
    options_.script = folder_.write("in/repro.py",
                                    "import sys\n"
                                    "from pkg.mod import add\n"
                                    "sys.exit(0 if add(2, 3) == 5 else 1)\n");
  }
  [[nodiscard]] Candidate replacing(const std::string& text) const {
    Candidate made;
    made.id = text;
    const std::size_t at = std::string(k_module).find('-');
    made.edits = {{"pkg/mod.py", {at, at + 1}, text}};
    return made;
  }

  TemporaryFolder folder_;
  MemoryWorkspace workspace_;
  TestProcessRunner runner_;
  OracleOptions options_;
};

TEST_F(ScriptRunsTest, ReproducesAndJudges) {
  const std::unique_ptr<Oracle> oracle = make_oracle(options_, workspace_, runner_).value();
  const Reproduction base = oracle->reproduce().value();
  EXPECT_EQ(base.reproduced, Reproduced::yes) << base.detail;
  EXPECT_EQ(base.runs, 4);
  ASSERT_EQ(base.trace.files, (std::vector<std::string>{"pkg/__init__.py", "pkg/mod.py"}));
  EXPECT_EQ(base.trace.functions.back().name, "add");
  EXPECT_EQ(base.trace.main_exception(), nullptr);

  EXPECT_EQ(oracle->judge(replacing("+"), Level::e1, 1)->outcome, Outcome::passes);
  EXPECT_EQ(oracle->judge(replacing("*"), Level::e1, 1)->outcome, Outcome::fails);
  EXPECT_EQ(oracle->judge(replacing(")"), Level::e1, 0)->outcome, Outcome::does_not_parse);
  const Verdict tests = oracle->judge(replacing("+"), Level::e2, 0).value();
  EXPECT_EQ(tests.outcome, Outcome::passes);
  EXPECT_EQ(tests.level, Level::e1);
  EXPECT_EQ(tests.not_checked, std::vector<std::string>{"no test imports pkg.mod"});
}

TEST_F(ScriptRunsTest, CachedByteCodeNeverHidesACandidate) {
  const std::unique_ptr<Oracle> oracle = make_oracle(options_, workspace_, runner_).value();
  ASSERT_EQ(oracle->reproduce()->reproduced, Reproduced::yes);
  EXPECT_EQ(oracle->judge(replacing("-"), Level::e1, 0)->outcome, Outcome::fails);
  bool cached = false;
  const std::string worktree = workspace_.worktree(0).value();
  for (const auto& file : std::filesystem::directory_iterator(worktree + "/pkg/__pycache__")) {
    cached = cached || file.path().filename().string().starts_with("mod.cpython-");
  }
  EXPECT_TRUE(cached);
  // Same size and, most likely, same second: what fools a cache by time and size.
  EXPECT_EQ(oracle->judge(replacing("+"), Level::e1, 0)->outcome, Outcome::passes);
  EXPECT_EQ(oracle->judge(replacing("%"), Level::e1, 0)->outcome, Outcome::fails);
}

TEST_F(ScriptRunsTest, AnEndlessCandidateTimesOut) {
  options_.time_floor = std::chrono::milliseconds(300);
  options_.time_extra = std::chrono::milliseconds(0);
  const std::unique_ptr<Oracle> oracle = make_oracle(options_, workspace_, runner_).value();
  ASSERT_EQ(oracle->reproduce()->reproduced, Reproduced::yes);
  const Verdict verdict =
      oracle->judge(replacing("+ next(0 for _ in iter(int, 1) if _) +"), Level::e1, 0).value();
  EXPECT_EQ(verdict.outcome, Outcome::timed_out);
}

}  // namespace
}  // namespace tenline
