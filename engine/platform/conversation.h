#pragma once

#include <functional>
#include <memory>

#include "engine/core/ports.h"
#include "engine/platform/fd.h"

namespace tenline {

/// Runs a program to its end with `channel` as one of its descriptors; `stop` ends it.
using RunWithChannel =
    std::function<Result<ProcessOutput>(const StopRequest& stop, UniqueFd channel)>;

/// A conversation with the program that `run` runs, on a thread of its own; `stop` cancels it.
[[nodiscard]] Result<std::unique_ptr<Conversation>> open_conversation(StopRequest stop,
                                                                      RunWithChannel run);

}  // namespace tenline
