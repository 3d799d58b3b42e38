#include "engine/core/repair.h"

#include <gtest/gtest.h>

#include <map>

#include "tests/fakes.h"

namespace tenline {
namespace {

Candidate candidate(int number, double score) {
  Candidate made;
  made.id = "c" + std::to_string(number);
  made.template_id = "replace-name";
  made.edits = {{"x.py", {0, 1}, made.id}};
  made.score = score;
  made.changed_lines = 2;
  return made;
}

class RepairTest : public testing::Test {
 protected:
  /// `count` candidates c1, c2, ... in falling order of score.
  void propose(int count) {
    proposer_.candidates.clear();
    for (int i = 1; i <= count; ++i) proposer_.candidates.push_back(candidate(i, 1.0 / i));
  }
  /// These candidates pass; all others fail.
  void let_pass(const std::set<std::string>& ids) {
    oracle_.answer = [ids](const Candidate& c) {
      return ids.contains(c.id) ? FakeOracle::verdict(Outcome::passes, Level::e1)
                                : FakeOracle::verdict(Outcome::fails, Level::e0);
    };
  }
  Result<RepairResult> run(const Budget& budget = {}, StopRequest stop = {}) {
    const RepairParts parts{oracle_, locator_, {&proposer_, &second_}, observer_, std::move(stop)};
    return repair({}, parts, budget);
  }
  static std::vector<std::size_t> positions(const std::vector<CheckedCandidate>& candidates) {
    std::vector<std::size_t> result;
    result.reserve(candidates.size());
    for (const CheckedCandidate& c : candidates) result.push_back(c.position);
    return result;
  }

  FakeOracle oracle_;
  FakeLocator locator_;
  FakeProposer proposer_;
  FakeProposer second_;
  RecordingObserver observer_;
};

TEST_F(RepairTest, WhatWasPutOffIsAskedAgainInTheEnd) {
  propose(40);
  std::set<std::string> seen;
  oracle_.answer = [&seen](const Candidate& c) {
    const bool first = seen.insert(c.id).second;
    if (first && (c.id == "c2" || c.id == "c29")) {
      return FakeOracle::verdict(Outcome::put_off, Level::none);
    }
    return FakeOracle::verdict(c.id == "c2" || c.id == "c5" ? Outcome::passes : Outcome::fails,
                               Level::e1);
  };
  const Result<RepairResult> result = run();
  ASSERT_TRUE(result);
  EXPECT_EQ(positions(result->patches), (std::vector<std::size_t>{2, 5}));
  EXPECT_TRUE(seen.contains("c30"));       // The one at 5 ended the search there;
  EXPECT_EQ(result->checked.size(), 24U);  // then the one at 2 ended it earlier, before 29.
}

TEST_F(RepairTest, ABudgetThatEndsWhileReproducingIsNoInterruption) {
  oracle_.reproduction = fail(ErrorCode::cancelled, "cancelled");
  EXPECT_EQ(run()->end, RepairEnd::budget);
  EXPECT_EQ(run({}, [] { return true; })->end, RepairEnd::interrupted);
}

TEST_F(RepairTest, EndsWithWhatTheReproductionSays) {
  struct {
    Reproduced reproduced;
    RepairEnd end;
  } cases[] = {
      {Reproduced::already_fixed, RepairEnd::already_fixed},
      {Reproduced::flaky, RepairEnd::flaky},
      {Reproduced::not_reproducible, RepairEnd::not_reproducible},
      {Reproduced::needs_gpus, RepairEnd::needs_gpus},
      {Reproduced::environment, RepairEnd::environment},
  };
  propose(3);
  for (const auto& c : cases) {
    oracle_.reproduction->reproduced = c.reproduced;
    oracle_.reproduction->detail = "why";
    const Result<RepairResult> result = run();
    ASSERT_TRUE(result);
    EXPECT_EQ(result->end, c.end);
    EXPECT_EQ(result->detail, "why");
    EXPECT_TRUE(oracle_.asked.empty());
  }
}

TEST_F(RepairTest, PassesOnAFailureOfTheInfrastructure) {
  oracle_.reproduction = fail(ErrorCode::unavailable, "bubblewrap is missing");
  const Result<RepairResult> result = run();
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().code, ErrorCode::unavailable);
  EXPECT_NE(result.error().message.find("bubblewrap is missing"), std::string::npos);
}

TEST_F(RepairTest, MergesProposersByScoreAndDropsDuplicates) {
  proposer_.candidates = {candidate(1, 0.9), candidate(2, 0.3)};
  second_.candidates = {candidate(3, 0.5), candidate(1, 0.4)};
  const Result<RepairResult> result = run({.jobs = 1});
  ASSERT_TRUE(result);
  EXPECT_EQ(result->generated, 3U);
  ASSERT_EQ(oracle_.asked.size(), 3U);
  EXPECT_EQ(oracle_.asked[0].id, "c1");
  EXPECT_EQ(oracle_.asked[1].id, "c3");
  EXPECT_EQ(oracle_.asked[2].id, "c2");
  EXPECT_EQ(result->end, RepairEnd::no_patch);
}

TEST_F(RepairTest, WithoutCandidatesThereIsNoPatch) {
  const Result<RepairResult> result = run();
  ASSERT_TRUE(result);
  EXPECT_EQ(result->end, RepairEnd::no_patch);
  EXPECT_EQ(result->detail, "0 of 0 candidates tried, none passes the check");
}

TEST_F(RepairTest, GoesOnToTwiceThePositionOfTheFirstPatchPlusTwenty) {
  propose(100);
  let_pass({"c3", "c26", "c27"});
  const Result<RepairResult> result = run({.jobs = 1});
  ASSERT_TRUE(result);
  EXPECT_EQ(result->end, RepairEnd::patched);
  EXPECT_EQ(positions(result->patches), (std::vector<std::size_t>{3, 26}));
  EXPECT_EQ(result->checked.size(), 26U);
}

TEST_F(RepairTest, GoesOnLongerWhereWhatPassesOnlyTakesCodeAway) {
  propose(100);
  for (const std::size_t i : {1U, 2U, 3U}) proposer_.candidates[i].template_id = "delete-statement";
  let_pass({"c2", "c3", "c4", "c20", "c61", "c68", "c69"});
  const Result<RepairResult> found = run({.top = 3, .jobs = 1});
  ASSERT_TRUE(found);
  EXPECT_EQ(found->checked.size(), 60U) << "c20 convinces";
  proposer_.candidates[19].template_id = "delete-block";
  const Result<RepairResult> none = run({.top = 3, .jobs = 1});
  ASSERT_TRUE(none);
  EXPECT_EQ(none->checked.size(), 68U);
  const Result<RepairResult> together = run({.top = 3, .jobs = 4});
  ASSERT_TRUE(together);
  EXPECT_EQ(positions(together->patches), positions(none->patches));
}

TEST_F(RepairTest, StopsWhenEnoughPatchesAreFound) {
  propose(100);
  let_pass({"c2", "c4", "c5", "c6"});
  const Result<RepairResult> result = run({.top = 2, .jobs = 1});
  ASSERT_TRUE(result);
  EXPECT_EQ(positions(result->patches), (std::vector<std::size_t>{2, 4}));
  EXPECT_EQ(result->checked.size(), 4U);
}

TEST_F(RepairTest, RunsAtMostMaxCandidates) {
  propose(100);
  const Result<RepairResult> result = run({.max_candidates = 7});
  ASSERT_TRUE(result);
  EXPECT_EQ(result->end, RepairEnd::no_patch);
  EXPECT_EQ(result->checked.size(), 7U);
  EXPECT_EQ(result->generated, 100U);
}

TEST_F(RepairTest, GivesTheSameResultForAnyNumberOfJobs) {
  propose(120);
  let_pass({"c9", "c17", "c30", "c38", "c39", "c60"});
  oracle_.answer_tests = [](const Candidate& c) {
    return c.id == "c17" ? FakeOracle::verdict(Outcome::breaks_tests, Level::e1, "t")
                         : FakeOracle::verdict(Outcome::passes, Level::e2);
  };
  // Passing candidates answer late, so that threads run ahead of them.
  oracle_.before_answer = [](const Candidate& c, Level) {
    std::this_thread::sleep_for(std::chrono::microseconds(c.id == "c9" ? 8000 : 300));
  };
  for (const std::size_t top : {3U, 5U}) {
    const Result<RepairResult> alone = run({.top = top, .jobs = 1});
    ASSERT_TRUE(alone);
    for (const int jobs : {2, 3, 8}) {
      const Result<RepairResult> together = run({.top = top, .jobs = jobs});
      ASSERT_TRUE(together);
      EXPECT_EQ(positions(together->patches), positions(alone->patches)) << jobs;
      EXPECT_EQ(positions(together->checked), positions(alone->checked)) << jobs;
      EXPECT_EQ(together->detail, alone->detail);
    }
  }
  EXPECT_FALSE(observer_.overlapped);
}

TEST_F(RepairTest, GivesEachThreadASlotOfItsOwn) {
  propose(40);
  std::mutex mutex;
  std::map<std::thread::id, std::set<int>> slots;
  oracle_.answer = [&](const Candidate&) {
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
    return FakeOracle::verdict(Outcome::fails, Level::e0);
  };
  ASSERT_TRUE(run({.jobs = 4}));
  std::set<int> used;
  for (const auto& asked : oracle_.asked) used.insert(asked.slot);
  EXPECT_EQ(used, (std::set<int>{0, 1, 2, 3}));
}

TEST_F(RepairTest, HidesCandidatesThatBreakTests) {
  propose(30);
  let_pass({"c2", "c3"});
  oracle_.answer_tests = [](const Candidate& c) {
    if (c.id == "c2") return FakeOracle::verdict(Outcome::breaks_tests, Level::e1, "tests/t.py::t");
    Verdict good = FakeOracle::verdict(Outcome::passes, Level::e2);
    good.checked = {"12 tests in 2 files still pass"};
    return good;
  };
  const Result<RepairResult> result = run();
  ASSERT_TRUE(result);
  ASSERT_EQ(positions(result->patches), (std::vector<std::size_t>{3}));
  EXPECT_EQ(result->patches[0].verdict.level, Level::e2);
  EXPECT_EQ(result->patches[0].verdict.checked,
            (std::vector<std::string>{"12 tests in 2 files still pass"}));
  EXPECT_EQ(result->patches[0].verdict.runs, 2);
  EXPECT_EQ(result->checked[1].verdict.outcome, Outcome::breaks_tests);
  EXPECT_EQ(result->checked[1].verdict.detail, "tests/t.py::t");
}

TEST_F(RepairTest, SaysSoWhenOnlyTestBreakersPassed) {
  propose(3);
  let_pass({"c2"});
  oracle_.answer_tests = [](const Candidate&) {
    return FakeOracle::verdict(Outcome::breaks_tests, Level::e1, "t");
  };
  const Result<RepairResult> result = run();
  ASSERT_TRUE(result);
  EXPECT_EQ(result->end, RepairEnd::no_patch);
  EXPECT_EQ(result->detail, "3 of 3 candidates tried; 1 passed the check but broke tests");
}

TEST_F(RepairTest, KeepsAPatchWhoseTestsCouldNotBeRun) {
  propose(3);
  let_pass({"c2"});
  oracle_.answer_tests = [](const Candidate&) -> Result<Verdict> {
    return fail(ErrorCode::io, "disk full");
  };
  const Result<RepairResult> result = run();
  ASSERT_TRUE(result);
  ASSERT_EQ(result->patches.size(), 1U);
  EXPECT_EQ(result->patches[0].verdict.level, Level::e1);
  EXPECT_EQ(result->patches[0].verdict.not_checked,
            (std::vector<std::string>{"the affected tests: disk full"}));
}

TEST_F(RepairTest, RetriesOnceWhereTheOracleCouldNotTell) {
  propose(3);
  int asked = 0;
  oracle_.answer = [&](const Candidate& c) -> Result<Verdict> {
    if (c.id == "c2" && ++asked == 1) return fail(ErrorCode::io, "lost worker");
    return c.id == "c2" ? FakeOracle::verdict(Outcome::passes, Level::e1)
                        : FakeOracle::verdict(Outcome::fails, Level::e0);
  };
  const Result<RepairResult> result = run({.jobs = 1});
  ASSERT_TRUE(result);
  EXPECT_EQ(positions(result->patches), (std::vector<std::size_t>{2}));
  EXPECT_EQ(asked, 2);
}

TEST_F(RepairTest, GivesUpWhenFiveCandidatesCouldNotBeJudged) {
  propose(50);
  oracle_.answer = [](const Candidate&) {
    return FakeOracle::verdict(Outcome::infrastructure, Level::none, "disk full");
  };
  const Result<RepairResult> result = run({.jobs = 1});
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().code, ErrorCode::unavailable);
  EXPECT_NE(result.error().message.find("disk full"), std::string::npos);
  EXPECT_EQ(oracle_.asked.size(), 10U);
}

TEST_F(RepairTest, ReportsAnUnjudgedCandidateAsSuchNotAsFailed) {
  propose(3);
  oracle_.answer = [](const Candidate& c) {
    return c.id == "c1" ? FakeOracle::verdict(Outcome::infrastructure, Level::none, "disk full")
                        : FakeOracle::verdict(Outcome::fails, Level::e0);
  };
  const Result<RepairResult> result = run();
  ASSERT_TRUE(result);
  EXPECT_EQ(result->checked[0].verdict.outcome, Outcome::infrastructure);
}

TEST_F(RepairTest, EndsByTheTimeBudgetOnlyWithoutAPatch) {
  propose(5);
  const Result<RepairResult> none = run({.seconds = 0});
  ASSERT_TRUE(none);
  EXPECT_EQ(none->end, RepairEnd::budget);
  EXPECT_TRUE(none->checked.empty());

  let_pass({"c1"});
  oracle_.before_answer = [](const Candidate&, Level) {
    std::this_thread::sleep_for(std::chrono::milliseconds(60));
  };
  const Result<RepairResult> some = run({.seconds = 0.05, .jobs = 1});
  ASSERT_TRUE(some);
  EXPECT_EQ(some->end, RepairEnd::patched);
  ASSERT_EQ(some->patches.size(), 1U);
  EXPECT_EQ(some->patches[0].verdict.not_checked.size(), 1U);
}

TEST_F(RepairTest, EndsAsInterruptedWhileVerdictsAreMissing) {
  propose(20);
  std::atomic<int> asked = 0;
  oracle_.before_answer = [&](const Candidate&, Level) { ++asked; };
  const Result<RepairResult> result = run({.jobs = 1}, [&] { return asked >= 4; });
  ASSERT_TRUE(result);
  EXPECT_EQ(result->end, RepairEnd::interrupted);
  EXPECT_EQ(result->checked.size(), 4U);
}

TEST_F(RepairTest, AVerdictThatWasCancelledIsNoVerdict) {
  propose(20);
  oracle_.answer = [](const Candidate& c) -> Result<Verdict> {
    if (c.id == "c3") return fail(ErrorCode::cancelled, "stopped");
    return FakeOracle::verdict(Outcome::fails, Level::e0);
  };
  const Result<RepairResult> result = run({.jobs = 1});
  ASSERT_TRUE(result);
  EXPECT_EQ(result->end, RepairEnd::budget);  // The user did not ask for it.
  EXPECT_EQ(result->checked.size(), 2U);

  std::atomic<bool> stop = false;
  oracle_.before_answer = [&](const Candidate& c, Level) { stop = c.id == "c3"; };
  const Result<RepairResult> stopped = run({.jobs = 1}, [&] { return stop.load(); });
  ASSERT_TRUE(stopped);
  EXPECT_EQ(stopped->end, RepairEnd::interrupted);
  EXPECT_EQ(stopped->checked.size(), 2U);
}

TEST_F(RepairTest, AStopAfterTheLastVerdictIsNoInterruption) {
  propose(3);
  std::atomic<int> asked = 0;
  oracle_.before_answer = [&](const Candidate&, Level) { ++asked; };
  const Result<RepairResult> result = run({.jobs = 1}, [&] { return asked >= 3; });
  ASSERT_TRUE(result);
  EXPECT_EQ(result->end, RepairEnd::no_patch);
}

TEST_F(RepairTest, TellsTheObserverEachStep) {
  propose(3);
  let_pass({"c2"});
  ASSERT_TRUE(run());
  EXPECT_EQ(observer_.events, (std::vector<std::string>{"reproduced", "located", "proposed 3"}));
  EXPECT_EQ(observer_.verdicts.size(), 3U);
  EXPECT_EQ(observer_.last_planned, 3U);
  EXPECT_EQ(observer_.last_passing, 1U);
}

}  // namespace
}  // namespace tenline
