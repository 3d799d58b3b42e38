#include "corpus/recall_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <functional>

namespace tenline::corpus {

namespace {

constexpr std::array<std::size_t, 5> k_cuts = {1, 10, 100, 1000, 10'000};

struct Row {
  std::string name;
  std::size_t fixes = 0;
  std::array<std::size_t, k_cuts.size()> within{};
  std::size_t anywhere = 0;

  void add(const FixRecall& answer) {
    ++fixes;
    if (answer.rank == 0) return;
    ++anywhere;
    for (std::size_t i = 0; i < k_cuts.size(); ++i) {
      if (answer.rank <= k_cuts[i]) ++within[i];
    }
  }
};

using Key = std::function<std::string(const FixRecall&)>;

/// Fixes by a property of theirs, the largest group first.
std::vector<Row> group(const std::vector<FixRecall>& answers, const Key& key) {
  std::map<std::string, Row> rows;
  for (const FixRecall& answer : answers) {
    if (answer.measured()) rows[key(answer)].add(answer);
  }
  std::vector<Row> sorted;
  for (auto& [name, row] : rows) {
    row.name = name;
    sorted.push_back(std::move(row));
  }
  std::ranges::stable_sort(sorted, std::ranges::greater{}, &Row::fixes);
  return sorted;
}

struct Grouping {
  const char* name;
  Key key;
};

std::vector<Grouping> groupings() {
  return {{"all", [](const FixRecall&) { return "all"; }},
          {"framework", [](const FixRecall& a) { return a.fix.framework; }},
          {"year", [](const FixRecall& a) { return a.fix.date.substr(0, 4); }},
          {"strategy", [](const FixRecall& a) { return a.fix.strategy; }},
          {"shape", [](const FixRecall& a) { return a.fix.shape; }}};
}

double percent(std::size_t part, std::size_t whole) {
  return whole == 0 ? 0.0 : 100.0 * static_cast<double>(part) / static_cast<double>(whole);
}

std::string line(const Row& row) {
  std::string text = fmt::format("{:<46.46} {:>5}", row.name, row.fixes);
  for (const std::size_t count : row.within) {
    text += fmt::format(" {:>6.1f}", percent(count, row.fixes));
  }
  return text + fmt::format(" {:>8.1f}\n", percent(row.anywhere, row.fixes));
}

std::map<MissReason, std::size_t> reasons(const std::vector<FixRecall>& answers) {
  std::map<MissReason, std::size_t> counts;
  for (const FixRecall& answer : answers) ++counts[answer.reason];
  return counts;
}

struct Economy {
  std::size_t total = 0;
  std::size_t median = 0;
  double seconds = 0;
};

Economy economy(const std::vector<FixRecall>& answers) {
  Economy economy;
  std::vector<std::size_t> generated;
  for (const FixRecall& answer : answers) {
    if (!answer.measured()) continue;
    generated.push_back(answer.generated);
    economy.total += answer.generated;
    economy.seconds += answer.cpu_seconds;
  }
  std::ranges::sort(generated);
  if (!generated.empty()) economy.median = generated[generated.size() / 2];
  return economy;
}

}  // namespace

std::string recall_table(const std::vector<FixRecall>& answers) {
  std::string text;
  for (const Grouping& grouping : groupings()) {
    text += fmt::format("{:<46} {:>5} {:>6} {:>6} {:>6} {:>6} {:>8}\n", grouping.name, "fixes",
                        "@1", "@10", "@100", "@1000", "anywhere");
    std::size_t shown = 0;
    for (const Row& row : group(answers, grouping.key)) {
      if (++shown <= 30) text += line(row);
    }
    text += '\n';
  }
  text += "outcome\n";
  for (const auto& [reason, count] : reasons(answers)) {
    text += fmt::format("{:<46} {:>5}\n", to_string(reason), count);
  }
  const Economy sum = economy(answers);
  text += fmt::format(
      "\ncandidates: median {} a fix, {} in all, {:.0f} a CPU-second ({:.0f} CPU-seconds)\n",
      sum.median, sum.total, sum.seconds > 0 ? static_cast<double>(sum.total) / sum.seconds : 0.0,
      sum.seconds);
  return text;
}

Json recall_document(const std::vector<FixRecall>& answers) {
  Json tables = Json::object();
  for (const Grouping& grouping : groupings()) {
    Json rows = Json::array();
    for (const Row& row : group(answers, grouping.key)) {
      Json within = Json::object();
      for (std::size_t i = 0; i < k_cuts.size(); ++i) {
        within[std::to_string(k_cuts[i])] = row.within[i];
      }
      rows.push_back({{"name", row.name},
                      {"fixes", row.fixes},
                      {"within", std::move(within)},
                      {"anywhere", row.anywhere}});
    }
    tables[grouping.name] = std::move(rows);
  }
  Json fixes = Json::array();
  for (const FixRecall& answer : answers) {
    fixes.push_back({{"framework", answer.fix.framework},
                     {"fix_commit", answer.fix.fix_commit},
                     {"strategy", answer.fix.strategy},
                     {"shape", answer.fix.shape},
                     {"rank", answer.rank == 0 ? Json() : Json(answer.rank)},
                     {"generated", answer.generated},
                     {"template", answer.template_id.empty() ? Json() : Json(answer.template_id)},
                     {"outcome", to_string(answer.reason)}});
  }
  return {{"schema", 1}, {"tables", std::move(tables)}, {"fixes", std::move(fixes)}};
}

std::string count_lines(const std::vector<FixRecall>& answers) {
  Counts sum;
  for (const FixRecall& answer : answers) {
    for (const auto& [key, count] : answer.counts) {
      sum[key].candidates += count.candidates;
      sum[key].hits += count.hits;
    }
  }
  std::string text;
  for (const auto& [key, count] : sum) {
    text += fmt::format("{} {} {} {}\n", key.first, key.second, count.candidates, count.hits);
  }
  return text;
}

}  // namespace tenline::corpus
