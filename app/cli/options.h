#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "engine/base/json.h"
#include "engine/base/result.h"

namespace tenline::cli {

/// What `tenline fix` was asked to do; kept in the run folder, so that `resume` asks the same.
struct FixOptions {
  std::string repository;  ///< Absolute.
  std::string revision = "HEAD";
  std::string repro_name;  ///< File name of the script in the run folder; empty: `test` is used.
  std::string test;        ///< `pytest ...`, as the user wrote it.
  std::string python;      ///< Absolute, or a name that was found on the path.
  bool has_issue = false;
  int jobs = 1;
  int repeats = 3;  ///< Cold runs of the base revision, and of each candidate that passes.
  double budget_seconds = 3600;
  double time_limit_seconds = 120;  ///< Of one run of the check on the base revision.
  std::size_t max_candidates = 10'000;
  std::size_t top = 5;
  bool sandbox = true;
  bool warm = true;  ///< Try candidates in copies of one process before they are run cold.
};

[[nodiscard]] Json to_json(const FixOptions& options);
[[nodiscard]] Result<FixOptions> options_from_json(const Json& document);

/// "90", "90s", "10m", "1h30m" as seconds.
[[nodiscard]] Result<double> parse_duration(std::string_view text);

/// How results are printed; not part of the run.
struct PrintOptions {
  bool json = false;
  bool color = false;     ///< On standard output.
  bool progress = true;   ///< On standard error.
  bool terminal = false;  ///< Standard error is one.
};

}  // namespace tenline::cli
