#pragma once

#include <memory>

#include "app/cli/options.h"
#include "app/cli/run_folder.h"
#include "engine/core/ports.h"
#include "engine/journal/journal.h"
#include "engine/journal/journaled_oracle.h"
#include "engine/platform/git_workspace.h"
#include "engine/platform/spawner.h"
#include "templates/user_template.h"

namespace tenline::cli {

/// Which exit code an unusable input or world has.
[[nodiscard]] int exit_code_of(ErrorCode code);

/// The value, or Fatal with the exit code that fits the error.
template <class T>
T or_fatal(Result<T> result) {
  if (!result) throw Fatal(exit_code_of(result.error().code), result.error().message);
  return *std::move(result);
}
inline void or_fatal(Result<void> result) {
  if (!result) throw Fatal(exit_code_of(result.error().code), result.error().message);
}

/// The real parts of a run; made in this order, gone in the other.
struct Parts {
  std::unique_ptr<Journal> journal;
  std::unique_ptr<GitWorkspace> workspace;
  std::unique_ptr<ProcessRunner> runner;
  std::unique_ptr<Oracle> oracle;
  std::unique_ptr<JournaledOracle> remembering;
  std::unique_ptr<Locator> locator;
  templates::UserTemplates user_templates;
  std::unique_ptr<Proposer> proposer;
};

/// Makes them for a prepared run; throws Fatal where the setup is wrong.
[[nodiscard]] Parts make_parts(const RunFolder& folder, const FixOptions& options,
                               const BugReport& report, const Spawner& spawner);

/// The workspace alone, for what runs nothing.
[[nodiscard]] std::unique_ptr<GitWorkspace> workspace_of(const RunFolder& folder,
                                                         const FixOptions& options);

/// The issue of a run, read; throws Fatal (6) where its text is refused.
[[nodiscard]] BugReport read_report(const std::string& text);
[[nodiscard]] BugReport report_of(const RunFolder& folder, const FixOptions& options);

}  // namespace tenline::cli
