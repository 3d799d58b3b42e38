#pragma once

#include <string>
#include <vector>

#include "engine/core/repair.h"

namespace tenline {

/// Why a patch is suspected to pass the check without repairing the bug.
enum class Suspicion {
  none,
  removes_code,        ///< It only takes code away: a statement, a check, a call, an argument.
  swallows_exception,  ///< It catches or suppresses what went wrong.
  ignores_arguments,   ///< It takes any argument and uses none.
  moves_code,          ///< It moves statements, perhaps to where they do not run.
  leaves_early,        ///< It skips the rest of a function or of a loop's round.
  fixes_condition,     ///< A condition becomes a constant.
  changes_text_only,   ///< Only string literals differ.
};

[[nodiscard]] Suspicion suspicion(const Candidate& candidate);

/// True if nothing or little suspects a candidate that passes.
[[nodiscard]] bool is_convincing(const Candidate& candidate);

/// The candidate's score, reduced where over-fitting is suspected.
[[nodiscard]] double guarded_score(const Candidate& candidate);

/// Orders passing candidates, best first: unsuspected ones whose affected tests were run and pass,
/// then by guarded score, then fewer changed lines, then position.
void rank(std::vector<CheckedCandidate>& candidates);

}  // namespace tenline
