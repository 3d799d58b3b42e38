#include "engine/report/search_summary.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "tests/report/sample_reports.h"

namespace tenline {
namespace {

using namespace tenline::testing;

bool has(const std::vector<std::string>& lines, std::string_view text) {
  return std::ranges::any_of(
      lines, [&](const std::string& line) { return line.find(text) != std::string::npos; });
}

std::vector<std::size_t> positions(const std::vector<const CheckedCandidate*>& list) {
  std::vector<std::size_t> out;
  out.reserve(list.size());
  for (const CheckedCandidate* one : list) out.push_back(one->position);
  return out;
}

TEST(TallyTest, CountsPerTemplateTheBusiestFirst) {
  const auto tallies = tally_by_template(no_patch_report().result.checked);
  ASSERT_EQ(tallies.size(), 3U);
  EXPECT_EQ(tallies[0].template_id, "replace-name");
  EXPECT_EQ(tallies[0].run, 9U);
  EXPECT_EQ(tallies[0].best, Level::e0);
  EXPECT_EQ(tallies[1].template_id, "guard-none");
  EXPECT_EQ(tallies[1].best, Level::e1);
  EXPECT_EQ(tallies[1].outcomes.at(Outcome::breaks_tests), 1U);
  EXPECT_EQ(tallies[2].template_id, "swap-arguments");
  EXPECT_TRUE(tally_by_template({}).empty());
}

TEST(DecidedTest, CountsRunsOnceAGroup) {
  std::vector<CheckedCandidate> checked(6);
  checked[1].verdict.stage = Stage::late;
  checked[1].verdict.group = "a";
  checked[2].verdict.stage = Stage::late;
  checked[2].verdict.group = "b";
  checked[3].verdict = checked[1].verdict;
  checked[4].verdict.stage = Stage::unreached;
  checked[5].verdict.stage = Stage::warm;
  const Decided decided = how_decided(checked);
  EXPECT_EQ(decided.run, 4U);
  EXPECT_EQ(decided.grouped, 1U);
  EXPECT_EQ(decided.dropped, 1U);
  EXPECT_EQ(decided.stages,
            (std::map<Stage, std::size_t>{{Stage::cold, 1}, {Stage::warm, 1}, {Stage::late, 2}}));
}

TEST(NearestMissesTest, BrokenTestsComeBeforeOtherFailures) {
  const RunReport report = no_patch_report();
  EXPECT_EQ(positions(nearest_misses(report.result, 5)), (std::vector<std::size_t>{10, 9}));
  EXPECT_EQ(positions(nearest_misses(report.result, 1)), (std::vector<std::size_t>{10}));
}

TEST(NearestMissesTest, WithoutAnExceptionTheCommonFailureIsThatOfTheBase) {
  RunReport report = no_patch_report();
  report.result.reproduction.trace = {};
  EXPECT_EQ(positions(nearest_misses(report.result, 5)), (std::vector<std::size_t>{10, 9}));
}

TEST(NearestMissesTest, NothingRunIsNoMiss) {
  EXPECT_TRUE(nearest_misses(RepairResult{}, 5).empty());
}

TEST(NearestMissesTest, AnExceptionWithoutAMessageIsTheBaseFailureToo) {
  RunReport report = no_patch_report();
  report.result.reproduction.trace.exceptions[0].message = "";
  report.result.reproduction.trace.exceptions[0].type = "AssertionError";
  for (CheckedCandidate& checked : report.result.checked) {
    checked.verdict.outcome = Outcome::fails;
    checked.verdict.detail = "AssertionError";
  }
  EXPECT_TRUE(nearest_misses(report.result, 5).empty());
}

TEST(AdviceTest, FollowsFromWhatHappened) {
  EXPECT_TRUE(what_would_help(patched_report(), "R").empty());
  EXPECT_TRUE(what_would_help(refused_report(), "R").empty());
  EXPECT_TRUE(has(what_would_help(interrupted_report(), "R"), "`tenline resume R`"));
  EXPECT_TRUE(has(what_would_help(budget_report(), "R"), "tenline resume R --budget"));
  EXPECT_TRUE(has(what_would_help(environment_report(), "R"), "tenline doctor"));
  EXPECT_TRUE(has(what_would_help(needs_gpus_report(), "R"), "GPUs"));

  RunReport report = no_patch_report();
  EXPECT_TRUE(has(what_would_help(report, "R"), "8 of 20 candidates were not run"));
  EXPECT_TRUE(has(what_would_help(report, "R"), "break a test"));
  EXPECT_FALSE(has(what_would_help(report, "R"), "time limit"));
  for (CheckedCandidate& checked : report.result.checked) {
    checked.verdict.outcome = Outcome::timed_out;
  }
  EXPECT_TRUE(has(what_would_help(report, "R"), "time limit"));
  report.result.checked.front().verdict.outcome = Outcome::infrastructure;
  EXPECT_TRUE(has(what_would_help(report, "R"), "1 candidate could not be judged"));
  report.result.generated = 0;
  report.result.checked.clear();
  EXPECT_TRUE(has(what_would_help(report, "R"), "no template fits"));
  report.result.locations.clear();
  EXPECT_TRUE(has(what_would_help(report, "R"), "traceback"));
}

TEST(AdviceTest, EveryFailureHasSome) {
  for (const auto& [name, report] : all_reports()) {
    if (report.failure || report.result.end == RepairEnd::patched) continue;
    EXPECT_FALSE(what_would_help(report, "R").empty()) << name;
  }
}

TEST(ExitCodeTest, IsThatOfTheManual) {
  const std::pair<RepairEnd, int> cases[] = {
      {RepairEnd::patched, 0},       {RepairEnd::no_patch, 1}, {RepairEnd::not_reproducible, 3},
      {RepairEnd::already_fixed, 3}, {RepairEnd::flaky, 3},    {RepairEnd::needs_gpus, 4},
      {RepairEnd::environment, 4},   {RepairEnd::budget, 5},   {RepairEnd::interrupted, 130}};
  for (const auto& [end, code] : cases) {
    EXPECT_EQ(exit_code(end), code);
    RunReport report;
    report.result.end = end;
    EXPECT_EQ(exit_code(report), code);
  }
  EXPECT_EQ(exit_code(refused_report()), 6);
  EXPECT_EQ(outcome(refused_report()), "refused");
}

}  // namespace
}  // namespace tenline
