#pragma once

#include <memory>
#include <string>

#include "engine/core/ports.h"

namespace tenline {

/// What to run, and how. Exactly one of `script` and `test` is set.
struct OracleOptions {
  std::string python = "python3";  ///< A path, or a name on the PATH.
  std::string script;              ///< Absolute path: exit 0 = bug absent, 1 = present.
  std::string test;                ///< `pytest ...` or `python -m pytest ...`.
  std::string issue;               ///< The issue's text: what it names is part of the bug.
  std::string run_folder;          ///< Absolute, private; the oracle's files go to `oracle/` in it.
  int runs = 3;                    ///< Cold runs that must agree.
  int jobs = 2;                    ///< Slots that may be used at once.
  bool warm = true;                ///< Try candidates in copies of one process first.
  ProcessLimits limits = {.time = std::chrono::minutes(5)};  ///< Of one run on the base revision.

  // A candidate may take the base's time times `time_factor`, and `time_extra`, but at least
  // `time_floor`.
  double time_factor = 3;
  std::chrono::milliseconds time_extra{5'000};
  std::chrono::milliseconds time_floor{10'000};

  std::size_t test_files = 8;                         ///< Most affected test files that are run.
  std::chrono::milliseconds test_file_time{120'000};  ///< Of one of them.
};

/// An oracle for a reproduction script or a pytest command. Asks for `reproduce()` before
/// `judge()`. `judge` of E2 runs the affected tests only, for candidates that passed E1. Both
/// arguments must outlive the oracle. An Error of code invalid_input says what is wrong with the
/// user's options.
[[nodiscard]] Result<std::unique_ptr<Oracle>> make_oracle(const OracleOptions& options,
                                                          Workspace& workspace,
                                                          ProcessRunner& runner);

}  // namespace tenline
