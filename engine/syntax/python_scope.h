#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "engine/syntax/tree.h"

namespace tenline {

/// Where a name in scope comes from; in the order in which Python looks.
enum class NameKind { parameter, local, enclosing, module, import, builtin };

struct Name {
  std::string text;
  NameKind kind = NameKind::local;
  int line = 0;  ///< Of its first binding; 0 for builtins.
};

/// The names that code at `at` can use, innermost scope first, without duplicates and without
/// builtins. Class bodies are seen only by code directly in them, as in Python.
[[nodiscard]] std::vector<Name> names_in_scope(const Node& at);

/// Names bound by a function or module body itself, nested functions not entered.
[[nodiscard]] std::vector<Name> bindings(const Node& scope);

/// The nearest function, lambda excluded, around a node; null at module level.
[[nodiscard]] Node enclosing_function(const Node& node);
[[nodiscard]] Node enclosing_class(const Node& node);

/// The statement that a node belongs to: the ancestor (or itself) directly in a block or module.
[[nodiscard]] Node enclosing_statement(const Node& node);

/// `Class.method`, `f.<locals>.g` or `<module>`, as Python's `__qualname__`.
[[nodiscard]] std::string qualified_name(const Node& node);

/// Blanks before the statement on its line.
[[nodiscard]] std::string indentation(const Node& statement);

/// True for load positions of an identifier: not a definition's name, an attribute's name, a
/// keyword's name, an import or an assignment's target.
[[nodiscard]] bool is_use(const Node& identifier);

/// True for `a.b.c` and `a`: names and dots only.
[[nodiscard]] bool is_dotted_name(Node node);

[[nodiscard]] const std::vector<std::string>& python_builtins();
[[nodiscard]] bool is_python_keyword(std::string_view text);

}  // namespace tenline
