#pragma once

// Where an import goes.

#include <string>

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

/// The first statement of a block or module that is no docstring; null if there is none.
[[nodiscard]] Node first_statement(const Node& body);

}  // namespace tenline::templates
