#pragma once

#include <sys/types.h>

#include <string>
#include <vector>

#include "engine/platform/process.h"

namespace tenline {

/// Spaces out what is slow, so that it takes a twentieth of the time at most.
class Pace {
 public:
  [[nodiscard]] bool is_due();
  void done(long long least_pause_ms = 0);

 private:
  long long start_ = 0;
  long long due_ = 0;
};

/// Watches a sandbox through its own /proc, which shows its processes and no others.
class SandboxWatch final : public TreeWatch {
 public:
  /// `status` is bubblewrap's JSON status; `folders` are the writable ones, measured now.
  SandboxWatch(UniqueFd status, const ProcessLimits& limits, std::vector<std::string> folders);

  [[nodiscard]] std::optional<ProcessEnd> look() override;
  [[nodiscard]] double cpu_seconds() const override { return cpu_seconds_; }

  /// The program's exit code as bubblewrap reports it, after the end; none where the sandbox could
  /// not be made or was killed.
  [[nodiscard]] std::optional<int> exit_code();
  /// How the temporary and writable folders are full, for people; also after the end. Empty where
  /// they are not. Many files fill them too, for each takes more than its text.
  [[nodiscard]] const std::string& scratch_problem();

 private:
  struct Usage {
    std::size_t own_memory = 0;
    std::size_t shared_memory = 0;
    int tasks = 0;
    double cpu_seconds = 0;
  };
  struct FolderSize {
    std::size_t bytes = 0;
    std::size_t entries = 0;
    std::size_t unmeasured = 0;  ///< Folders that cannot be listed, or are too deep.
  };
  /// Files without a name, which live as long as somebody has them open.
  struct OpenFiles {
    std::size_t memory = 0;
    std::size_t scratch = 0;
  };

  void read_status();
  bool find_sandbox();
  [[nodiscard]] static Usage measure(int proc);
  [[nodiscard]] static std::size_t exact_memory(int proc, const OpenFiles& open_files);
  [[nodiscard]] OpenFiles measure_open_files(int proc) const;
  [[nodiscard]] FolderSize size_of_folders(std::size_t most_entries) const;
  [[nodiscard]] std::string temporary_problem() const;
  [[nodiscard]] std::string folder_problem() const;

  UniqueFd status_;
  std::string status_text_;
  ProcessLimits limits_;
  std::vector<std::string> folders_;
  std::size_t most_entries_;  ///< Of each temporary folder, and new ones of the writable ones.
  FolderSize before_;
  dev_t memory_device_ = 0;  ///< Where all files in memory are.
  OpenFiles open_files_;
  UniqueFd init_;  ///< /proc/<first process>; useless, not wrong, when it is gone.
  std::vector<UniqueFd> temporary_;  ///< Keep the folders measurable after the sandbox's end.
  double cpu_seconds_ = 0;
  std::string scratch_problem_;
  Pace folder_pace_;
  Pace memory_pace_;
  Pace open_files_pace_;
};

}  // namespace tenline
