#include "engine/report/evidence.h"

#include <gtest/gtest.h>

#include "engine/base/text.h"
#include "tests/report/sample_reports.h"

namespace tenline {
namespace {

using namespace tenline::testing;

TEST(NotCheckedTest, NamesEveryLevelAboveTheOneReached) {
  Verdict verdict;
  verdict.level = Level::e1;
  EXPECT_EQ(not_checked(verdict),
            (std::vector<std::string>{"the affected tests (E2)", "the whole CPU test suite (E3)",
                                      "GPU tests (E4)"}));
  verdict.level = Level::e4;
  EXPECT_TRUE(not_checked(verdict).empty());
}

TEST(NotCheckedTest, AnOracleThatNamesALevelIsNotRepeated) {
  Verdict verdict;
  verdict.level = Level::e1;
  verdict.not_checked = {"the affected tests: the run was stopped before", "E4: no GPU here"};
  EXPECT_EQ(not_checked(verdict),
            (std::vector<std::string>{"the affected tests: the run was stopped before",
                                      "E4: no GPU here", "the whole CPU test suite (E3)"}));
}

TEST(WhyTest, GivesTheReasonsOfTheLineElseOfTheFunction) {
  const RunReport report = patched_report();
  const auto& locations = report.result.locations;
  Candidate candidate = report.result.patches[0].candidate;
  EXPECT_EQ(why(candidate, locations),
            "replace `hosts` by `hosts_13` in pkg/launch.py:12 (Launcher.run): innermost frame of "
            "the traceback; named in the issue");
  candidate.line = 99;
  EXPECT_EQ(reasons_for(candidate, locations), locations[0].reasons);
  candidate.function = "other";
  EXPECT_TRUE(reasons_for(candidate, locations).empty());
  EXPECT_EQ(why(candidate, locations), "replace `hosts` by `hosts_13` in pkg/launch.py:99 (other)");
}

TEST(CommitSubjectTest, IsOneShortLine) {
  Candidate candidate;
  candidate.file = "pkg/launch.py";
  candidate.summary = "replace `a` by `b`";
  EXPECT_EQ(commit_subject(candidate), "launch: replace `a` by `b`");
  for (const std::string& summary :
       {std::string(300, 'x'), std::string(300, '#'), std::string(60, '\x1b'), hostile_text()}) {
    candidate.summary = summary;
    const std::string subject = commit_subject(candidate);
    EXPECT_LE(subject.size(), 72U);
    EXPECT_TRUE(subject.starts_with("launch: "));
    EXPECT_EQ(subject.find('\n'), std::string::npos);
  }
  candidate.file = "";
  EXPECT_FALSE(commit_subject(candidate).empty());
}

TEST(CommitBodyTest, SaysWhatWhyEvidenceAndHowToReproduce) {
  EXPECT_EQ(commit_body(patched_report(), 1), R"(What:
  replace `hosts` by `hosts_14`
  in pkg/hosts.py:3 (<module>)

Why:
  issue: Launcher fails when no host is given
  before: repro.py fails in 3 of 3 runs: exit 1: TypeError: 'NoneType' object is not iterable
  - run by the failing check

Evidence E1:
  E0  yes          it parses
  E1  yes          the reproduction passes
  E2  not checked  the affected tests still pass
  E3  not checked  the whole CPU test suite passes
  E4  not checked  GPU tests pass

Checked:
  - the reproduction passes, 3 of 3 cold runs

Not checked:
  - the affected tests (E2)
  - no test imports pkg.hosts
  - the whole CPU test suite (E3)
  - GPU tests (E4)

Notes:
  - 2 files of the base revision are missing from the repository: docs/a.png, docs/b.png

How to reproduce:
  on 3f2a1b0c9d8e7f60514233241506978a9bacbdce, without and with this change:
  python3 repro.py

Proposed by tenline 0.1.0, template getattr-default, run 20260801-1412-ab12.
)");
}

TEST(CommitBodyTest, UntrustedTextCannotEndTheMessageCloseIssuesOrCallPeople) {
  RunReport report = hostile_report(RepairEnd::patched);
  report.issue_title = "fixes #12, closes GH-3 and https://forge/x/issues/4, thanks @owner";
  report.version = "0.1.0";
  const std::string body = commit_body(report, 0);
  EXPECT_NE(body.find("fixes # 12, closes GH -3 and https ://forge/x/issues/4, thanks @ owner"),
            std::string::npos);
  EXPECT_EQ(body.find('\x1b'), std::string::npos);
  EXPECT_EQ(body.find("#1"), std::string::npos);
  EXPECT_EQ(body.find("@all"), std::string::npos);
  for (const std::string_view line : split_lines(body)) {
    const bool ours = line.empty() || line.starts_with("  ") || line.ends_with(":") ||
                      line.starts_with("Proposed by tenline");
    EXPECT_TRUE(ours) << line;
    EXPECT_FALSE(line.starts_with("---")) << line;
  }
}

}  // namespace
}  // namespace tenline
