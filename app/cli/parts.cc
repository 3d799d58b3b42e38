#include "app/cli/parts.h"

#include <fmt/format.h>

#include <chrono>

#include "app/cli/interrupt.h"
#include "engine/issue/read_issue.h"
#include "engine/locate/locate.h"
#include "engine/platform/disk.h"
#include "engine/platform/process.h"
#include "engine/platform/sandbox.h"
#include "oracles/oracles.h"
#include "templates/proposer.h"

namespace tenline::cli {

namespace {

/// What runs when the budget ends, ends with it.
std::unique_ptr<ProcessRunner> make_runner(const FixOptions& options, const Spawner& spawner) {
  using Clock = std::chrono::steady_clock;
  const auto end = Clock::now() + std::chrono::duration<double>(options.budget_seconds);
  const StopRequest stop = [end] { return interrupted_by() != 0 || Clock::now() >= end; };
  if (!options.sandbox) return make_unsafe_runner(spawner, stop);
  Result<std::unique_ptr<ProcessRunner>> runner =
      make_sandboxed_runner(spawner, SandboxOptions{.bubblewrap = {}, .stop = stop});
  if (!runner) throw Fatal(4, runner.error().message);
  return *std::move(runner);
}

OracleOptions oracle_options(const RunFolder& folder, const FixOptions& options,
                             const BugReport& report) {
  OracleOptions oracle;
  oracle.python = options.python;
  if (!options.repro_name.empty()) oracle.script = folder.script(options);
  oracle.test = options.test;
  oracle.issue = report.text;
  oracle.run_folder = folder.path();
  oracle.runs = options.repeats;
  oracle.jobs = options.jobs;
  oracle.warm = options.warm;
  oracle.limits.time =
      std::chrono::milliseconds(static_cast<std::int64_t>(options.time_limit_seconds * 1000));
  oracle.test_file_time = std::min(oracle.test_file_time, 2 * oracle.limits.time);
  return oracle;
}

}  // namespace

int exit_code_of(ErrorCode code) {
  switch (code) {
    case ErrorCode::not_found:
    case ErrorCode::invalid_input:
      return 2;
    case ErrorCode::limit:
      return 6;
    case ErrorCode::unavailable:
    case ErrorCode::io:
      return 4;
    case ErrorCode::cancelled:
      return 130;
  }
  return 70;
}

Parts make_parts(const RunFolder& folder, const FixOptions& options, const BugReport& report,
                 const Spawner& spawner) {
  Parts parts;
  parts.journal = or_fatal(Journal::open(folder.file("run.db")));
  parts.workspace = workspace_of(folder, options);
  parts.runner = make_runner(options, spawner);
  parts.oracle = or_fatal(
      make_oracle(oracle_options(folder, options, report), *parts.workspace, *parts.runner));
  parts.remembering = std::make_unique<JournaledOracle>(*parts.oracle, *parts.journal);
  parts.locator = std::make_unique<FusedLocator>(*parts.workspace);
  parts.user_templates = templates::user_templates_of(*parts.workspace);
  parts.proposer = std::make_unique<templates::TemplateProposer>(
      *parts.workspace,
      templates::TemplateProposer::Options{.max_candidates = options.max_candidates,
                                           .extra = parts.user_templates.forms()});
  return parts;
}

std::unique_ptr<GitWorkspace> workspace_of(const RunFolder& folder, const FixOptions& options) {
  return or_fatal(open_workspace(
      {.repository = options.repository, .revision = options.revision, .folder = folder.path()}));
}

BugReport read_report(const std::string& text) {
  Result<BugReport> report = read_issue(text);
  if (!report) throw Fatal(6, fmt::format("--issue: {}", report.error().message));
  return *std::move(report);
}

BugReport report_of(const RunFolder& folder, const FixOptions& options) {
  if (!options.has_issue) return {};
  return read_report(or_fatal(read_file(folder.file("input/issue.md"))));
}

}  // namespace tenline::cli
