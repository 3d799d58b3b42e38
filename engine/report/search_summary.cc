#include "engine/report/search_summary.h"

#include <algorithm>
#include <array>
#include <set>
#include <tuple>

#include "engine/base/text.h"
#include "engine/report/wording.h"

namespace tenline {
namespace {

/// Errors that a candidate has from its own making, not from getting further.
bool is_own_fault(std::string_view detail) {
  static constexpr auto k_types =
      std::to_array<std::string_view>({"NameError", "UnboundLocalError", "SyntaxError",
                                       "IndentationError", "ImportError", "ModuleNotFoundError"});
  return std::ranges::any_of(
      k_types, [&](std::string_view type) { return detail.find(type) != std::string_view::npos; });
}

/// How the check fails when nothing has changed, as a verdict's detail would say it.
std::string base_failure(const RepairResult& result) {
  if (const FailureException* exception = result.reproduction.trace.main_exception()) {
    constexpr std::size_t k_enough = 80;  // A detail may be cut after that.
    const std::string_view message = split(exception->message, '\n').front().substr(0, k_enough);
    return message.empty() ? exception->type : fmt::format("{}: {}", exception->type, message);
  }
  // A check that fails by a wrong result: most candidates change nothing and so show what it is.
  std::map<std::string, std::size_t> counts;
  for (const CheckedCandidate& checked : result.checked) {
    if (checked.verdict.outcome == Outcome::fails) ++counts[checked.verdict.detail];
  }
  const auto most =
      std::ranges::max_element(counts, {}, [](const auto& entry) { return entry.second; });
  return most == counts.end() ? std::string() : most->first;
}

bool fails_differently(const Verdict& verdict, const std::string& base) {
  return verdict.outcome == Outcome::fails && !verdict.detail.empty() &&
         verdict.detail.find(base) == std::string::npos && !is_own_fault(verdict.detail);
}

void advise_on_search(const RepairResult& result, std::string_view run,
                      std::vector<std::string>& advice) {
  if (result.locations.empty()) {
    advice.emplace_back(
        "no place in the code was found: add the full traceback, or the names of "
        "the functions and options involved, to the issue");
  } else if (result.generated == 0) {
    advice.emplace_back(
        "no template fits the located code: name the wrong value, function or "
        "option in the issue, or write a template");
  }
  if (count(result.checked, Outcome::breaks_tests) > 0) {
    advice.emplace_back(
        "some candidates repair the reproduction but break a test: look at the "
        "nearest misses and at whether that test is right");
  }
  if (const std::size_t lost = count(result.checked, Outcome::infrastructure); lost > 0) {
    advice.push_back(fmt::format("{} could not be judged: see the log, then `tenline resume {}`",
                                 count_text(lost, "candidate"), run));
  }
  if (const std::size_t slow = count(result.checked, Outcome::timed_out);
      slow * 2 > result.checked.size()) {
    advice.emplace_back("most candidates ran into the time limit: make the reproduction shorter");
  }
  if (result.end == RepairEnd::no_patch && result.generated > result.checked.size()) {
    advice.push_back(fmt::format("{} of {} candidates were not run: raise --max-candidates",
                                 result.generated - result.checked.size(), result.generated));
  }
}

}  // namespace

std::vector<TemplateTally> tally_by_template(const std::vector<CheckedCandidate>& checked) {
  std::map<std::string, TemplateTally> tallies;
  for (const CheckedCandidate& one : checked) {
    TemplateTally& tally = tallies[one.candidate.template_id];
    tally.template_id = one.candidate.template_id;
    tally.family = one.candidate.family;
    tally.best = std::max(tally.best, one.verdict.level);
    ++tally.run;
    ++tally.outcomes[one.verdict.outcome];
  }
  std::vector<TemplateTally> sorted;
  sorted.reserve(tallies.size());
  for (auto& [id, tally] : tallies) sorted.push_back(std::move(tally));
  std::ranges::stable_sort(sorted, std::ranges::greater{}, &TemplateTally::run);
  return sorted;
}

std::size_t count(const std::vector<CheckedCandidate>& checked, Outcome outcome) {
  return static_cast<std::size_t>(std::ranges::count(
      checked, outcome, [](const CheckedCandidate& one) { return one.verdict.outcome; }));
}

Decided how_decided(const std::vector<CheckedCandidate>& checked) {
  Decided decided;
  std::set<std::string> groups;
  for (const auto& [position, candidate, verdict] : checked) {
    if (verdict.stage == Stage::unreached) {
      ++decided.dropped;
    } else if (!verdict.group.empty() && !groups.insert(verdict.group).second) {
      ++decided.grouped;
    } else {
      ++decided.run;
      ++decided.stages[verdict.stage];
    }
  }
  return decided;
}

std::vector<const CheckedCandidate*> nearest_misses(const RepairResult& result, std::size_t most) {
  const std::string base = base_failure(result);
  std::vector<const CheckedCandidate*> misses;
  for (const CheckedCandidate& checked : result.checked) {
    if (checked.verdict.outcome == Outcome::breaks_tests ||
        fails_differently(checked.verdict, base)) {
      misses.push_back(&checked);
    }
  }
  const auto rank = [](const CheckedCandidate* miss) {
    return std::tuple(miss->verdict.outcome != Outcome::breaks_tests,
                      -static_cast<int>(miss->verdict.level), miss->position);
  };
  std::ranges::stable_sort(misses, {}, rank);
  if (misses.size() > most) misses.resize(most);
  return misses;
}

std::vector<std::string> what_would_help(const RunReport& report, std::string_view run) {
  std::vector<std::string> advice;
  if (report.failure) return advice;
  switch (report.result.end) {
    case RepairEnd::patched:
      break;
    case RepairEnd::no_patch:
      advise_on_search(report.result, run, advice);
      break;
    case RepairEnd::budget:
      advice.push_back(fmt::format("go on with more time: `tenline resume {} --budget 2h`", run));
      advise_on_search(report.result, run, advice);
      break;
    case RepairEnd::interrupted:
      advice.push_back(fmt::format("go on where it was: `tenline resume {}`", run));
      break;
    case RepairEnd::not_reproducible:
      advice.emplace_back(
          "run the check by hand: a script must exit with 1 when the bug is there, "
          "with 0 when it is not; anything else means that it could not tell");
      advice.emplace_back("use the interpreter that has the packages: --python PY");
      break;
    case RepairEnd::already_fixed:
      advice.emplace_back("is this the revision that has the bug? does the check fail by hand?");
      break;
    case RepairEnd::flaky:
      advice.emplace_back("make the check fail every time: fix seeds, ports, threads and timing");
      break;
    case RepairEnd::needs_gpus:
      advice.emplace_back("run it on a machine with enough GPUs");
      break;
    case RepairEnd::environment:
      advice.emplace_back("`tenline doctor` says what is missing on this machine");
      advice.emplace_back("use the interpreter that has the packages: --python PY");
      break;
  }
  return advice;
}

}  // namespace tenline
