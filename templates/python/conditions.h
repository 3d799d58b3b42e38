#pragma once

// Conditions, taken apart.

#include <set>
#include <string>
#include <vector>

#include "engine/syntax/tree.h"

namespace tenline::templates {

/// The variables that an expression reads.
[[nodiscard]] std::set<std::string> variables_of(const Node& expression);

/// What an expression is about: its variables, and attributes of self by their own names.
[[nodiscard]] std::set<std::string> subjects_of(const Node& expression);

/// The opposite of a test, empty for chains of comparisons and operators without one.
[[nodiscard]] std::string negated(const Node& atom);

/// The operands of a condition's `and`, `or` and `not`, innermost.
[[nodiscard]] std::vector<Node> atoms_of(const Node& condition);

/// The conditions below a node: of `if`, `elif`, `while`, `assert`, `x if c else y` and filters.
[[nodiscard]] std::vector<Node> conditions_in(const Node& node);

}  // namespace tenline::templates
