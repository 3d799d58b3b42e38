#pragma once

#include <string>

#include "engine/syntax/tree.h"

namespace tenline {

/// The code below a node of a Python tree without what has no meaning: comments, docstrings,
/// layout, parentheses that only group, the style of quotes, trailing commas, `elif` for `else:
/// if`. Two texts with equal normal forms have equal syntax trees by Python's own parser, up to
/// numbers and escapes that are written in another way.
[[nodiscard]] std::string normal_form(const Node& node);

/// True for a string that stands as the first statement of a module, class or function.
[[nodiscard]] bool is_docstring(const Node& statement);

}  // namespace tenline
