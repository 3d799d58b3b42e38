// A statement goes, or the `if` or `else` around it. Few fixes are only that, so it is tried late.

#include <algorithm>

#include "templates/python/edits.h"
#include "templates/python/gaps.h"

namespace tenline::templates {
namespace {

/// True if the file does not say the names again that an import binds.
bool is_unused(const Node& import, const Context& context) {
  std::set<std::string_view> names;
  for (const Node& name : import.fields("name")) {
    const Node alias = name.field("alias");
    names.insert(alias ? alias.text() : name.child(0).text());
  }
  bool used = false;
  context.tree().root().walk([&](const Node& node) {
    used = used || (node.is("identifier") && names.contains(node.text()));
    return !used && node != import;
  });
  return !used;
}

/// How likely a statement of this kind is too much.
double fit_of(const Node& statement, const Context& context) {
  const Symptom& symptom = context.symptom();
  const bool here = context.fails_here(statement);
  const Node inner = statement.child(0);
  if (statement.is("assert_statement")) return symptom.is("AssertionError") && here ? 2.5 : 0.4;
  if (statement.is("raise_statement")) return here ? 1.5 : 0.3;
  if (statement.is("import_statement") || statement.is("import_from_statement")) {
    const bool import = symptom.is("ImportError") || symptom.is("ModuleNotFoundError");
    if (import && here) return 2;
    return is_unused(statement, context) ? 0.6 : 0.1;
  }
  if (statement.is("return_statement")) return 0.25;
  if (statement.is("expression_statement")) {
    if (inner.is("string")) return 0;  // A docstring.
    if (inner.is("assignment") || inner.is("augmented_assignment")) return here ? 0.3 : 0.4;
    return 0.6;
  }
  return statement.is("break_statement") || statement.is("continue_statement") ? 0.4 : 0.2;
}

/// True if nothing points to the lines of code beside the statement.
bool is_apart(const Node& statement, const Context& context) {
  const Node before = previous_statement(statement);
  const Node after = next_statement(statement);
  return context.line_score(statement.line() - 1) <= 0 &&
         context.line_score(statement.end_line() + 1) <= 0 &&
         (!before || context.line_score(before.end_line()) <= 0) &&
         (!after || context.line_score(after.line()) <= 0);
}

void delete_simple(const Node& statement, const Context& context, Proposals& out) {
  const double weight = fit_of(statement, context) * (is_apart(statement, context) ? 1.5 : 0.7);
  if (weight == 0 || statement.is("pass_statement")) return;
  const std::string summary = fmt::format("delete `{}`", brief(statement.text()));
  if (is_alone(statement)) {
    out.replace(statement, "pass", weight * 0.7, summary);
    return;
  }
  if (!has_own_lines(statement)) return;
  out.add(change_of(statement, whole_lines(statement), "", weight, summary));
}

/// `if c: S` becomes `S`.
void unwrap_if(const Node& statement, const Context& context, Proposals& out) {
  const Node block = statement.field("consequence");
  if (!statement.fields("alternative").empty() || !has_own_lines(statement)) return;
  const std::string summary =
      fmt::format("drop `if {}`", brief(statement.field("condition").text()));
  const double here = context.fails_here(statement) ? 1.5 : 1;
  Proposal proposal = {{}, statement, 0.5 * here, summary + " and keep its body", false};
  proposal.changes = dedented(statement, block);
  out.add(std::move(proposal));
  if (is_alone(statement)) {
    out.replace(statement, "pass", 0.3 * here, summary + " and its body");
  } else {
    out.add(
        change_of(statement, whole_lines(statement), "", 0.4 * here, summary + " and its body"));
  }
}

void drop_else(const Node& clause, Proposals& out) {
  Proposal proposal = {{}, clause, 0.3, "do what the `else` does in any case", false};
  proposal.changes = dedented(clause, clause.field("body"));
  out.add(std::move(proposal));
  const Node before = clause.previous_sibling();
  const std::size_t begin = before.span().end;
  out.add(change_of(clause, {begin, clause.span().end}, "", 0.3, "delete the `else`"));
}

void rewrite(const Match& match, const Context& context, Proposals& out) {
  const Node node = match["node"];
  if (node.is("if_statement")) {
    unwrap_if(node, context, out);
  } else if (node.is("else_clause")) {
    drop_else(node, out);
  } else {
    delete_simple(node, context, out);
  }
}

}  // namespace

extern constinit const Template k_delete_statement = {
    .id = "delete-statement",
    .family = Family::state_or_order,
    .summary = "Delete a statement, or the if or else around statements.",
    .language = Language::python,
    .query =
        "[(expression_statement) (assert_statement) (raise_statement) (return_statement)"
        " (import_statement) (import_from_statement) (delete_statement) (break_statement)"
        " (continue_statement) (if_statement) (else_clause)] @node",
    .prior = 0.4,
    .answers = answers::import_error,
    .rewrite = rewrite,
};
}  // namespace tenline::templates
