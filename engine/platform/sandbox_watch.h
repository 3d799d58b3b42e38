#pragma once

#include <set>
#include <string>
#include <vector>

#include "engine/platform/process.h"

namespace tenline {

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
  /// Whether a temporary or writable folder is full, also after the end.
  [[nodiscard]] bool scratch_is_full();

 private:
  struct Usage {
    std::size_t memory = 0;
    int tasks = 0;
    double cpu_seconds = 0;
  };
  struct FolderSize {
    std::size_t bytes = 0;
    std::size_t entries = 0;
  };

  void read_status();
  bool find_sandbox();
  [[nodiscard]] static Usage measure(int proc);
  [[nodiscard]] static std::size_t exact_memory(int proc);
  [[nodiscard]] FolderSize size_of_folders() const;
  [[nodiscard]] bool folders_grew() const;

  UniqueFd status_;
  std::string status_text_;
  ProcessLimits limits_;
  std::vector<std::string> folders_;
  FolderSize before_;
  UniqueFd init_;  ///< /proc/<first process>; useless, not wrong, when it is gone.
  std::vector<UniqueFd> temporary_;  ///< Keep the folders measurable after the sandbox's end.
  double cpu_seconds_ = 0;
  long long folder_check_due_ = 0;
  long long memory_check_due_ = 0;
};

}  // namespace tenline
