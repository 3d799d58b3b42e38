#include "engine/issue/read_issue.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "engine/base/text.h"
#include "engine/issue/log_lines.h"
#include "engine/issue/mentions.h"
#include "engine/issue/tracebacks.h"

namespace tenline {

namespace {

/// Text has no NUL and few control characters or bytes that are not UTF-8.
bool is_binary(std::string_view text, std::string_view repaired) {
  if (text.find('\0') != std::string_view::npos) return true;
  const auto control = static_cast<std::size_t>(std::count_if(text.begin(), text.end(), [](char c) {
    const auto byte = static_cast<unsigned char>(c);
    return byte < 0x20 && c != '\n' && c != '\r' && c != '\t' && c != '\f' && c != '\x1B';
  }));
  // Each bad byte becomes three.
  const std::size_t bad = (repaired.size() - text.size()) / 2;
  return (control + bad) * 10 > text.size() * 3;
}

/// Without the colours of terminals: ESC [ ... letter.
std::string without_colours(std::string_view text) {
  std::string result;
  result.reserve(text.size());
  for (std::size_t at = 0; at < text.size(); ++at) {
    if (text[at] != '\x1B') {
      result += text[at];
      continue;
    }
    if (at + 1 >= text.size() || text[at + 1] != '[') continue;
    ++at;
    while (at + 1 < text.size() && text[at + 1] >= '0' && text[at + 1] <= '?') ++at;
    if (at + 1 < text.size() && text[at + 1] >= '@' && text[at + 1] <= '~') ++at;
  }
  return result;
}

}  // namespace

Result<BugReport> read_issue(std::string_view text) {
  if (text.size() > k_max_issue_bytes) {
    return fail(ErrorCode::limit, fmt::format("the issue has {} bytes; at most {} are read",
                                              text.size(), k_max_issue_bytes));
  }
  const std::string repaired = to_valid_utf8(text);
  if (is_binary(text, repaired)) return fail(ErrorCode::invalid_input, "the issue is not text");
  std::string clean = without_colours(repaired);
  if (trim(clean).empty()) return fail(ErrorCode::invalid_input, "the issue is empty");

  BugReport report;
  report.text = std::move(clean);
  std::vector<LogLine> lines = read_log_lines(report.text);
  FoundTracebacks found = find_tracebacks(lines);
  report.tracebacks = std::move(found.tracebacks);
  report.errors = std::move(found.errors);
  collect_mentions(lines, report);
  return report;
}

}  // namespace tenline
