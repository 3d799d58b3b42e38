#include "engine/report/wording.h"

#include <gtest/gtest.h>

#include <limits>

namespace tenline {
namespace {

TEST(VisibleTest, LeavesOrdinaryTextAlone) {
  for (const char* text :
       {"", "plain", "tab\there\nand a line", "äöü €", "\xf0\x9f\x98\x80 日本語", "a\\x1b"}) {
    EXPECT_EQ(visible(text), text);
  }
}

TEST(VisibleTest, WritesOutWhatDrivesATerminal) {
  const std::pair<std::string, std::string> cases[] = {
      {"\x1b[31mred", "\\x1b[31mred"},
      {"bell\a", "bell\\x07"},
      {"over\rwrite", "over\\rwrite"},
      {"back\b", "back\\x08"},
      {"del\x7f", "del\\x7f"},
      {"c1 \xc2\x9b"
       "2J",
       "c1 \\u009b2J"},
      // NOLINTBEGIN(misc-misleading-bidirectional): what is to be made visible.
      {"bidi \xe2\x80\xae gnp", "bidi \\u202e gnp"},
      {"isolate \xe2\x81\xa6", "isolate \\u2066"},
      // NOLINTEND(misc-misleading-bidirectional)
      {"zero\xe2\x80\x8bwidth", "zero\\u200bwidth"},
      {"line\xe2\x80\xa8sep", "line\\u2028sep"},
      {"\xef\xbb\xbf"
       "bom",
       "\\ufeffbom"},
      {"tag \xf3\xa0\x80\x81", "tag \\U000e0001"},
      {"bad \xff\xc3", "bad \xef\xbf\xbd\xef\xbf\xbd"},
  };
  for (const auto& [text, expected] : cases) EXPECT_EQ(visible(text), expected);
}

TEST(VisibleTest, NoByteOfAnyTwoGetsThrough) {
  for (int first = 0; first < 256; ++first) {
    for (int second = 0; second < 256; ++second) {
      const std::string text = {static_cast<char>(first), static_cast<char>(second)};
      for (const char c : visible_line(text)) {
        const auto byte = static_cast<unsigned char>(c);
        EXPECT_TRUE(byte >= 0x20 && byte != 0x7f) << first << ' ' << second;
      }
    }
  }
}

TEST(VisibleLineTest, IsOneLineOfLimitedLength) {
  EXPECT_EQ(visible_line("a\nb\tc"), "a\\nb\\tc");
  EXPECT_EQ(visible_line("abcdef", 6), "abcdef");
  EXPECT_EQ(visible_line("abcdefg", 6), "abcdef...");
  EXPECT_EQ(visible_line("ääää", 3), "äää...");
  EXPECT_EQ(visible_line("", 0), "");
  EXPECT_EQ(visible_line("x", 0), "...");
  // NOLINTNEXTLINE(bugprone-string-constructor): it is meant to be huge.
  EXPECT_EQ(visible_line(std::string(50'000'000, 'x'), 5), "xxxxx...");
}

TEST(DurationTest, IsShortAndRounded) {
  const double infinite = std::numeric_limits<double>::infinity();
  const std::pair<double, const char*> cases[] = {
      {0, "0.0 s"},
      {0.44, "0.4 s"},
      {9.94, "9.9 s"},
      {9.96, "10 s"},
      {41.2, "41 s"},
      {89.4, "89 s"},
      {90, "90 s"},
      {119.6, "2 min"},
      {300, "5 min"},
      {5340, "89 min"},
      {5400, "1 h 30 min"},
      {7500, "2 h 5 min"},
      {-3, "0.0 s"},
      {1e300, "27777 h 47 min"},
      {infinite, "27777 h 47 min"},
      {std::numeric_limits<double>::quiet_NaN(), "0.0 s"},
  };
  for (const auto& [seconds, expected] : cases) EXPECT_EQ(duration_text(seconds), expected);
}

TEST(CountTest, HasThePlural) {
  EXPECT_EQ(count_text(0, "candidate"), "0 candidates");
  EXPECT_EQ(count_text(1, "patch"), "1 patch");
  EXPECT_EQ(count_text(2, "patch"), "2 patches");
}

}  // namespace
}  // namespace tenline
