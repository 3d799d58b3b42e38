#pragma once

#include <string>
#include <vector>

#include "app/cli/options.h"

namespace tenline::cli {

/// The folder of one run. It describes itself: what was asked, the inputs, the state, the results.
///
///     input/options.json  input/issue.md  input/check/  what was asked
///     run.db  log.jsonl                                    state, and what happened
///     repo.git  worktrees/                                 private clone; worktrees go at the end
///     report.json  patch.diff  0001-*.patch  patches/      results
class RunFolder {
 public:
  /// Makes the next free numbered folder below `parent`.
  [[nodiscard]] static Result<RunFolder> create(const std::string& parent);
  /// Finds a run by its folder, by its id below one of the parents, or the newest in a folder of
  /// runs.
  [[nodiscard]] static Result<RunFolder> find(const std::string& run,
                                              const std::vector<std::string>& parents);

  [[nodiscard]] const std::string& path() const { return path_; }
  [[nodiscard]] std::string id() const;
  [[nodiscard]] std::string file(const std::string& name) const { return path_ + "/" + name; }
  /// The copy of the reproduction script, in a folder of its own: it may have any name.
  [[nodiscard]] std::string script(const FixOptions& options) const {
    return file("input/check/" + options.repro_name);
  }
  [[nodiscard]] Result<FixOptions> options() const;
  [[nodiscard]] Result<void> keep(const FixOptions& options) const;

 private:
  explicit RunFolder(std::string path) : path_(std::move(path)) {}
  std::string path_;
};

/// Where runs are kept unless the user says otherwise: `runs` here, or, where "here" lies inside
/// the repository, which stays as it is, the user's folder for state.
[[nodiscard]] std::string default_runs_folder(const std::string& repository);
/// Both of them.
[[nodiscard]] std::vector<std::string> default_runs_folders();

}  // namespace tenline::cli
