#pragma once

#include <string>

#include "engine/base/result.h"

namespace tenline {

/// The seccomp filter of every sandbox, as bubblewrap takes it. It refuses what no test of a
/// framework needs and what lets a program reach more of the kernel: tracing, mounts, namespaces,
/// keys, BPF, io_uring, clocks, unusual sockets, other ABIs, and set-user-id files. `unavailable`
/// where it cannot be made.
[[nodiscard]] Result<std::string> make_system_call_filter();

}  // namespace tenline
