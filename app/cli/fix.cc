// The main path: read the inputs, make the real parts, call repair(), write and print the report.

#include "app/cli/fix.h"

#include <fmt/format.h>

#include <chrono>
#include <filesystem>
#include <iostream>
#include <iterator>

#include "app/cli/interrupt.h"
#include "app/cli/observer.h"
#include "app/cli/results.h"
#include "engine/base/text.h"
#include "engine/issue/read_issue.h"
#include "engine/journal/journal.h"
#include "engine/journal/journaled_oracle.h"
#include "engine/locate/locate.h"
#include "engine/platform/disk.h"
#include "engine/platform/git_patch.h"
#include "engine/platform/git_workspace.h"
#include "engine/platform/process.h"
#include "engine/platform/sandbox.h"
#include "engine/report/console.h"
#include "engine/report/json_report.h"
#include "engine/report/wording.h"
#include "oracles/oracles.h"
#include "templates/proposer.h"

namespace tenline::cli {

namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

constexpr std::size_t k_largest_script = std::size_t{4} << 20U;

/// Which exit code an unusable input or world has.
int exit_code_of(ErrorCode code) {
  switch (code) {
    case ErrorCode::not_found:
      return 2;
    case ErrorCode::invalid_input:
      return 2;
    case ErrorCode::limit:
      return 6;
    case ErrorCode::unavailable:
      return 4;
    case ErrorCode::io:
      return 4;
    case ErrorCode::cancelled:
      return 130;
  }
  return 70;
}

template <class T>
T or_fatal(Result<T> result) {
  if (!result) throw Fatal(exit_code_of(result.error().code), result.error().message);
  return *std::move(result);
}

void or_fatal(Result<void> result) {
  if (!result) throw Fatal(exit_code_of(result.error().code), result.error().message);
}

std::string read_stdin() {
  std::string text;
  char buffer[65536];
  while (std::cin.read(buffer, sizeof buffer) || std::cin.gcount() > 0) {
    text.append(buffer, static_cast<std::size_t>(std::cin.gcount()));
    if (text.size() > k_max_issue_bytes) break;
  }
  return text;
}

std::string read_issue_text(const std::string& issue) {
  if (issue == "-") return read_stdin();
  if (issue.find("://") != std::string::npos) {
    throw Fatal(2, fmt::format("--issue {}: addresses are not read yet; give a file", issue));
  }
  // One byte over the limit is enough to be refused below with a reason.
  std::error_code error;
  if (!fs::exists(issue, error)) throw Fatal(2, fmt::format("--issue {}: no such file", issue));
  if (fs::is_directory(issue, error)) throw Fatal(2, fmt::format("--issue {}: a folder", issue));
  Result<std::string> text = read_file(issue, std::size_t{64} << 20U);
  if (!text) {
    throw Fatal(exit_code_of(text.error().code), fmt::format("--issue: {}", text.error().message));
  }
  return *std::move(text);
}

BugReport read_report(const std::string& text) {
  Result<BugReport> report = read_issue(text);
  if (!report) throw Fatal(6, fmt::format("--issue: {}", report.error().message));
  return *std::move(report);
}

void check_repository(FixOptions& options) {
  std::error_code error;
  const fs::path path = fs::canonical(options.repository, error);
  if (error) throw Fatal(2, fmt::format("--repo {}: no such folder", options.repository));
  options.repository = path.string();
}

std::string read_script(const std::string& file) {
  std::error_code error;
  if (!fs::exists(file, error)) throw Fatal(2, fmt::format("--repro {}: no such file", file));
  if (fs::is_directory(file, error)) throw Fatal(2, fmt::format("--repro {}: a folder", file));
  Result<std::string> text = read_file(file, k_largest_script);
  if (!text) {
    throw Fatal(exit_code_of(text.error().code), fmt::format("--repro: {}", text.error().message));
  }
  if (text->find('\0') != std::string::npos) {
    throw Fatal(6, fmt::format("--repro {}: a binary file, not a Python script", file));
  }
  return *std::move(text);
}

/// The first line of an issue that says something.
std::string title_of(std::string_view text) {
  for (const std::string_view line : split_lines(text)) {
    std::string_view words = trim(line);
    while (words.starts_with('#')) words.remove_prefix(1);
    if (!trim(words).empty()) return std::string(trim(words).substr(0, 200));
  }
  return {};
}

/// The real parts of a run; made in this order, gone in the other.
struct Parts {
  std::unique_ptr<Journal> journal;
  std::unique_ptr<GitWorkspace> workspace;
  std::unique_ptr<ProcessRunner> runner;
  std::unique_ptr<Oracle> oracle;
  std::unique_ptr<JournaledOracle> remembering;
  std::unique_ptr<Locator> locator;
  std::unique_ptr<templates::TemplateProposer> proposer;
};

std::unique_ptr<GitWorkspace> workspace_of(const RunFolder& folder, const FixOptions& options) {
  return or_fatal(open_workspace(
      {.repository = options.repository, .revision = options.revision, .folder = folder.path()}));
}

std::unique_ptr<ProcessRunner> make_runner(const FixOptions& options, const Spawner& spawner) {
  const StopRequest stop = [] { return interrupted_by() != 0; };
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
  if (!options.repro_name.empty()) oracle.script = folder.file("input/" + options.repro_name);
  oracle.test = options.test;
  oracle.issue = report.text;
  oracle.run_folder = folder.path();
  oracle.runs = options.repeats;
  oracle.jobs = options.jobs;
  oracle.limits.time =
      std::chrono::milliseconds(static_cast<std::int64_t>(options.time_limit_seconds * 1000));
  return oracle;
}

Parts make_parts(const RunFolder& folder, const FixOptions& options, const BugReport& report,
                 const Spawner& spawner) {
  Parts parts;
  parts.journal = or_fatal(Journal::open(folder.file("run.db")));
  parts.workspace = or_fatal(open_workspace(
      {.repository = options.repository, .revision = options.revision, .folder = folder.path()}));
  parts.runner = make_runner(options, spawner);
  parts.oracle = or_fatal(
      make_oracle(oracle_options(folder, options, report), *parts.workspace, *parts.runner));
  parts.remembering = std::make_unique<JournaledOracle>(*parts.oracle, *parts.journal);
  parts.locator = std::make_unique<FusedLocator>(*parts.workspace);
  parts.proposer = std::make_unique<templates::TemplateProposer>(
      *parts.workspace,
      templates::TemplateProposer::Options{.max_candidates = options.max_candidates});
  return parts;
}

std::vector<std::string> notes_for(const FixOptions& options, const GitWorkspace& workspace) {
  std::vector<std::string> notes;
  if (workspace.dirty()) {
    notes.emplace_back("uncommitted changes of your checkout are not part of what was repaired");
  }
  constexpr std::size_t k_named = 5;
  const std::vector<std::string>& left_out = workspace.left_out();
  for (std::size_t i = 0; i < std::min(k_named, left_out.size()); ++i) {
    notes.push_back("left out: " + left_out[i]);
  }
  if (left_out.size() > k_named) {
    notes.push_back(fmt::format("left out: {} more", left_out.size() - k_named));
  }
  if (!options.sandbox) notes.emplace_back("the code ran without the sandbox");
  return notes;
}

std::string place_text(const Location& location) {
  std::string reasons;
  for (const std::string& reason : location.reasons) {
    reasons += (reasons.empty() ? "" : "; ") + visible_line(reason);
  }
  return fmt::format("{}:{} in {} ({:.2f}): {}", visible_line(location.file), location.line,
                     visible_line(location.function), location.score, reasons);
}

void print_locations(const std::vector<Location>& locations, const PrintOptions& print) {
  if (print.json) {
    fmt::print("{}", document_text(locate_document(locations)));
    return;
  }
  constexpr std::size_t k_shown = 20;
  for (std::size_t i = 0; i < std::min(k_shown, locations.size()); ++i) {
    fmt::print("{:>3}. {}\n", i + 1, place_text(locations[i]));
  }
}

/// The id where `tenline apply` finds the run by it, else the folder.
std::string name_in_commands(const RunFolder& folder) {
  const std::string parent = fs::path(folder.path()).parent_path().string();
  for (const std::string& usual : default_runs_folders()) {
    if (fs::absolute(usual).lexically_normal() == parent) return folder.id();
  }
  return folder.path();
}

std::string check_of(const FixOptions& options) {
  return options.repro_name.empty() ? options.test : fmt::format("python3 {}", options.repro_name);
}

BugReport report_of(const RunFolder& folder, const FixOptions& options) {
  if (!options.has_issue) return {};
  return read_report(or_fatal(read_file(folder.file("input/issue.md"))));
}

}  // namespace

RunFolder prepare_run(const FixInputs& inputs, FixOptions options, const std::string& parent,
                      Check needed) {
  if (needed == Check::needed && inputs.repro.empty() && options.test.empty()) {
    throw Fatal(
        2, "give --repro FILE or --test 'pytest ...': something that fails because of the bug");
  }
  check_repository(options);
  std::string issue;
  if (!inputs.issue.empty()) {
    issue = read_issue_text(inputs.issue);
    (void)read_report(issue);  // Refused before anything is written.
    options.has_issue = true;
  }
  std::string script;
  if (!inputs.repro.empty()) {
    script = read_script(inputs.repro);
    options.repro_name = fs::path(inputs.repro).filename().string();
  }
  RunFolder folder = or_fatal(RunFolder::create(parent));
  const Result<std::unique_ptr<GitWorkspace>> workspace = open_workspace(
      {.repository = options.repository, .revision = options.revision, .folder = folder.path()});
  if (!workspace) {
    (void)remove_tree(folder.path());
    throw Fatal(exit_code_of(workspace.error().code), workspace.error().message);
  }
  if (options.has_issue) or_fatal(write_file_durably(folder.file("input/issue.md"), issue));
  if (!options.repro_name.empty()) {
    or_fatal(write_file_durably(folder.file("input/" + options.repro_name), script));
  }
  or_fatal(folder.keep(options));
  return folder;
}

int run_fix(const RunFolder& folder, const Spawner& spawner, const PrintOptions& print) {
  const Clock::time_point start = Clock::now();
  const FixOptions options = or_fatal(folder.options());
  const BugReport report = report_of(folder, options);
  RunReport summary;
  {
    Parts parts = make_parts(folder, options, report, spawner);
    RunObserver observer(folder.file("log.jsonl"), print);
    observer.say(fmt::format("run {} in {}", folder.id(), folder.path()));
    const Budget budget{options.budget_seconds, options.max_candidates, options.top, options.jobs};
    Result<RepairResult> result = repair(report,
                                         {*parts.remembering,
                                          *parts.locator,
                                          {parts.proposer.get()},
                                          observer,
                                          [] { return interrupted_by() != 0; }},
                                         budget);
    summary.run_id = folder.id();
    summary.run = name_in_commands(folder);
    summary.version = TENLINE_VERSION;
    summary.repository = options.repository;
    summary.revision = parts.workspace->revision();
    summary.issue_title = title_of(report.text);
    summary.check = check_of(options);
    summary.notes = notes_for(options, *parts.workspace);
    if (result) {
      summary.result = *std::move(result);
    } else {
      summary.failure = RunFailure{"error", exit_code_of(result.error().code) == 4 ? 4 : 70,
                                   result.error().message};
    }
    or_fatal(write_patches(folder, summary, *parts.workspace));
    if (summary.result.end != RepairEnd::interrupted) {
      or_fatal(parts.workspace->remove_worktrees());
    }
  }
  summary.seconds = std::chrono::duration<double>(Clock::now() - start).count();
  or_fatal(write_report(folder, summary));
  fmt::print("{}", print.json ? document_text(fix_document(summary))
                              : console_report(summary, print.color ? Colour::on : Colour::off));
  if (summary.result.end == RepairEnd::interrupted) return 128 + interrupted_by();
  return exit_code(summary);
}

int dry_run(const RunFolder& folder, const PrintOptions& print) {
  const FixOptions options = or_fatal(folder.options());
  const BugReport report = report_of(folder, options);
  const std::unique_ptr<GitWorkspace> workspace = workspace_of(folder, options);
  FusedLocator locator(*workspace);
  templates::TemplateProposer proposer(*workspace, {.max_candidates = options.max_candidates});
  const std::vector<Location> locations = locator.locate(report, {});
  const std::vector<Candidate> candidates = proposer.propose(locations, report, {});
  if (print.json) {
    Json document = locate_document(locations);
    document["candidates"] = {{"generated", candidates.size()}};
    fmt::print("{}", document_text(document));
    return 0;
  }
  fmt::print("Nothing was run. From the issue alone: {}, {}.\n",
             count_text(locations.size(), "place"), count_text(candidates.size(), "candidate"));
  constexpr std::size_t k_shown = 10;
  for (std::size_t i = 0; i < std::min(k_shown, locations.size()); ++i) {
    fmt::print("  {}\n", place_text(locations[i]));
  }
  for (std::size_t i = 0; i < std::min(k_shown, candidates.size()); ++i) {
    const Candidate& candidate = candidates[i];
    fmt::print("  {:>3}. {}:{} {}: {}\n", i + 1, visible_line(candidate.file), candidate.line,
               candidate.template_id, visible_line(candidate.summary));
  }
  fmt::print("A real run first traces the failing check; it then knows more and orders better.\n");
  return 0;
}

int run_locate(const RunFolder& folder, const Spawner& spawner, const PrintOptions& print) {
  const FixOptions options = or_fatal(folder.options());
  const BugReport report = report_of(folder, options);
  if (options.repro_name.empty() && options.test.empty()) {
    const std::unique_ptr<GitWorkspace> workspace = workspace_of(folder, options);
    print_locations(FusedLocator(*workspace).locate(report, {}), print);
    return 0;
  }
  Parts parts = make_parts(folder, options, report, spawner);
  const Reproduction reproduction = or_fatal(parts.remembering->reproduce());
  print_locations(parts.locator->locate(report, reproduction.trace), print);
  or_fatal(parts.workspace->remove_worktrees());
  if (reproduction.reproduced == Reproduced::yes) return 0;
  fmt::print(stderr, "tenline: {}: {}\n", to_string(reproduction.reproduced),
             visible_line(reproduction.detail));
  const bool setup = reproduction.reproduced == Reproduced::environment ||
                     reproduction.reproduced == Reproduced::needs_gpus;
  return setup ? 4 : 3;
}

int show_run(const RunFolder& folder, const PrintOptions& print) {
  const Result<std::string> text =
      read_file(folder.file(print.json ? "report.json" : "report.txt"));
  if (!text) {
    throw Fatal(2, fmt::format("run {} is not finished; go on with: tenline resume {}", folder.id(),
                               folder.path()));
  }
  fmt::print("{}", *text);
  return 0;
}

int apply_run(const RunFolder& folder, std::size_t candidate, const std::string& branch) {
  const FixOptions options = or_fatal(folder.options());
  const std::string name = fmt::format("patches/{}", candidate);
  const Result<std::string> patch = read_file(folder.file(name + ".diff"));
  if (!patch) {
    throw Fatal(2, fmt::format("run {} has no patch {}", folder.id(), candidate));
  }
  const std::string message = or_fatal(read_file(folder.file(name + ".message")));
  const Result<void> applied = apply_patch(
      {.repository = options.repository, .patch = *patch, .branch = branch, .message = message});
  if (!applied) throw Fatal(2, applied.error().message);
  fmt::print("applied patch {} of run {} to {}{}\n", candidate, folder.id(), options.repository,
             branch.empty() ? std::string{} : fmt::format(", on the new branch {}", branch));
  return 0;
}

}  // namespace tenline::cli
