#include "templates/python/imports.h"

#include "templates/python/edits.h"

namespace tenline::templates {

namespace {

bool is_docstring(const Node& statement) {
  return statement.is("expression_statement") && statement.child(0).is("string");
}

bool is_import(const Node& statement) {
  return statement.is("import_statement") || statement.is("import_from_statement");
}

Proposal proposal_of(const Node& anchor, std::size_t at, std::string text,
                     const std::string& import, double weight) {
  return {{{{at, at}, std::move(text)}}, anchor, weight, fmt::format("add `{}`", brief(import))};
}

}  // namespace

Node first_statement(const Node& body) {
  for (const Node& statement : body.children()) {
    if (!is_docstring(statement)) return statement;
  }
  return {};
}

Proposal top_level_import(const Node& anchor, const std::string& import, double weight) {
  Node root = anchor;
  while (root.parent()) root = root.parent();
  Node last;
  bool any_import = false;
  for (const Node& statement : root.children()) {
    const bool before_imports = is_docstring(statement) || statement.is("future_import_statement");
    if (!is_import(statement) && !before_imports) {
      if (any_import) break;
      continue;  // A flag or a `try` above the imports.
    }
    if (before_imports && any_import) break;
    any_import = any_import || is_import(statement);
    last = statement;
  }
  const std::string end = line_end(anchor);
  if (!last) {
    const Node first = first_statement(root);
    const std::size_t at = first ? first.span().begin : root.source().size();
    return proposal_of(anchor, at, import + end, import, weight);
  }
  return proposal_of(anchor, end_of_line(last), end + import, import, weight);
}

Proposal import_before(const Node& statement, const std::string& import, double weight) {
  return proposal_of(statement, statement.span().begin,
                     import + line_end(statement) + indentation(statement), import,
                     starts_line(statement) ? weight : 0);
}

Proposal local_import(const Node& anchor, const std::string& import, double weight) {
  const Node function = enclosing_function(anchor);
  const Node first = first_statement(function.field("body"));
  if (!first) return {{}, anchor, 0, import};
  Proposal proposal = import_before(first, import, weight);
  proposal.anchor = anchor;
  proposal.summary += fmt::format(" in `{}`", function.field("name").text());
  return proposal;
}

}  // namespace tenline::templates
