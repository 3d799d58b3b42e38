// A condition is inverted, joins its operands the other way, or tells None from empty; an `else`
// gets a condition, an `elif` leaves its chain.

#include <algorithm>

#include "templates/python/edits.h"

namespace tenline::templates {
namespace {

/// A condition's part that is true or false by itself: `not`, `and` and `or` looked through.
void change_atom(const Node& atom, const Context& context, Proposals& out) {
  const Symptom& symptom = context.symptom();
  const bool none = symptom.mentions("'NoneType'") || symptom.mentions("Boolean value of");
  const double fit = none || symptom.mentions("truth value of") ? 2 : 1;
  const auto propose = [&](const std::string& text, double weight) {
    out.replace(atom, text, weight * (context.fails_here(atom) ? 1.3 : 1),
                fmt::format("test `{}` instead of `{}`", brief(text), brief(atom.text())));
  };
  const Node parent = atom.parent();
  const bool negated = parent.is("not_operator");
  if (atom.is("comparison_operator")) {
    const std::vector<Node> operands = atom.children();
    if (operands.size() != 2 || !operands[1].is("none") || negated) return;
    const bool is_not = operator_of(atom).text() == "is not";
    const std::string value = in_parentheses(operands[0]);
    propose(is_not ? value : fmt::format("not {}", value), 0.4);
    return;
  }
  const bool whole = !parent.is("boolean_operator");
  if (!negated) propose(fmt::format("not {}", in_parentheses(atom)), whole ? 0.5 : 0.3);
  if (!is_plain(atom) && !atom.is("call")) return;
  if (negated) {
    out.replace(parent, fmt::format("{} is None", atom.text()), 0.45 * fit,
                fmt::format("test `{0} is None` instead of `not {0}`", brief(atom.text())));
    return;
  }
  const double weight = (is_plain(atom) ? 0.5 : 0.2) * (whole ? 1 : 0.8);
  propose(fmt::format("{} is not None", atom.text()), weight * fit);
  if (is_plain(atom)) propose(fmt::format("len({}) > 0", atom.text()), 0.12 * fit);
}

void change_chain(const Node& chain, const Context& context, Proposals& out) {
  const Node sign = chain.field("operator");
  const double fit = context.fails_here(chain) ? 1.2 : 1;
  const bool conjunction = sign.text() == "and";
  Proposal other =
      change_of(chain, sign.span(), conjunction ? "or" : "and", 0.5 * fit,
                fmt::format("join `{}` by `{}`", brief(chain.text()), conjunction ? "or" : "and"));
  other.repeatable = true;
  out.add(std::move(other));
  const Node parent = chain.parent();
  if (!parent.is("boolean_operator") && !parent.is("parenthesized_expression")) {
    out.replace(chain, fmt::format("not ({})", chain.text()), 0.15 * fit,
                fmt::format("invert `{}`", brief(chain.text())));
  }
}

/// True for the tests of if, elif, while, assert, comprehensions and conditional expressions, and
/// for operands of tests.
bool is_condition(const Node& expression) {
  Node at = expression;
  while (at.parent().is("parenthesized_expression") || at.parent().is("not_operator")) {
    at = at.parent();
  }
  const Node parent = at.parent();
  if (parent.is("boolean_operator") || parent.is("if_clause")) return true;
  if (parent.is("conditional_expression")) return parent.child(1) == at;
  if (parent.is("assert_statement")) return parent.child(0) == at;
  return parent.field("condition") == at;
}

void change_else(const Node& clause, const Context& context, Proposals& out) {
  const Node statement = clause.parent();
  if (!statement.is("if_statement")) return;
  const Node word = clause.all_children().front();
  Choices conditions;
  for (const Node& value : dereferenced(clause.field("body"))) {
    conditions.add(fmt::format("{} is not None", value.text()), 0.25);
  }
  for (const Node& statement_in : clause.field("body").children()) {
    for (const Node& value : dereferenced(statement_in)) {
      conditions.add(fmt::format("{} is not None", value.text()), 0.25);
    }
    // An assertion says what the branch is for.
    if (statement_in.is("assert_statement")) conditions.add(statement_in.child(0).text(), 0.6);
  }
  // Another value of what the first test compares.
  const Node test = statement.field("condition");
  if (test.is("comparison_operator") && operator_of(test).text() == "==") {
    const std::string_view subject = test.child(0).text();
    context.tree().root().walk([&](const Node& node) {
      const bool same = node.is("comparison_operator") && operator_of(node).text() == "==" &&
                        node.child(0).text() == subject &&
                        node.child(1).text() != test.child(1).text();
      if (same) conditions.add(node.text(), 0.4);
      return true;
    });
    for (const std::string& literal : context.issue_literals()) {
      if (test.child(1).is("string") == string_content(literal).has_value()) {
        conditions.add(fmt::format("{} == {}", subject, literal), 0.3);
      }
    }
  }
  for (const auto& [condition, weight] : conditions.best(5)) {
    out.add(change_of(clause, word.span(), fmt::format("elif {}", condition), weight,
                      fmt::format("enter the `else` only if `{}`", brief(condition))));
  }
}

void rewrite(const Match& match, const Context& context, Proposals& out) {
  const Node node = match["node"];
  if (node.is("else_clause")) {
    change_else(node, context, out);
    return;
  }
  if (node.is("elif_clause")) {
    const std::size_t begin = node.span().begin;
    out.add(change_of(node, {begin, begin + 2}, "", 0.3, "make the `elif` an `if` of its own"));
    return;
  }
  if (node.is("if_statement")) {
    Node before = node.previous_sibling();
    while (before.is("comment")) before = before.previous_sibling();
    const bool chained =
        before.is("if_statement") && before.fields("alternative").empty() && starts_line(node);
    if (!chained) return;
    const std::size_t begin = node.span().begin;
    out.add(change_of(node, {begin, begin}, "el", 0.25, "chain the `if` to the one before"));
    return;
  }
  if (node.is("not_operator")) {
    const Node argument = node.field("argument");
    if (argument.is("comparison_operator") || argument.is("none")) return;
    const std::size_t begin = node.span().begin;
    out.add(change_of(node, {begin, argument.span().begin}, "", 0.5,
                      fmt::format("drop the `not` of `{}`", brief(node.text()))));
    return;
  }
  if (node.is("boolean_operator")) {
    change_chain(node, context, out);
  } else if (is_condition(node)) {
    change_atom(node, context, out);
  }
}

}  // namespace

extern constinit const Template k_change_condition = {
    .id = "change-condition",
    .family = Family::conditional_logic,
    .summary = "Invert or sharpen a condition, swap `and` and `or`, give an `else` a condition.",
    .language = Language::python,
    .query =
        "[(boolean_operator) (not_operator) (comparison_operator) (identifier) (attribute)"
        " (subscript) (call) (else_clause) (elif_clause) (if_statement)] @node",
    .prior = 0.8,
    .answers = answers::key_error,
    .rewrite = rewrite,
};
}  // namespace tenline::templates
