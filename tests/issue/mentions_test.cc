#include "engine/issue/mentions.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "engine/issue/read_issue.h"

namespace tenline {
namespace {

using Strings = std::vector<std::string>;

TEST(MentionsTest, FindsTheNamesOfCode) {
  struct Case {
    std::string text;
    Strings names;
  };
  const std::vector<Case> cases = {
      {"Nothing here looks like code at all.", {}},
      {"call `step` twice", {"step"}},
      {"calling step() twice", {"step"}},
      {"the load_state flag", {"load_state"}},
      {"in DataLoader", {"DataLoader"}},
      {"Loader.run(x, strict=False)", {"Loader.run", "run", "strict"}},
      {"a.b.ZeroInit.make fails", {"a.b.ZeroInit.make", "ZeroInit", "make"}},
      {"'Timer' object has no attribute 'name'", {"Timer", "name"}},
      {"got an unexpected keyword 'x1'", {"x1"}},
      {"run with --ssh-port 22", {"ssh_port"}},
      {"see utils/zero_to_fp32.py", {"zero_to_fp32"}},
      {"e.g. this, i.e. that. It's fine.Then more", {"fine.Then", "Then"}},
      {"if `self.size is not None` then", {"self.size", "size"}},
      {"see https://example.org/some_page/CamelCase", {}},
      {"f_a f_b f_a", {"f_a", "f_b"}},
      {"___ and _", {}},
      {"x == 3 or y = 4", {}},
  };
  for (const Case& c : cases) {
    const Result<BugReport> report = read_issue(c.text);
    ASSERT_TRUE(report.has_value()) << c.text;
    EXPECT_EQ(report->names, c.names) << c.text;
  }
}

TEST(MentionsTest, FindsLiteralsInCode) {
  struct Case {
    std::string text;
    Strings literals;
  };
  const std::vector<Case> cases = {
      {"I tried 3 times with version 1.13 here", {}},
      {"is_new('0.5.0', check=False)", {"'0.5.0'"}},
      {"f(3, x=1e-4, y=-0.5)", {"3", "1e-4", "0.5"}},
      {"`stage 2` or \"bf16\" or 'bf16'", {"2", "\"bf16\""}},
      {"it doesn't and can't", {}},
      {"ValueError: unknown stage 1", {"1"}},
      {"at (936e930)", {}},
      {"(2x) (v1) (1.2.3)", {}},
      {"{'a': [], 'b': 'c'}", {"'a'", "'b'", "'c'"}},
      {"'" + std::string(200, 'x') + "'", {}},
  };
  for (const Case& c : cases) {
    const Result<BugReport> report = read_issue(c.text);
    ASSERT_TRUE(report.has_value()) << c.text;
    EXPECT_EQ(report->literals, c.literals) << c.text;
  }
}

TEST(MentionsTest, SplitsIdentifiersIntoWords) {
  const Result<BugReport> report = read_issue("The getRank_of WORKER, the end");
  ASSERT_TRUE(report.has_value());
  EXPECT_EQ(report->words, (Strings{"the", "get", "rank", "of", "worker", "the", "end"}));
}

TEST(MentionsTest, TakesFunctionsOfFramesButNotOfLibraries) {
  const Result<BugReport> report = read_issue(
      "Traceback (most recent call last):\n"
      "  File \"pkg/engine.py\", line 3, in take_step\n"
      "    x = all_reduce(grads)\n"
      "  File \"/usr/lib/python3/dist-packages/torch/d.py\", line 3, in inner_call\n"
      "ValueError: bad\n");
  ASSERT_TRUE(report.has_value());
  EXPECT_EQ(report->names, (Strings{"take_step", "all_reduce", "ValueError"}));
  EXPECT_EQ(std::count(report->words.begin(), report->words.end(), "engine"), 1);
  EXPECT_EQ(std::count(report->words.begin(), report->words.end(), "recent"), 0);
}

}  // namespace
}  // namespace tenline
