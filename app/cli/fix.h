#pragma once

#include <string>

#include "app/cli/options.h"
#include "app/cli/run_folder.h"
#include "engine/platform/spawner.h"

namespace tenline::cli {

/// Where the inputs of a new run come from.
struct FixInputs {
  std::string issue;  ///< A file, "-" for standard input, or empty.
  std::string repro;  ///< A file, or empty.
};

/// Whether a command can do without a failing check.
enum class Check { needed, optional };

/// Checks and copies the inputs into a new run folder below `parent`; throws Fatal where they are
/// wrong.
[[nodiscard]] RunFolder prepare_run(const FixInputs& inputs, FixOptions options,
                                    const std::string& parent, Check needed);

/// Runs the pipeline of a prepared run, or goes on with one that was stopped; prints, writes the
/// results into the folder, and gives the exit code. Throws Fatal where the setup is wrong.
[[nodiscard]] int run_fix(const RunFolder& folder, const Spawner& spawner,
                          const PrintOptions& print);

/// Says what `fix` would do, and runs nothing.
[[nodiscard]] int dry_run(const RunFolder& folder, const PrintOptions& print);

/// `tenline locate`: the ranked places; runs the check where there is one, else by the issue alone.
[[nodiscard]] int run_locate(const RunFolder& folder, const Spawner& spawner,
                             const PrintOptions& print);

/// Prints the report of a finished run again.
[[nodiscard]] int show_run(const RunFolder& folder, const PrintOptions& print);

/// Applies a patch of a finished run to the user's repository.
[[nodiscard]] int apply_run(const RunFolder& folder, std::size_t candidate,
                            const std::string& branch);

}  // namespace tenline::cli
