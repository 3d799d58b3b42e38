#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "engine/core/failure.h"

namespace tenline {

/// How far the evidence of a patch goes.
enum class Level {
  none,
  e0,  ///< It parses.
  e1,  ///< The reproduction flips, in k cold runs.
  e2,  ///< The affected tests still pass.
  e3,  ///< The whole CPU suite passes.
  e4,  ///< GPU tests pass on the named device.
};

[[nodiscard]] std::string_view to_string(Level level);

/// What became of a candidate.
enum class Outcome {
  passes,
  fails,
  does_not_parse,
  timed_out,
  limit,         ///< It hit a limit of the sandbox; `detail` names it.
  breaks_tests,  ///< The reproduction flips, but a test that passed before fails.
  put_off,  ///< It did not end in the time that is enough for most: to be asked again in the end.
  infrastructure,  ///< We could not tell; never counted as a failure of the candidate.
};

[[nodiscard]] std::string_view to_string(Outcome outcome);

/// From where the check went on when it decided about a candidate. All but `cold` decide against
/// candidates only: what passes is run cold.
enum class Stage {
  cold,       ///< A new process.
  warm,       ///< A copy of a process that had not yet read what the candidate changes.
  late,       ///< A copy of a process at the first call of the function that the candidate changes.
  grouped,    ///< One with all candidates of the function in it, which splits where they differ.
  unreached,  ///< No run: the failing run never calls the changed function.
};

[[nodiscard]] std::string_view to_string(Stage stage);

/// The answer of an oracle to one candidate.
struct Verdict {
  Outcome outcome = Outcome::infrastructure;
  Level level = Level::none;  ///< The highest level that was reached.
  Stage stage = Stage::cold;  ///< Of the run that decided.
  std::string group;          ///< Candidates of the same group do the same; empty: not known.
  std::string detail;         ///< One line: the last error line, the limit, the broken test.
  double seconds = 0;
  double cpu_seconds = 0;
  int runs = 0;                          ///< Processes started for it.
  std::vector<std::string> checked;      ///< What was run and held, for people.
  std::vector<std::string> not_checked;  ///< What was not run, and why.
};

/// What the base revision did with the failing check.
enum class Reproduced {
  yes,
  already_fixed,     ///< It passed every time.
  flaky,             ///< It failed in some runs only.
  not_reproducible,  ///< It could not tell, every time.
  needs_gpus,
  environment,  ///< The check cannot run here: a module is missing, the interpreter is broken.
};

[[nodiscard]] std::string_view to_string(Reproduced reproduced);

struct Reproduction {
  Reproduced reproduced = Reproduced::not_reproducible;
  std::string detail;  ///< One line for people.
  std::string output;  ///< The end of what the first run printed.
  int runs = 0;
  double seconds = 0;      ///< Of the slowest run.
  double cpu_seconds = 0;  ///< Of all runs.
  FailureTrace trace;      ///< Of one traced run; empty unless `yes`.
};

}  // namespace tenline
