// The operands of an operation in the other order: `a - b`, `x in names`, a guard that stands
// behind what it guards. Orders by `<` and the like are left to change-comparison, which reaches
// the same meaning by the operator.

#include <algorithm>

#include "templates/python/edits.h"

namespace tenline::templates {
namespace {

void swap(const Node& anchor, const Node& left, const Node& right, double weight, Proposals& out) {
  if (left.text() == right.text()) return;
  // `a - b - c` is `(a - b) - c`: as a right operand the left one needs parentheses.
  const bool nested = left.is("binary_operator") && anchor.is("binary_operator");
  Proposal proposal;
  proposal.changes = {
      {left.span(), std::string(right.text())},
      {right.span(), nested ? fmt::format("({})", left.text()) : std::string(left.text())}};
  proposal.anchor = anchor;
  proposal.weight = weight;
  proposal.summary = fmt::format("swap `{}` and `{}`", brief(left.text()), brief(right.text()));
  proposal.repeatable = true;
  out.add(std::move(proposal));
}

/// Sums of numbers are the same both ways, those of texts and lists are not.
double sum_fit(const Node& left, const Node& right, bool texts, const Context& context) {
  for (const Node& operand : {left, right}) {
    if (operand.is("list") || operand.is("tuple") || operand.is("list_comprehension")) return 0.2;
    const bool product = operand.is("binary_operator") && operator_of(operand).text() != "+";
    if (operand.is("integer") || operand.is("float") || product) return 0;
    if (const SeenValue* seen = context.seen(operand)) {
      return seen->type == "str" || seen->type == "list" || seen->type == "tuple" ? 0.3 : 0;
    }
  }
  return texts ? 0.15 : 0.03;
}

void rewrite_arithmetic(const Node& operation, const Context& context, Proposals& out) {
  const Node left = operation.field("left");
  const Node right = operation.field("right");
  const std::string_view sign = operation.field("operator").text();
  const bool texts = left.is("string") || right.is("string");
  double weight = 0;
  if (sign == "-") {
    weight = 0.5;
  } else if (sign == "/" || sign == "//" || sign == "@" || (sign == "%" && !texts)) {
    weight = 0.4;
  } else if (sign == "+") {
    weight = sum_fit(left, right, texts, context);
  } else if (sign == "**" || sign == "<<" || sign == ">>") {
    weight = 0.1;
  }
  if (weight == 0) return;
  // `n - 1` is rarely meant as `1 - n`.
  if (left.is("integer") || right.is("integer")) weight *= 0.3;
  if (context.fails_here(operation)) weight *= 1.3;
  swap(operation, left, right, weight, out);
}

void rewrite_membership(const Node& comparison, const Context& context, Proposals& out) {
  const std::vector<Node> operands = comparison.children();
  if (operands.size() != 2 || !operator_of(comparison).text().ends_with("in")) return;
  const Symptom& symptom = context.symptom();
  double weight = 0.5;
  if (symptom.is("TypeError") && (symptom.mentions("not iterable") || symptom.mentions("'in <"))) {
    weight = context.fails_here(comparison) ? 2 : 1;
  }
  if (operands[1].is("list") || operands[1].is("tuple") || operands[1].is("set") ||
      operands[1].is("dictionary")) {
    weight = 0.02;
  }
  if (operands[0].is("string")) weight *= 0.3;  // A key or a word: it is what is looked for.
  swap(comparison, operands[0], operands[1], weight, out);
}

/// The operands of a chain of one of `and` and `or`, in order.
std::vector<Node> operands_of(const Node& chain, std::string_view sign) {
  std::vector<Node> operands;
  Node at = chain;
  while (at.is("boolean_operator") && at.field("operator").text() == sign) {
    operands.push_back(at.field("right"));
    at = at.field("left");
  }
  operands.push_back(at);
  std::reverse(operands.begin(), operands.end());
  return operands;
}

/// True if the test says of something that the other operand needs whether it is there.
bool guards(const Node& test, const Node& use) {
  const std::vector<Node> needed = dereferenced(use);
  bool found = false;
  test.walk([&](const Node& node) {
    found = found || (is_plain(node) && std::any_of(needed.begin(), needed.end(), [&](auto& need) {
                        return need.text() == node.text();
                      }));
    return !found && !node.is("attribute") && !node.is("subscript");
  });
  return found;
}

void rewrite_chain(const Node& chain, const Context& context, Proposals& out) {
  const std::string_view sign = chain.field("operator").text();
  const Node parent = chain.parent();
  if (parent.is("boolean_operator") && parent.field("operator").text() == sign) return;
  const std::vector<Node> operands = operands_of(chain, sign);
  for (std::size_t i = 0; i + 1 < operands.size(); ++i) {
    for (std::size_t j = i + 1; j < operands.size(); ++j) {
      if (!guards(operands[j], operands[i]) || guards(operands[i], operands[j])) continue;
      swap(chain, operands[i], operands[j], context.fails_here(chain) ? 1.5 : 0.7, out);
    }
  }
}

void rewrite(const Match& match, const Context& context, Proposals& out) {
  const Node operation = match["operation"];
  if (operation.is("binary_operator")) {
    rewrite_arithmetic(operation, context, out);
  } else if (operation.is("comparison_operator")) {
    rewrite_membership(operation, context, out);
  } else {
    rewrite_chain(operation, context, out);
  }
}

}  // namespace

extern constinit const Template k_swap_operands = {
    .id = "swap-operands",
    .family = Family::arithmetic,
    .summary = "Swap the operands of an operation, or put a guard before what it guards.",
    .language = Language::python,
    .query = "[(binary_operator) (comparison_operator) (boolean_operator)] @operation",
    .prior = 0.6,
    .rewrite = rewrite,
};
}  // namespace tenline::templates
