#pragma once

#include <memory>
#include <string>

#include "engine/core/ports.h"
#include "engine/platform/spawner.h"

namespace tenline {

struct SandboxOptions {
  std::string bubblewrap;  ///< The program; empty: `bwrap` of the PATH.
  StopRequest stop;        ///< Asked every 100 ms; true ends runs as `cancelled`.
};

/// Runs programs in bubblewrap: no network but loopback, the system read-only, of all else only
/// what the command names, no capabilities, no new namespaces, a filter of system calls, an
/// unprivileged user where the engine is root, and limits on time, memory, processes, temporary
/// files and output. As root, what is in the writable folders is given to that user. Tries the
/// sandbox once and fails with `unavailable` and what to do about it; there is no way on without
/// it. The spawner must outlive the runner.
[[nodiscard]] Result<std::unique_ptr<ProcessRunner>> make_sandboxed_runner(const Spawner& spawner,
                                                                           SandboxOptions options);

/// Tries the sandbox and says in one line what was found, for people.
[[nodiscard]] Result<std::string> probe_sandbox(const Spawner& spawner,
                                                const SandboxOptions& options);

}  // namespace tenline
