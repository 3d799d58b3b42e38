#include "engine/report/progress.h"

#include <gtest/gtest.h>

namespace tenline {
namespace {

TEST(ProgressTextTest, SaysCountsRateAndTimeLeft) {
  const std::pair<ProgressState, const char*> cases[] = {
      {{.stage = "reproducing"}, "reproducing"},
      {{.done = 0, .planned = 412}, "checking 0/412, 0 pass"},
      {{.done = 37, .planned = 412, .passing = 2, .per_second = 1.1},
       "checking 37/412, 2 pass, 1.1/s, 6 min left"},
      {{.done = 37, .planned = 412, .passing = 2, .per_second = 0.05},
       "checking 37/412, 2 pass, 3.0/min, 2 h 5 min left"},
      {{.done = 400, .planned = 412, .per_second = 250},
       "checking 400/412, 0 pass, 250/s, 0.0 s left"},
      {{.done = 412, .planned = 412, .passing = 1, .per_second = 2},
       "checking 412/412, 1 pass, 2.0/s"},
      {{.done = 500, .planned = 412, .per_second = 2}, "checking 500/412, 0 pass, 2.0/s"},
      {{.done = 1, .planned = 2, .per_second = 1e-300},
       "checking 1/2, 0 pass, 0.0/min, 27777 h 47 min left"},
  };
  for (const auto& [state, expected] : cases) EXPECT_EQ(progress_text(state), expected);
}

struct ProgressTest : ::testing::Test {
  double time = 1000;
  std::function<double()> clock = [this] { return time; };
};

TEST_F(ProgressTest, ATerminalLineIsRewrittenTenTimesASecondAtMost) {
  Progress progress(Progress::Target::terminal, clock);
  int printed = 0;
  for (std::size_t i = 0; i < 1000; ++i) {  // Ten seconds in steps of ten milliseconds.
    const auto text = progress.update({.done = i, .planned = 1000});
    if (text) {
      ++printed;
      EXPECT_TRUE(text->starts_with("\r") && text->ends_with("\x1b[K")) << *text;
      EXPECT_EQ(text->find('\n'), std::string::npos);
    }
    EXPECT_TRUE(text || i > 0) << "the first state is shown at once";
    time += 0.01;
  }
  EXPECT_GE(printed, 80);
  EXPECT_LE(printed, 100);
}

TEST_F(ProgressTest, ALogHasALinePerTenSeconds) {
  Progress progress(Progress::Target::lines, clock);
  std::string log;
  for (std::size_t i = 0; i < 50; ++i) {
    log += progress.update({.done = i, .planned = 100, .passing = 1}).value_or("");
    time += 1;
  }
  EXPECT_EQ(log,
            "checking 10/100, 1 pass, 1.0/s, 90 s left\n"
            "checking 20/100, 1 pass, 1.0/s, 80 s left\n"
            "checking 30/100, 1 pass, 1.0/s, 70 s left\n"
            "checking 40/100, 1 pass, 1.0/s, 60 s left\n");
  EXPECT_EQ(progress.clear(), "");
}

TEST_F(ProgressTest, ARunOfLessThanTenSecondsLeavesNoLineInALog) {
  Progress progress(Progress::Target::lines, clock);
  for (std::size_t i = 0; i < 9; ++i) {
    EXPECT_FALSE(progress.update({.done = i, .planned = 9}));
    time += 1;
  }
}

TEST_F(ProgressTest, ATerminalLineIsClearedOnce) {
  Progress progress(Progress::Target::terminal, clock);
  EXPECT_EQ(progress.clear(), "");
  ASSERT_TRUE(progress.update({.stage = "reproducing"}));
  EXPECT_EQ(progress.clear(), "\r\x1b[K");
  EXPECT_EQ(progress.clear(), "");
}

TEST_F(ProgressTest, RememberedAnswersDoNotSpoilTheRateForLong) {
  Progress progress(Progress::Target::lines, clock);
  std::string last;
  std::size_t done = 300;  // A resumed run: three hundred at once, then one a second.
  for (int second = 0; second <= 120; ++second, ++done) {
    last = progress.update({.done = done, .planned = 1000}).value_or(last);
    time += 1;
  }
  EXPECT_NE(last.find(", 1.0/s, "), std::string::npos) << last;
}

TEST_F(ProgressTest, ANewStageStartsItsOwnRate) {
  Progress progress(Progress::Target::lines, clock);
  EXPECT_FALSE(progress.update({.stage = "reproducing"}));
  time += 100;
  EXPECT_EQ(progress.update({.stage = "checking", .done = 0, .planned = 50}),
            "checking 0/50, 0 pass\n");
  time += 10;
  EXPECT_EQ(progress.update({.stage = "checking", .done = 20, .planned = 50}),
            "checking 20/50, 0 pass, 2.0/s, 15 s left\n");
}

}  // namespace
}  // namespace tenline
