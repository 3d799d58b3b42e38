#pragma once

#include <chrono>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "engine/core/ports.h"
#include "oracles/interpreter.h"
#include "oracles/oracles.h"

namespace tenline {

/// What one run of the failing check said about the bug.
enum class Said { absent, present, could_not_tell };

/// What kept a run from telling.
enum class Obstacle { none, environment, gpus };

/// What became of a test.
enum class TestOutcome { passed, failed, skipped };

/// One pytest run, test by test.
struct TestResults {
  std::map<std::string, TestOutcome> tests;  ///< By node id.
  std::string failure;                       ///< Error line of the last test that failed.
  std::string running;                       ///< The test that had begun and not ended.
  std::string collect_error;                 ///< Error line of a file that could not be collected.
};

/// One run of the check.
struct CheckRun {
  Said said = Said::could_not_tell;
  Obstacle obstacle = Obstacle::none;
  std::string detail;  ///< One line for people.
  ProcessOutput output;
  TestResults results;  ///< Of a pytest command.
};

/// How a run is watched by trace_run.py; not at all without a folder, which is made anew.
struct Tracing {
  std::string folder;
  bool does_not_end = false;  ///< Where it is shortly before its time is over, is its failure.
};

/// Starts the failing check, and pytest for other files, in the worktree of a slot as it is. May be
/// called from several threads, each with a slot of its own.
class Checks {
 public:
  /// Writes the programs of oracles/python and the script below the run folder.
  [[nodiscard]] static Result<Checks> make(const OracleOptions& options, Workspace& workspace,
                                           ProcessRunner& runner, Interpreter interpreter);

  /// Runs the check once.
  [[nodiscard]] Result<CheckRun> run(int slot, std::chrono::milliseconds time,
                                     const Tracing& tracing = {});

  struct TestRun {
    ProcessOutput output;
    TestResults results;  ///< Incomplete where the run did not end by itself.
  };
  /// Runs pytest.
  [[nodiscard]] Result<TestRun> run_tests(int slot, const std::vector<std::string>& arguments,
                                          std::chrono::milliseconds time,
                                          const Tracing& tracing = {});

  /// The program that runs the check again and again: see oracles/python/warm_worker.py.
  [[nodiscard]] Result<Command> warm_command(int slot) const;
  /// What that program is to run: "script" and its path, or "pytest" and its arguments.
  [[nodiscard]] std::vector<std::string> warm_program() const;
  /// What the check said in a run that that program made; `results` is what the tests' plugin
  /// wrote.
  [[nodiscard]] CheckRun read(ProcessOutput output, std::string_view results) const;

  /// Compiles base files once and puts the byte code beside them in the worktrees of all slots. It
  /// holds for the very text of a file only, so that a patched file is compiled again by Python.
  [[nodiscard]] Result<void> cache_byte_code(const std::vector<std::string>& files);

  /// The test files all of whose tests are part of the check.
  [[nodiscard]] std::vector<std::string> whole_files() const;

  /// What people call the check: "repro.py" or the pytest command.
  [[nodiscard]] std::string name() const;
  [[nodiscard]] const Interpreter& interpreter() const { return interpreter_; }

 private:
  Checks(OracleOptions options, Workspace& workspace, ProcessRunner& runner,
         Interpreter interpreter)
      : options_(std::move(options)),
        workspace_(&workspace),
        runner_(&runner),
        interpreter_(std::move(interpreter)) {}
  [[nodiscard]] Result<Command> python_command(int slot, std::chrono::milliseconds time,
                                               const Tracing& tracing) const;
  [[nodiscard]] std::vector<std::string> stop_at_first() const;
  void add_plugin(Command& command, const std::string& results) const;
  [[nodiscard]] std::string drop_folder(int slot) const;
  void judge(CheckRun& run) const;
  void judge_script(CheckRun& run) const;
  void judge_tests(CheckRun& run) const;
  [[nodiscard]] Obstacle obstacle(const std::string& error_line) const;
  [[nodiscard]] bool is_third_party(const std::string& module) const;

  OracleOptions options_;
  Workspace* workspace_;
  ProcessRunner* runner_;
  Interpreter interpreter_;
  std::string script_;                  ///< Our copy.
  std::vector<std::string> arguments_;  ///< For pytest.
  std::set<std::string> modules_;       ///< Top-level modules of the repository.
};

}  // namespace tenline
