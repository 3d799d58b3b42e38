#include "engine/report/console.h"

#include <string_view>
#include <vector>

#include "engine/base/text.h"
#include "engine/report/evidence.h"
#include "engine/report/search_summary.h"
#include "engine/report/wording.h"

namespace tenline {
namespace {

constexpr std::size_t k_most_diff_lines = 400;
constexpr std::size_t k_longest_diff_line = 400;
constexpr std::size_t k_most_misses = 3;

/// The text that is being made. Everything untrusted goes through visible_line on its way in.
class Page {
 public:
  explicit Page(Colour colour) : colour_(colour) {}

  enum class Ink { bold, red, green, cyan };

  void line(std::string_view text = {}) { text_.append(text).append("\n"); }
  void line(Ink ink, std::string_view text) {
    line(colour_ == Colour::off ? std::string(text) : fmt::format("{}{}\x1b[0m", code(ink), text));
  }
  /// "label:   value", indented; nothing where there is no value.
  void row(int indent, std::string_view label, std::string_view value) {
    if (value.empty()) return;
    constexpr int k_label_width = 13;
    line(fmt::format("{:{}}{:<{}}{}", "", indent, label, k_label_width, visible_line(value)));
  }
  /// The same for several values below each other.
  void rows(int indent, std::string_view label, const std::vector<std::string>& values) {
    for (const std::string& value : values) {
      row(indent, label, value);
      label = "";
    }
  }
  [[nodiscard]] std::string take() { return std::move(text_); }

 private:
  static std::string_view code(Ink ink) {
    switch (ink) {
      case Ink::bold:
        return "\x1b[1m";
      case Ink::red:
        return "\x1b[31m";
      case Ink::green:
        return "\x1b[32m";
      case Ink::cyan:
        return "\x1b[36m";
    }
    return "";
  }

  Colour colour_;
  std::string text_;
};

std::string headline(const RunReport& report) {
  if (report.failure) return report.failure->outcome;
  const RepairResult& result = report.result;
  switch (result.end) {
    case RepairEnd::patched: {
      std::string number = count_text(result.patches.size(), "patch");
      if (result.patches.empty()) return number;
      return fmt::format("{}, the first with evidence {}", number,
                         to_string(result.patches.front().verdict.level));
    }
    case RepairEnd::no_patch:
      return "no acceptable patch";
    case RepairEnd::not_reproducible:
      return "not reproducible: the check could not tell";
    case RepairEnd::already_fixed:
      return "nothing to repair: the check passes on this revision";
    case RepairEnd::flaky:
      return "flaky: the check fails in some runs only";
    case RepairEnd::needs_gpus:
      return "the check needs GPUs that are not here";
    case RepairEnd::environment:
      return "the check cannot run in this environment";
    case RepairEnd::budget:
      return "the budget was used up before a patch was found";
    case RepairEnd::interrupted:
      return "interrupted; what was done is saved";
  }
  return "";
}

std::string place(const std::string& file, int line, const std::string& function) {
  std::string text = fmt::format("{}:{}", file, line);
  if (!function.empty()) text += fmt::format(" in {}", function);
  return text;
}

std::string tried(const RunReport& report) {
  const RepairResult& result = report.result;
  return fmt::format("{} of {} in {}, {} pass", result.checked.size(),
                     count_text(result.generated, "candidate"), duration_text(report.seconds),
                     count(result.checked, Outcome::passes));
}

void print_head(Page& page, const RunReport& report) {
  page.line(
      fmt::format("tenline {}, run {}", visible_line(report.version), visible_line(report.run_id)));
  page.row(0, "issue:", report.issue_title);
  std::string base = report.repository;
  if (!report.revision.empty()) base += " at " + report.revision.substr(0, 12);
  page.row(0, "repository:", base);
  page.row(0, "check:", report.check);
  page.rows(0, "note:", report.notes);
}

void print_what_happened(Page& page, const RunReport& report) {
  const RepairResult& result = report.result;
  page.line();
  page.line(Page::Ink::bold, visible_line(headline(report)));
  const Reproduction& base = result.reproduction;
  page.row(0, base.reproduced == Reproduced::yes ? "reproduced:" : "before:", base.detail);
  // The line of a search is told by the rows below.
  if (report.failure || (result.generated == 0 && result.detail != base.detail)) {
    page.row(0, "why:", detail(report));
  }
  if (!result.locations.empty()) {
    const Location& first = result.locations.front();
    std::string located = place(first.file, first.line, first.function);
    if (const std::size_t more = result.locations.size() - 1; more > 0) {
      located += fmt::format(" and {}", count_text(more, "other place"));
    }
    page.row(0, "located:", located);
  }
  if (result.generated > 0) page.row(0, "tried:", tried(report));
}

void print_diff(Page& page, std::string_view diff) {
  if (diff.empty()) {
    page.line("(the diff is not here)");
    return;
  }
  std::size_t printed = 0;
  for (const std::string_view raw : split(diff, '\n')) {
    if (printed++ == k_most_diff_lines) {
      page.line("... (the rest is in the patch file)");
      return;
    }
    // Tabs are code; any other control character is shown, carriage returns too.
    const std::string text = visible(raw, k_longest_diff_line);
    const bool is_header = raw.starts_with("diff ") || raw.starts_with("index ") ||
                           raw.starts_with("--- ") || raw.starts_with("+++ ");
    if (is_header) {
      page.line(Page::Ink::bold, text);
    } else if (raw.starts_with("@@")) {
      page.line(Page::Ink::cyan, text);
    } else if (raw.starts_with('+')) {
      page.line(Page::Ink::green, text);
    } else if (raw.starts_with('-')) {
      page.line(Page::Ink::red, text);
    } else {
      page.line(text);
    }
  }
}

void print_patch(Page& page, const RunReport& report, std::size_t index) {
  const CheckedCandidate& patch = report.result.patches[index];
  const Candidate& candidate = patch.candidate;
  const Verdict& verdict = patch.verdict;
  page.line();
  page.line(Page::Ink::bold,
            fmt::format("patch {}: {}", index + 1, visible_line(candidate.summary)));
  page.row(2, "where:", place(candidate.file, candidate.line, candidate.function));
  page.row(
      2, "size:",
      fmt::format("{}, template {}",
                  count_text(static_cast<std::size_t>(candidate.changed_lines), "changed line"),
                  candidate.template_id));
  page.row(2, "evidence:", fmt::format("{}, {}", to_string(verdict.level), meaning(verdict.level)));
  page.rows(2, "checked:", verdict.checked);
  page.rows(2, "not checked:", not_checked(verdict));
  page.rows(2, "why there:", reasons_for(candidate, report.result.locations));
  page.line();
  std::string_view diff = diff_of(report, index);
  if (diff.ends_with('\n')) diff.remove_suffix(1);
  print_diff(page, diff);
  page.line();
  std::string command = "tenline apply " + report.run;
  if (index > 0) command += fmt::format(" --candidate {}", index + 1);
  page.row(0, "apply it:", command);
}

void print_search(Page& page, const RepairResult& result) {
  if (result.checked.empty()) return;
  page.line();
  page.line(Page::Ink::bold, "what was tried");
  page.line(fmt::format("  {:<24} {:<24} {:>5} {:>5} {:>5} {:>5}  {}", "template", "family", "run",
                        "fail", "break", "other", "best"));
  for (const TemplateTally& tally : tally_by_template(result.checked)) {
    const auto number = [&](Outcome outcome) {
      const auto found = tally.outcomes.find(outcome);
      return found == tally.outcomes.end() ? std::size_t{0} : found->second;
    };
    const std::size_t fail = number(Outcome::fails);
    const std::size_t breaks = number(Outcome::breaks_tests);
    page.line(fmt::format("  {:<24} {:<24} {:>5} {:>5} {:>5} {:>5}  {}",
                          visible_line(tally.template_id, 40), to_string(tally.family), tally.run,
                          fail, breaks, tally.run - fail - breaks, to_string(tally.best)));
  }
  const auto misses = nearest_misses(result, k_most_misses);
  if (misses.empty()) return;
  page.line();
  page.line(Page::Ink::bold, "nearest misses");
  for (const CheckedCandidate* miss : misses) {
    page.line(fmt::format("  {}:{}: {}", visible_line(miss->candidate.file), miss->candidate.line,
                          visible_line(miss->candidate.summary)));
    const std::string_view what =
        miss->verdict.outcome == Outcome::breaks_tests ? "breaks" : "fails differently:";
    page.line(fmt::format("    {} {}", what, visible_line(miss->verdict.detail)));
  }
}

}  // namespace

std::string console_report(const RunReport& report, Colour colour) {
  Page page(colour);
  print_head(page, report);
  print_what_happened(page, report);
  if (exit_code(report) != 0) print_search(page, report.result);
  for (std::size_t i = 0; i < report.result.patches.size(); ++i) print_patch(page, report, i);
  const std::vector<std::string> advice = what_would_help(report, report.run);
  if (!advice.empty()) {
    page.line();
    page.line(Page::Ink::bold, "what would help");
    for (const std::string& line : advice) page.line("  - " + visible_line(line));
  }
  return page.take();
}

}  // namespace tenline
