#pragma once

#include <optional>
#include <string>
#include <vector>

#include "engine/core/ports.h"

namespace tenline {

/// How sandboxes can be made on this machine.
struct SandboxMode {
  bool as_root = false;  ///< Set up by root in a prepared user namespace, run as another user.
  bool disable_userns = false;  ///< bubblewrap itself can forbid more user namespaces.
};

inline constexpr int k_status_fd = 4;   ///< bubblewrap's JSON status; its arguments are on 3.
inline constexpr int k_filter_fd = 5;   ///< The filter of system calls.
inline constexpr int k_channel_fd = 6;  ///< Of a conversation.
inline constexpr unsigned k_first_uid = 61184;  ///< Of slot 0; systemd leaves 61184 to 65519 free.
inline constexpr unsigned k_slots = 4096;
inline constexpr const char* k_sandbox_home = "/tmp/home";
inline constexpr const char* k_sandbox_work = "/tmp/work";  ///< The fresh folder.

/// bubblewrap's arguments: namespaces, mounts, environment; and what it runs.
struct SandboxProfile {
  std::vector<std::string> arguments;  ///< Up to the command, for `--args`.
  std::vector<std::string> command;  ///< Sets the last limits and the user, then runs the program.
};

/// The profile of a command whose program was resolved to `program`. Refuses with invalid_input
/// paths that are not absolute or would uncover the system, with not_found paths, program and cwd
/// that do not exist or would not be visible inside. As root, refuses
/// readable paths that other users cannot read.
[[nodiscard]] Result<SandboxProfile> make_profile(const Command& command, const SandboxMode& mode,
                                                  const std::string& program);

/// The user that the command runs as where root sets it up.
[[nodiscard]] unsigned user_of(const Command& command);

/// Limits that are set before bubblewrap starts.
[[nodiscard]] std::vector<std::pair<int, unsigned long>> profile_limits(
    const ProcessLimits& limits);

}  // namespace tenline
