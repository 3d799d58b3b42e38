#include "engine/report/json_report.h"

#include <cmath>

#include "engine/report/evidence.h"
#include "engine/report/search_summary.h"

namespace tenline {
namespace {

constexpr int k_schema = 1;
constexpr std::size_t k_most_misses = 5;

double finite(double number) { return std::isfinite(number) ? number : 0; }

/// Times that are kept or blanked.
class Times {
 public:
  explicit Times(Volatile mode) : mode_(mode) {}
  [[nodiscard]] double operator()(double seconds) const {
    return mode_ == Volatile::keep ? finite(seconds) : 0;
  }

 private:
  Volatile mode_;
};

Json location_list(const std::vector<Location>& locations) {
  Json list = Json::array();
  for (const Location& location : locations) {
    list.push_back({{"rank", list.size() + 1},
                    {"file", location.file},
                    {"line", location.line},
                    {"function", location.function},
                    {"score", finite(location.score)},
                    {"reasons", location.reasons}});
  }
  return list;
}

Json reproduction_object(const Reproduction& reproduction, const Times& times) {
  Json object = {{"answer", to_string(reproduction.reproduced)},
                 {"detail", reproduction.detail},
                 {"runs", reproduction.runs},
                 {"seconds", times(reproduction.seconds)},
                 {"exception", nullptr}};
  if (const FailureException* exception = reproduction.trace.main_exception()) {
    object["exception"] = {{"type", exception->type}, {"message", exception->message}};
  }
  return object;
}

/// What patches and nearest misses have in common.
Json candidate_object(const CheckedCandidate& checked) {
  const Candidate& candidate = checked.candidate;
  return {{"id", candidate.id},
          {"position", checked.position},
          {"summary", candidate.summary},
          {"file", candidate.file},
          {"line", candidate.line},
          {"function", candidate.function},
          {"changed_lines", candidate.changed_lines},
          {"template", candidate.template_id},
          {"family", to_string(candidate.family)},
          {"evidence", to_string(checked.verdict.level)},
          {"score", finite(candidate.score)}};
}

Json patch_list(const RunReport& report, const Times& times) {
  Json list = Json::array();
  for (const CheckedCandidate& patch : report.result.patches) {
    Json object = candidate_object(patch);
    object["rank"] = list.size() + 1;
    object["diff"] = diff_of(report, list.size());
    object["why"] = why(patch.candidate, report.result.locations);
    object["checked"] = patch.verdict.checked;
    object["not_checked"] = not_checked(patch.verdict);
    object["runs"] = patch.verdict.runs;
    object["seconds"] = times(patch.verdict.seconds);
    list.push_back(std::move(object));
  }
  return list;
}

Json miss_list(const RepairResult& result) {
  Json list = Json::array();
  for (const CheckedCandidate* miss : nearest_misses(result, k_most_misses)) {
    Json object = candidate_object(*miss);
    object["outcome"] = to_string(miss->verdict.outcome);
    object["detail"] = miss->verdict.detail;
    list.push_back(std::move(object));
  }
  return list;
}

Json tally_list(const std::vector<CheckedCandidate>& checked) {
  Json list = Json::array();
  for (const TemplateTally& tally : tally_by_template(checked)) {
    Json outcomes = Json::object();
    for (const auto& [outcome, number] : tally.outcomes) {
      outcomes[std::string(to_string(outcome))] = number;
    }
    list.push_back({{"template", tally.template_id},
                    {"family", to_string(tally.family)},
                    {"run", tally.run},
                    {"outcomes", std::move(outcomes)},
                    {"best", to_string(tally.best)}});
  }
  return list;
}

Json candidate_counts(const RepairResult& result) {
  const Decided decided = how_decided(result.checked);
  Json stages = Json::object();
  for (const auto& [stage, number] : decided.stages) {
    stages[std::string(to_string(stage))] = number;
  }
  return {{"generated", result.generated},
          {"run", decided.run},
          {"grouped", decided.grouped},
          {"dropped", decided.dropped},
          {"stages", std::move(stages)}};
}

}  // namespace

Json fix_document(const RunReport& report, Volatile mode) {
  const Times times(mode);
  const RepairResult& result = report.result;
  const std::string_view run = mode == Volatile::keep ? std::string_view(report.run_id) : "RUN";
  Json document;
  document["schema"] = k_schema;
  document["run"] = run;
  document["version"] = report.version;
  document["outcome"] = outcome(report);
  document["exit"] = exit_code(report);
  document["detail"] = detail(report);
  document["issue"] = report.issue_title;
  document["check"] = report.check;
  document["base"] = {{"repository", report.repository}, {"revision", report.revision}};
  document["seconds"] = times(report.seconds);
  document["cpu_seconds"] = times(result.cpu_seconds);
  document["candidates"] = candidate_counts(result);
  document["reproduction"] = reproduction_object(result.reproduction, times);
  document["patches"] = patch_list(report, times);
  document["locations"] = location_list(result.locations);
  document["tried"] = tally_list(result.checked);
  document["nearest_misses"] = miss_list(result);
  document["what_would_help"] = what_would_help(report, run);
  document["notes"] = report.notes;
  return document;
}

Json locate_document(const std::vector<Location>& locations) {
  return {{"schema", k_schema}, {"locations", location_list(locations)}};
}

std::string document_text(const Json& document) {
  return document.dump(2, ' ', /*ensure_ascii=*/true, Json::error_handler_t::replace) + "\n";
}

}  // namespace tenline
