#pragma once

#include <string>

#include "engine/platform/spawner.h"

namespace tenline::cli {

/// Checks what tenline needs of this machine and prints a line each, with what to do about it.
/// Gives 0 where all is there, 4 otherwise.
[[nodiscard]] int run_doctor(const std::string& python, const Spawner& spawner, bool json);

}  // namespace tenline::cli
