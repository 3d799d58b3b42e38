#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "engine/core/ports.h"
#include "engine/platform/spawner.h"

namespace tenline {

/// Keeps the first and the last 256 KiB of a stream, and says how much it left out between them.
class CappedText {
 public:
  static constexpr std::size_t k_part = std::size_t{256} << 10U;
  void add(std::string_view bytes);
  [[nodiscard]] std::string text() const;
  [[nodiscard]] std::size_t total() const { return total_; }

 private:
  std::string head_;
  std::string tail_;  ///< Up to twice a part, cut back when it is full.
  std::size_t total_ = 0;
};

/// Looks after a running tree from outside; told every 100 ms, more often at first.
class TreeWatch {
 public:
  virtual ~TreeWatch() = default;
  /// The limit that the tree has passed, if any.
  [[nodiscard]] virtual std::optional<ProcessEnd> look() = 0;
  /// CPU time seen so far; what killed processes used is seen in no other way.
  [[nodiscard]] virtual double cpu_seconds() const = 0;
};

/// Runs a started program to its end: drains its output, and ends its tree at the limits of time
/// and output, when `stop` or the watch (null: none) says so. The request's descriptors come after
/// 0, 1 and 2; `given_away` is one of them and closed here once the program has it. Nothing of the
/// tree is left afterwards.
[[nodiscard]] Result<ProcessOutput> supervise(const Spawner& spawner, SpawnRequest request,
                                              const ProcessLimits& limits, const StopRequest& stop,
                                              TreeWatch* watch, UniqueFd given_away = {});

/// The environment of a command as NAME=value, with PATH, LANG, HOME, TMPDIR, USER and LOGNAME
/// where they are missing. Refuses names and values that no environment can hold.
[[nodiscard]] Result<std::vector<std::string>> full_environment(const Command& command,
                                                                const std::string& home,
                                                                const std::string& temporary);

/// Where the command's program is: as it stands, below its cwd, or in the command's own PATH.
/// not_found names the program.
[[nodiscard]] Result<std::string> resolve_program(const Command& command);

/// Runs programs with the user's own rights, for `--unsafe-no-sandbox` only: limits of time, output
/// and file size; processes that a run leaves behind are killed, but nothing else is contained. The
/// spawner must outlive it; `stop` ends runs as `cancelled`.
[[nodiscard]] std::unique_ptr<ProcessRunner> make_unsafe_runner(const Spawner& spawner,
                                                                StopRequest stop);

}  // namespace tenline
