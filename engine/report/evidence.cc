#include "engine/report/evidence.h"

#include <algorithm>
#include <array>

#include "engine/report/wording.h"

namespace tenline {
namespace {

constexpr std::array k_levels = {Level::e0, Level::e1, Level::e2, Level::e3, Level::e4};

/// What a level would have run.
std::string_view subject_of(Level level) {
  switch (level) {
    case Level::none:
    case Level::e0:
      return "whether it parses";
    case Level::e1:
      return "the reproduction";
    case Level::e2:
      return "the affected tests";
    case Level::e3:
      return "the whole CPU test suite";
    case Level::e4:
      return "GPU tests";
  }
  return "";
}

std::string place(const Candidate& candidate) {
  std::string text = fmt::format("{}:{}", candidate.file, candidate.line);
  if (!candidate.function.empty()) text += fmt::format(" ({})", candidate.function);
  return text;
}

/// Untrusted text for a commit message: forges read "fixes #1", "@name" and addresses in there.
std::string defused(std::string_view text, std::size_t limit = 200) {
  const std::string line = visible_line(text, limit);
  std::string out;
  for (std::size_t i = 0; i < line.size(); ++i) {
    const std::string_view rest = std::string_view(line).substr(i);
    if (rest.starts_with("://")) out += ' ';
    if (rest.starts_with("GH-")) {
      out += "GH -";
      i += 2;
      continue;
    }
    out += line[i];
    if (line[i] == '#' || line[i] == '@') out += ' ';
  }
  return out;
}

void add_list(std::string& text, std::string_view title, const std::vector<std::string>& lines) {
  if (lines.empty()) return;
  text += fmt::format("\n{}:\n", title);
  for (const std::string& line : lines) text += fmt::format("  - {}\n", defused(line));
}

std::string evidence_table(const Verdict& verdict) {
  std::string table = fmt::format("\nEvidence {}:\n", to_string(verdict.level));
  for (const Level level : k_levels) {
    table += fmt::format("  {}  {:<11}  {}\n", to_string(level),
                         level <= verdict.level ? "yes" : "not checked", meaning(level));
  }
  return table;
}

}  // namespace

std::string_view meaning(Level level) {
  switch (level) {
    case Level::none:
      return "nothing was checked";
    case Level::e0:
      return "it parses";
    case Level::e1:
      return "the reproduction passes";
    case Level::e2:
      return "the affected tests still pass";
    case Level::e3:
      return "the whole CPU test suite passes";
    case Level::e4:
      return "GPU tests pass";
  }
  return "";
}

std::vector<std::string> not_checked(const Verdict& verdict) {
  std::vector<std::string> below;  // The oracle's lines say why these levels were not reached.
  std::vector<std::string> above;
  for (const Level level : k_levels) {
    const auto names_level = [&](const std::string& line) {
      return line.find(to_string(level)) != std::string::npos ||
             line.find(subject_of(level)) != std::string::npos;
    };
    if (level <= verdict.level || std::ranges::any_of(verdict.not_checked, names_level)) continue;
    auto& lines = level <= Level::e2 ? below : above;
    lines.push_back(fmt::format("{} ({})", subject_of(level), to_string(level)));
  }
  below.insert(below.end(), verdict.not_checked.begin(), verdict.not_checked.end());
  below.insert(below.end(), above.begin(), above.end());
  return below;
}

std::vector<std::string> reasons_for(const Candidate& candidate,
                                     const std::vector<Location>& locations) {
  const Location* found = nullptr;
  for (const Location& location : locations) {
    if (location.file != candidate.file) continue;
    if (location.line == candidate.line) return location.reasons;
    if (found == nullptr && location.function == candidate.function) found = &location;
  }
  return found == nullptr ? std::vector<std::string>() : found->reasons;
}

std::string why(const Candidate& candidate, const std::vector<Location>& locations) {
  std::string text = fmt::format("{} in {}", candidate.summary, place(candidate));
  const std::vector<std::string> reasons = reasons_for(candidate, locations);
  if (!reasons.empty()) text += fmt::format(": {}", fmt::join(reasons, "; "));
  return text;
}

std::string commit_subject(const Candidate& candidate) {
  constexpr std::size_t k_longest = 72;
  const std::string_view path = candidate.file;
  const std::string_view name = path.substr(path.find_last_of('/') + 1);
  const std::string subject =
      fmt::format("{}: {}", name.substr(0, name.rfind('.')), candidate.summary);
  std::string text = defused(subject, k_longest);
  // The cut above counts what is read, so spaces that were added can still make it too long.
  for (std::size_t limit = k_longest - 3; text.size() > k_longest && limit > 0; --limit) {
    text = defused(subject, limit);
  }
  return text;
}

std::string commit_body(const RunReport& report, std::size_t index) {
  TENLINE_CHECK(index < report.result.patches.size(), "no such patch");
  const CheckedCandidate& patch = report.result.patches[index];
  std::string body = fmt::format("What:\n  {}\n  in {}\n", defused(patch.candidate.summary),
                                 defused(place(patch.candidate)));
  body += "\nWhy:\n";
  if (!report.issue_title.empty())
    body += fmt::format("  issue: {}\n", defused(report.issue_title));
  if (!report.result.reproduction.detail.empty()) {
    body += fmt::format("  before: {}\n", defused(report.result.reproduction.detail));
  }
  for (const std::string& reason : reasons_for(patch.candidate, report.result.locations)) {
    body += fmt::format("  - {}\n", defused(reason));
  }
  body += evidence_table(patch.verdict);
  add_list(body, "Checked", patch.verdict.checked);
  add_list(body, "Not checked", not_checked(patch.verdict));
  add_list(body, "Notes", report.notes);
  body += fmt::format("\nHow to reproduce:\n  on {}, without and with this change:\n",
                      defused(report.revision));
  if (!report.check.empty()) body += fmt::format("  {}\n", defused(report.check));
  body += fmt::format("\nProposed by tenline {}, template {}, run {}.\n", report.version,
                      defused(patch.candidate.template_id), report.run_id);
  return body;
}

}  // namespace tenline
