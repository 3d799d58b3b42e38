#pragma once

// Where an import goes, and from where a name comes.

#include <string>
#include <string_view>
#include <vector>

#include "templates/context.h"
#include "templates/template.h"

namespace tenline::templates {

/// Adds an import behind the first block of top-level imports; behind the docstring and
/// `from __future__` where there is no other.
[[nodiscard]] Proposal top_level_import(const Node& anchor, const std::string& import,
                                        double weight);

/// Adds an import as the first statement of the function around, behind its docstring.
[[nodiscard]] Proposal local_import(const Node& anchor, const std::string& import, double weight);

/// Adds an import on a line of its own before a statement.
[[nodiscard]] Proposal import_before(const Node& statement, const std::string& import,
                                     double weight);

/// Import statements that bind a name, best first, at most six: as the repository imports it
/// elsewhere, from the module of the repository that defines it, from the standard library.
[[nodiscard]] std::vector<std::string> imports_of_name(const Context& context,
                                                       std::string_view name);

/// `..a` in `pkg/x/file.py` is `pkg.a`; modules that are not relative stay.
[[nodiscard]] std::string absolute_module(std::string_view file, std::string_view module);

/// The module as the file may write it with dots in front; empty where they share no package.
[[nodiscard]] std::string relative_module(std::string_view file, std::string_view module);

/// The first statement of a block or module that is no docstring; null if there is none.
[[nodiscard]] Node first_statement(const Node& body);

}  // namespace tenline::templates
