#pragma once

#include "app/cli/run_folder.h"
#include "engine/platform/git_workspace.h"
#include "engine/report/report.h"

namespace tenline::cli {

/// Makes the diffs of the report's patches and writes them into the run's folder: patches/<k>.diff,
/// and patch.diff and a mailbox of the best.
[[nodiscard]] Result<void> write_patches(const RunFolder& folder, RunReport& report,
                                         const GitWorkspace& workspace);

/// Writes report.json and report.txt; the last thing that a run writes.
[[nodiscard]] Result<void> write_report(const RunFolder& folder, const RunReport& report);

}  // namespace tenline::cli
