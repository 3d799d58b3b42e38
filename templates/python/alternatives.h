#pragma once

// What code may do or give where a test fails.

#include <string>
#include <utility>
#include <vector>

#include "templates/context.h"

namespace tenline::templates {

/// Values that may stand in for an expression, with how well they fit, the best first: None, the
/// neutral value of its kind, a part of it, a variable.
[[nodiscard]] std::vector<std::pair<std::string, double>> stand_ins(const Context& context,
                                                                    const Node& value);

}  // namespace tenline::templates
