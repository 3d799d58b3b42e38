// The commands that look at a bug or at a run without searching for a patch.

#include <fmt/format.h>

#include "app/cli/fix.h"
#include "app/cli/parts.h"
#include "engine/locate/locate.h"
#include "engine/platform/disk.h"
#include "engine/platform/git_patch.h"
#include "engine/report/json_report.h"
#include "engine/report/wording.h"
#include "templates/proposer.h"

namespace tenline::cli {

namespace {

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

}  // namespace

int dry_run(const RunFolder& folder, const PrintOptions& print) {
  const FixOptions options = or_fatal(folder.options());
  const BugReport report = report_of(folder, options);
  const std::unique_ptr<GitWorkspace> workspace = workspace_of(folder, options);
  FusedLocator locator(*workspace);
  const templates::UserTemplates users = templates::user_templates_of(*workspace);
  for (const std::string& problem : users.problems) {
    fmt::print(stderr, "tenline: template left out: {}\n", visible_line(problem, 500));
  }
  templates::TemplateProposer proposer(
      *workspace, {.max_candidates = options.max_candidates, .extra = users.forms()});
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
