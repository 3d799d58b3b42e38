#include "engine/issue/log_lines.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace tenline {
namespace {

struct Case {
  std::string line;
  std::string text;
  std::string stream;
  int rank;
};

TEST(LogLinesTest, StripsWhatLoggersAndLaunchersPutBeforeALine) {
  const std::vector<Case> cases = {
      {"plain text", "plain text", "", -1},
      {"    x = [a for a in b]", "    x = [a for a in b]", "", -1},
      {"    [a for a in b]", "    [a for a in b]", "", -1},
      {"items[rank0] = 1", "items[rank0] = 1", "", -1},
      {"> quoted", "quoted", "", -1},
      {"> > quoted twice", "quoted twice", "", -1},
      {">   File", "  File", "", -1},
      {"[rank3]: boom", "boom", "rank3 ", 3},
      {"[rank3]:   File", "  File", "rank3 ", 3},
      {"[default0]:  File", " File", "default0 ", 0},
      {"[Rank 12] boom", "boom", "Rank 12 ", 12},
      {"[1,5]<stderr>:boom", "boom", "1,5 ", 5},
      {"[rank0]:[E1019 12:00:00.123 ProcessGroup.cpp:475] boom", "boom", "rank0 ", 0},
      {"[2023-10-18 12:00:01,123] [INFO] [runner.py:452:main] boom", "boom", "", -1},
      {"2024-01-01 12:00:00 boom", "boom", "", -1},
      {"2024-01-01 12:00:00,123 - ERROR - boom", "- boom", "", -1},
      {"2024-01-01T12:00:00Z boom", "boom", "", -1},
      {"12:00:01.5 boom", "boom", "", -1},
      {"(worker pid=123) boom", "boom", "worker pid=123 ", -1},
      {"(f) boom", "(f) boom", "", -1},
      {"ERROR: boom", "boom", "", -1},
      {"ERRORS are bad", "ERRORS are bad", "", -1},
      {"  | boom", "boom", "", -1},
      {"[", "[", "", -1},
  };
  for (const Case& c : cases) {
    const std::vector<LogLine> lines = read_log_lines(c.line);
    ASSERT_EQ(lines.size(), 1U) << c.line;
    EXPECT_EQ(lines[0].text, c.text) << c.line;
    EXPECT_EQ(lines[0].stream, c.stream) << c.line;
    EXPECT_EQ(lines[0].rank, c.rank) << c.line;
  }
}

TEST(LogLinesTest, LearnsALabelFromWhatStandsBeforeAFrame) {
  const std::string text =
      "node1: Traceback (most recent call last):\n"
      "node1:   File \"a.py\", line 3, in f\n"
      "node2: fine\n"
      "7:   File \"a.py\", line 3, in f\n"
      "7: ValueError: bad\n";
  const std::vector<LogLine> lines = read_log_lines(text);
  ASSERT_EQ(lines.size(), 5U);
  EXPECT_EQ(lines[0].text, "Traceback (most recent call last):");
  EXPECT_EQ(lines[0].stream, "node1 ");
  EXPECT_EQ(lines[0].rank, -1);
  EXPECT_EQ(lines[2].text, "node2: fine");
  EXPECT_EQ(lines[4].text, "ValueError: bad");
  EXPECT_EQ(lines[4].rank, 7);
}

}  // namespace
}  // namespace tenline
