#pragma once

#include <string>

#include "engine/report/report.h"

namespace tenline {

enum class Colour { off, on };

/// What `tenline fix` and `tenline show` print for people: what happened, the patches with their
/// evidence and the command that applies them, or how far the search got and what would help.
/// Text of the repository and the issue is made visible, so that it cannot drive the terminal; with
/// Colour::off there is no escape sequence at all.
[[nodiscard]] std::string console_report(const RunReport& report, Colour colour);

}  // namespace tenline
