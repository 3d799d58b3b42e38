#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "engine/report/report.h"

namespace tenline {

/// What a level claims: "the reproduction passes".
[[nodiscard]] std::string_view meaning(Level level);

/// What was not run, so that no level claims too much: what the oracle named, and every level above
/// the one that was reached.
[[nodiscard]] std::vector<std::string> not_checked(const Verdict& verdict);

/// The reasons of the place that the candidate changes: of its line, else of its function.
[[nodiscard]] std::vector<std::string> reasons_for(const Candidate& candidate,
                                                   const std::vector<Location>& locations);

/// What the patch does and why there, on one line of untrusted text.
[[nodiscard]] std::string why(const Candidate& candidate, const std::vector<Location>& locations);

/// The first line of a commit message, at most 72 characters. In this and in the body, text of the
/// repository and the issue is visible, indented, and cannot close issues or call people.
[[nodiscard]] std::string commit_subject(const Candidate& candidate);

/// The rest of it, or of a mail: what, why, evidence, how to reproduce, what was not checked.
[[nodiscard]] std::string commit_body(const RunReport& report, std::size_t index);

}  // namespace tenline
