// The main path: make the real parts, call repair(), write and print the report.

#include "app/cli/fix.h"

#include <fmt/format.h>

#include <chrono>
#include <filesystem>

#include "app/cli/interrupt.h"
#include "app/cli/observer.h"
#include "app/cli/parts.h"
#include "app/cli/results.h"
#include "engine/base/text.h"
#include "engine/report/console.h"
#include "engine/report/json_report.h"
#include "engine/report/wording.h"

namespace tenline::cli {

namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

/// The first line of an issue that says something.
std::string title_of(std::string_view text) {
  for (const std::string_view line : split_lines(text)) {
    std::string_view words = trim(line);
    while (words.starts_with('#')) words.remove_prefix(1);
    if (!trim(words).empty()) return std::string(trim(words).substr(0, 200));
  }
  return {};
}

std::vector<std::string> notes_for(const FixOptions& options, const GitWorkspace& workspace,
                                   const std::vector<std::string>& template_problems) {
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
  for (const std::string& problem : template_problems) {
    notes.push_back("template left out: " + problem);
  }
  if (!options.sandbox) notes.emplace_back("the code ran without the sandbox");
  return notes;
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

}  // namespace

int run_fix(const RunFolder& folder, const Spawner& spawner, const PrintOptions& print) {
  catch_interrupts();
  const Clock::time_point start = Clock::now();
  const FixOptions options = or_fatal(folder.options());
  const BugReport report = report_of(folder, options);
  RunReport summary;
  {
    Parts parts = make_parts(folder, options, report, spawner);
    RunObserver observer(folder.file("log.jsonl"), print);
    observer.say(fmt::format("run {} in {}", folder.id(), folder.path()));
    for (const std::string& problem : parts.user_templates.problems) {
      observer.say("template left out: " + visible_line(problem, 500));
    }
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
    summary.notes = notes_for(options, *parts.workspace, parts.user_templates.problems);
    for (std::string& note : parts.remembering->notes()) summary.notes.push_back(std::move(note));
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

}  // namespace tenline::cli
