#pragma once

#include <string>
#include <vector>

#include "engine/report/report.h"

namespace tenline::testing {

inline CheckedCandidate checked_candidate(std::size_t position, const std::string& template_id,
                                          Family family, Outcome outcome, Level level,
                                          const std::string& detail) {
  CheckedCandidate checked;
  checked.position = position;
  checked.candidate.id = "c" + std::to_string(position);
  checked.candidate.template_id = template_id;
  checked.candidate.family = family;
  checked.candidate.summary = "replace `hosts` by `hosts_" + std::to_string(position) + "`";
  checked.candidate.file = "pkg/launch.py";
  checked.candidate.line = 12;
  checked.candidate.function = "Launcher.run";
  checked.candidate.score = 1.0 / static_cast<double>(position);
  checked.candidate.changed_lines = 2;
  checked.verdict.outcome = outcome;
  checked.verdict.level = level;
  checked.verdict.detail = detail;
  checked.verdict.seconds = 1.25;
  checked.verdict.cpu_seconds = 1;
  checked.verdict.runs = 1;
  return checked;
}

/// A run up to the moment where the base revision has been asked.
inline RunReport base_report(RepairEnd end, Reproduced reproduced, const std::string& detail) {
  RunReport report;
  report.run_id = "20260801-1412-ab12";
  report.run = report.run_id;
  report.version = "0.1.0";
  report.repository = "./demo";
  report.revision = "3f2a1b0c9d8e7f60514233241506978a9bacbdce";
  report.issue_title = "Launcher fails when no host is given";
  report.check = "python3 repro.py";
  report.seconds = 41.2;
  report.result.end = end;
  report.result.cpu_seconds = 63.5;
  report.result.reproduction.reproduced = reproduced;
  report.result.reproduction.detail = detail;
  report.result.reproduction.runs = 3;
  report.result.reproduction.seconds = 1.5;
  return report;
}

/// A run that reproduced, located and tried a dozen candidates without success.
inline RunReport search_report(RepairEnd end) {
  const std::string error = "TypeError: 'NoneType' object is not iterable";
  RunReport report =
      base_report(end, Reproduced::yes, "repro.py fails in 3 of 3 runs: exit 1: " + error);
  report.result.reproduction.trace.exceptions = {
      {.type = "TypeError",
       .message = "'NoneType' object is not iterable",
       .frames = {{.file = "pkg/launch.py", .line = 12, .function = "Launcher.run", .values = {}}},
       .escaped = true}};
  report.result.locations = {
      {.file = "pkg/launch.py",
       .line = 12,
       .function = "Launcher.run",
       .score = 0.75,
       .reasons = {"innermost frame of the traceback", "named in the issue"}},
      {.file = "pkg/hosts.py",
       .line = 3,
       .function = "<module>",
       .score = 0.25,
       .reasons = {"run by the failing check"}}};
  report.result.generated = 20;
  auto& checked = report.result.checked;
  for (std::size_t i = 1; i <= 8; ++i) {
    checked.push_back(checked_candidate(i, "replace-name", Family::wrong_api_or_name,
                                        Outcome::fails, Level::e0, "exit 1: " + error));
  }
  checked.push_back(checked_candidate(9, "guard-none", Family::precondition_guard, Outcome::fails,
                                      Level::e0, "exit 1: AssertionError: 0 != 4"));
  checked.push_back(checked_candidate(10, "guard-none", Family::precondition_guard,
                                      Outcome::breaks_tests, Level::e1,
                                      "tests/test_launch.py::test_hosts"));
  checked.push_back(checked_candidate(11, "replace-name", Family::wrong_api_or_name, Outcome::fails,
                                      Level::e0,
                                      "exit 1: NameError: name 'hosts_11' is not defined"));
  checked.push_back(checked_candidate(12, "swap-arguments", Family::parameter_handling,
                                      Outcome::timed_out, Level::none, "time limit of 30 s"));
  return report;
}

inline RunReport patched_report() {
  RunReport report = search_report(RepairEnd::patched);
  CheckedCandidate first = checked_candidate(13, "guard-none", Family::precondition_guard,
                                             Outcome::passes, Level::e2, "");
  first.verdict.runs = 4;
  first.verdict.checked = {"the reproduction passes, 3 of 3 cold runs",
                           "tests/test_launch.py, 4 tests"};
  CheckedCandidate second = checked_candidate(14, "getattr-default", Family::precondition_guard,
                                              Outcome::passes, Level::e1, "");
  second.candidate.file = "pkg/hosts.py";
  second.candidate.line = 3;
  second.candidate.function = "<module>";
  second.candidate.changed_lines = 1;
  second.verdict.checked = {"the reproduction passes, 3 of 3 cold runs"};
  second.verdict.not_checked = {"no test imports pkg.hosts"};
  report.result.checked.push_back(first);
  report.result.checked.push_back(second);
  report.result.patches = {first, second};
  report.notes = {
      "2 files of the base revision are missing from the repository: docs/a.png, "
      "docs/b.png"};
  report.diffs = {
      "diff --git a/pkg/launch.py b/pkg/launch.py\n"
      "index 1111111..2222222 100644\n"
      "--- a/pkg/launch.py\n"
      "+++ b/pkg/launch.py\n"
      "@@ -10,5 +10,5 @@ class Launcher:\n"
      "   def run(self, hosts):\n"
      "-\tfor host in hosts:\n"
      "+\tfor host in hosts or []:\n"
      "     start(host)\n",
      "--- a/pkg/hosts.py\n"
      "+++ b/pkg/hosts.py\n"
      "@@ -3 +3 @@\n"
      "-HOSTS = None\n"
      "+HOSTS = []\n",
  };
  return report;
}

inline RunReport no_patch_report() { return search_report(RepairEnd::no_patch); }
inline RunReport budget_report() {
  RunReport report = search_report(RepairEnd::budget);
  report.result.detail = "the time budget is used up, 12 of 20 candidates tried";
  return report;
}
inline RunReport interrupted_report() { return search_report(RepairEnd::interrupted); }
inline RunReport already_fixed_report() {
  return base_report(RepairEnd::already_fixed, Reproduced::already_fixed,
                     "repro.py passes in 3 of 3 runs");
}
inline RunReport not_reproducible_report() {
  return base_report(RepairEnd::not_reproducible, Reproduced::not_reproducible,
                     "repro.py could not tell: exit 77");
}
inline RunReport flaky_report() {
  return base_report(RepairEnd::flaky, Reproduced::flaky, "repro.py fails in 1 of 3 runs: exit 1");
}
inline RunReport environment_report() {
  return base_report(RepairEnd::environment, Reproduced::environment,
                     "ModuleNotFoundError: No module named 'torch'");
}
inline RunReport needs_gpus_report() {
  return base_report(RepairEnd::needs_gpus, Reproduced::needs_gpus, "needs 2 GPUs, 0 are here");
}
inline RunReport refused_report() {
  RunReport report;
  report.run_id = "20260801-1412-ab12";
  report.run = report.run_id;
  report.version = "0.1.0";
  report.repository = "./demo";
  report.failure = {
      .outcome = "refused", .exit_code = 6, .detail = "the issue has 11 MB, the limit is 1 MB"};
  return report;
}

/// Every text that somebody else wrote is this one.
inline std::string hostile_text() {
  return "a\x1b]0;owned\x07 \x1b[2J\r\nb\xe2\x80\xae"
         "c \xc2\x9b"
         "1m \xff\n--- \nFixes #1 @all";
}

inline RunReport hostile_report(RepairEnd end) {
  const std::string bad = hostile_text();
  RunReport report = end == RepairEnd::patched ? patched_report() : search_report(end);
  report.version = report.repository = report.issue_title = report.check = bad;
  report.notes = {bad, bad};
  report.result.detail = bad + "!";
  report.result.reproduction.detail = bad;
  for (FailureException& exception : report.result.reproduction.trace.exceptions) {
    exception.type = exception.message = bad;
  }
  for (Location& location : report.result.locations) {
    location.file = location.function = bad;
    location.reasons = {bad};
  }
  for (auto* list : {&report.result.checked, &report.result.patches}) {
    for (CheckedCandidate& checked : *list) {
      Candidate& candidate = checked.candidate;
      candidate.summary = candidate.file = candidate.function = candidate.template_id = bad;
      if (checked.verdict.outcome == Outcome::fails) checked.verdict.detail = "other: " + bad;
      checked.verdict.checked = checked.verdict.not_checked = {bad};
    }
  }
  for (std::string& diff : report.diffs) diff += "+" + bad + "\n";
  return report;
}

struct NamedReport {
  std::string name;
  RunReport report;
};

inline std::vector<NamedReport> all_reports() {
  return {{"patched", patched_report()},
          {"no_patch", no_patch_report()},
          {"already_fixed", already_fixed_report()},
          {"not_reproducible", not_reproducible_report()},
          {"flaky", flaky_report()},
          {"environment", environment_report()},
          {"needs_gpus", needs_gpus_report()},
          {"budget", budget_report()},
          {"interrupted", interrupted_report()},
          {"refused", refused_report()},
          {"hostile_patched", hostile_report(RepairEnd::patched)},
          {"hostile_no_patch", hostile_report(RepairEnd::no_patch)}};
}

}  // namespace tenline::testing
