#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "engine/report/report.h"

namespace tenline {

/// What became of the candidates of one template.
struct TemplateTally {
  std::string template_id;
  Family family = Family::other;
  std::size_t run = 0;
  std::map<Outcome, std::size_t> outcomes;
  Level best = Level::none;  ///< The highest level that one of them reached.
};

/// One per template that had candidates run; the busiest first, then by name.
[[nodiscard]] std::vector<TemplateTally> tally_by_template(
    const std::vector<CheckedCandidate>& checked);

[[nodiscard]] std::size_t count(const std::vector<CheckedCandidate>& checked, Outcome outcome);

/// How candidates were decided.
struct Decided {
  std::size_t run = 0;                  ///< By a run of their own.
  std::size_t grouped = 0;              ///< By one of an earlier candidate that does the same.
  std::size_t dropped = 0;              ///< By none: the failing run never calls what they change.
  std::map<Stage, std::size_t> stages;  ///< Those with a run, by where it went on from.
};

/// `checked` is in order of position.
[[nodiscard]] Decided how_decided(const std::vector<CheckedCandidate>& checked);

/// Candidates that are no patch but got furthest, best first: those that repair the reproduction
/// and break a test, then those that failed in another way than the base revision does.
[[nodiscard]] std::vector<const CheckedCandidate*> nearest_misses(const RepairResult& result,
                                                                  std::size_t most);

/// What the user can do to get further, most useful first; empty for a run with a patch. Commands
/// name the run as `run`.
[[nodiscard]] std::vector<std::string> what_would_help(const RunReport& report,
                                                       std::string_view run);

}  // namespace tenline
