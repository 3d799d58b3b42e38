#pragma once

// Small pieces that several Python templates share.

#include <string>
#include <string_view>
#include <vector>

#include "templates/context.h"
#include "templates/template.h"

namespace tenline::templates {

/// How well a name fits in place of another, around 1 for near misses and falling fast. Names that
/// the issue uses, and bindings that are near, fit better.
[[nodiscard]] double fit_of_name(const Context& context, std::string_view old_name,
                                 std::string_view new_name);

/// A proposal that replaces one range within the anchor.
[[nodiscard]] Proposal change_of(const Node& anchor, Span span, std::string text, double weight,
                                 std::string summary);

/// `x` becomes `(x)` where it binds weaker than a comparison's or call's operand.
[[nodiscard]] std::string in_parentheses(const Node& expression);

/// True for expressions whose value can be asked twice without harm: names, attributes of them,
/// subscripts by names or literals.
[[nodiscard]] bool is_plain(const Node& expression);

/// The expressions of a node that it needs to be something: `x` of `x.y`, `x[i]`, `x + 1`,
/// `len(x)`, `for a in x`; plain ones, without repeats, outermost first, at most eight.
[[nodiscard]] std::vector<Node> dereferenced(const Node& node);

/// The text of a statement with `extra` blanks before its lines after the first.
[[nodiscard]] std::string indented(const Node& statement, std::string_view extra);

/// The step of indentation that the file uses around a node: four blanks, two, or a tab.
[[nodiscard]] std::string indent_step(const Node& node);

/// The line end that the file uses.
[[nodiscard]] std::string line_end(const Node& node);

/// A summary's form of source text: one line, at most 60 characters.
[[nodiscard]] std::string brief(std::string_view text);

/// The operator between the operands of a binary, boolean or comparison operation, or an
/// assignment.
[[nodiscard]] Node operator_of(const Node& operation);

}  // namespace tenline::templates
