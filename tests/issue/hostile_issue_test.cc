// Issue texts come from anybody: no text may crash the reader or take it longer than a moment.

#include <gtest/gtest.h>

#include <ctime>
#include <string>
#include <utility>
#include <vector>

#include "engine/base/text.h"
#include "engine/issue/read_issue.h"

namespace tenline {
namespace {

std::string repeat(const std::string& part, std::size_t bytes = k_max_issue_bytes) {
  std::string text;
  text.reserve(bytes);
  while (text.size() + part.size() <= bytes) text += part;
  return text;
}

std::string numbered(const std::string& before, const std::string& after) {
  std::string text;
  for (int i = 0;; ++i) {
    const std::string line = fmt::format("{}{}{}", before, i, after);
    if (text.size() + line.size() > k_max_issue_bytes) return text;
    text += line;
  }
}

TEST(HostileIssueTest, ReadsAMegabyteOfAnythingInAMoment) {
  const std::vector<std::pair<std::string, std::string>> cases = {
      {"brackets", repeat("[")},
      {"parentheses", repeat("(")},
      {"quotes", repeat("'")},
      {"spaced quotes", repeat("' ")},
      {"double quotes", repeat(" \"a")},
      {"ticks", repeat("`")},
      {"dots", repeat("a.")},
      {"one name", repeat("a")},
      {"underscores", repeat("_")},
      {"digits", repeat("1")},
      {"numbers", repeat("1.")},
      {"exponents", repeat("1e")},
      {"quote marks", repeat("> ")},
      {"bars", repeat("|")},
      {"frame begins", repeat("File \"")},
      {"frame begin lines", repeat("File \"\n")},
      {"frames in one line", repeat("File \"a\", line 1, in f ")},
      {"frames", repeat("  File \"a.py\", line 1, in f\n")},
      {"headers", repeat("Traceback (most recent call last):\n")},
      {"errors", numbered("ValueError: ", "\n")},
      {"errors in one line", repeat("x ValueError: a ")},
      {"error names in one line", repeat("ValueError ")},
      {"quoted errors", repeat("x KeyError 'a")},
      {"a million ranks", numbered("[rank", "]: Traceback (most recent call last):\n")},
      {"learned labels", numbered("n", ":  File \"a\", line 1\n")},
      {"label ends", repeat("x: File \"a\", line 1\n" + std::string(60, ':') + "\n")},
      {"messages", "ValueError: a\n" + repeat(" a\n", k_max_issue_bytes - 100)},
      {"empty lines", "x" + repeat("\n", k_max_issue_bytes - 1)},
      {"escapes", "x" + repeat("\x1b[", k_max_issue_bytes - 1)},
      {"links", repeat("http://")},
      {"flags", repeat("--a-")},
  };
  for (const auto& [label, text] : cases) {
    const std::clock_t begin = std::clock();  // Of the processor: the machine may be busy.
    const Result<BugReport> report = read_issue(text);
    const double taken = static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
    EXPECT_TRUE(report.has_value()) << label;
    // Far above what is needed, far below anything quadratic.
    EXPECT_LT(taken, 4.0) << label;
  }
}

TEST(HostileIssueTest, RefusesWhatIsNoIssue) {
  struct Case {
    std::string label;
    std::string text;
    ErrorCode code;
  };
  std::string bytes;
  for (int i = 0; i < 4096; ++i) bytes += static_cast<char>(1 + (i * 37) % 255);
  const std::vector<Case> cases = {
      {"nothing", "", ErrorCode::invalid_input},
      {"blanks", " \n\t\r\n ", ErrorCode::invalid_input},
      {"NUL", std::string("ELF\0\0", 5), ErrorCode::invalid_input},
      {"random bytes", bytes, ErrorCode::invalid_input},
      {"too large", std::string(k_max_issue_bytes + 1, 'a'), ErrorCode::limit},
      {"only colours", "\x1b[31m\x1b[0m", ErrorCode::invalid_input},
  };
  for (const Case& c : cases) {
    const Result<BugReport> report = read_issue(c.text);
    ASSERT_FALSE(report.has_value()) << c.label;
    EXPECT_EQ(report.error().code, c.code) << c.label;
    EXPECT_FALSE(report.error().message.empty()) << c.label;
  }
}

TEST(HostileIssueTest, RepairsInvalidUtf8) {
  const Result<BugReport> report = read_issue("ValueError: caf\xE9 is no na\xC3\xAFve value\n");
  ASSERT_TRUE(report.has_value());
  EXPECT_TRUE(is_valid_utf8(report->text));
  ASSERT_EQ(report->errors.size(), 1U);
  EXPECT_EQ(report->errors[0].message, "caf\xEF\xBF\xBD is no na\xC3\xAFve value");
}

TEST(HostileIssueTest, IgnoresFramesWithImpossibleLines) {
  for (const std::string line : {"99999999999999999999", "-1", "x", ""}) {
    const Result<BugReport> report = read_issue("  File \"a.py\", line " + line + ", in f\n");
    ASSERT_TRUE(report.has_value()) << line;
    EXPECT_TRUE(report->tracebacks.empty()) << line;
  }
}

}  // namespace
}  // namespace tenline
