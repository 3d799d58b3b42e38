#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/core/repair.h"

namespace tenline {

/// Why a run has no result of a search.
struct RunFailure {
  std::string outcome;  ///< "refused" or "error".
  int exit_code = 70;
  std::string detail;  ///< One line for people.
};

/// All that there is to tell about one run; what the texts and documents of this folder are made
/// of.
struct RunReport {
  std::string run_id;
  std::string run;         ///< How commands name it: the id, or the folder where that is needed.
  std::string version;     ///< Of tenline.
  std::string repository;  ///< As the user gave it.
  std::string revision;    ///< Full id of the base commit.
  std::string issue_title;
  std::string check;  ///< What decides, as the user would type it: `python3 repro.py`.
  RepairResult result;
  std::optional<RunFailure> failure;
  double seconds = 0;              ///< Wall clock of the whole run.
  std::vector<std::string> diffs;  ///< Unified diff of each of result.patches, in that order.
  std::vector<std::string> notes;  ///< What the reader must know: files left out, no sandbox.
};

/// The exit code of `tenline fix` for what a search ended with.
[[nodiscard]] int exit_code(RepairEnd end);
[[nodiscard]] int exit_code(const RunReport& report);

/// The word for it in documents: `patched`, `no_patch`, `refused`.
[[nodiscard]] std::string_view outcome(const RunReport& report);

/// The line that explains the outcome; may be empty.
[[nodiscard]] const std::string& detail(const RunReport& report);

/// The diff of a patch, empty where there is none.
[[nodiscard]] std::string_view diff_of(const RunReport& report, std::size_t index);

}  // namespace tenline
