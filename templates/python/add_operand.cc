// A missing factor, divisor or summand: `n // world_size`, `loss / steps`, `index + offset`; the
// operands are those of the file's other arithmetic and the sizes in scope.

#include <array>

#include "engine/base/text.h"
#include "templates/python/edits.h"

namespace tenline::templates {
namespace {

constexpr std::array<std::string_view, 10> k_size_words = {
    "size", "num", "count", "len", "length", "degree", "steps", "rank", "scale", "factor"};

bool is_loose(const Node& expression) {
  return expression.is("binary_operator") || expression.is("conditional_expression") ||
         expression.is("boolean_operator") || expression.is("comparison_operator") ||
         expression.is("lambda");
}

void rewrite(const Match& match, const Context& context, Proposals& out) {
  const Node expression = match["expression"];
  const Node parent = expression.parent();
  constexpr std::size_t k_longest = 120;
  if (!is_value(expression) || expression.span().size() > k_longest || is_message(expression))
    return;
  if (parent.is("attribute") || parent.is("expression_statement") ||
      (parent.is("call") && parent.field("function") == expression) ||
      (parent.is("subscript") && parent.field("value") == expression)) {
    return;
  }
  for (const Name& name : context.names(expression)) {
    if (name.text == expression.text() && name.kind == NameKind::import) return;
  }
  const auto& in_scope = context.name_set(expression);
  const bool numeric = parent.is("binary_operator") || parent.is("slice") ||
                       expression.is("binary_operator") || expression.is("integer");
  Choices choices;
  for (const auto& [operation, count] : context.ingredients().operations()) {
    const std::size_t space = operation.find(' ');
    const std::string_view operand = std::string_view(operation).substr(space + 1);
    const std::string_view root = operand.substr(0, operand.find_first_of(".[( "));
    if (is_identifier(root) && !in_scope.contains(root)) continue;
    if (operand == expression.text()) continue;
    choices.add(operation, (count >= 3 ? 0.3 : count == 2 ? 0.25 : 0.2) * (numeric ? 1.5 : 1));
  }
  for (const Name& name : context.names(expression)) {
    const bool local = name.kind == NameKind::parameter || name.kind == NameKind::local;
    if (!local || name.text == expression.text()) continue;
    const std::vector<std::string> words = words_of(name.text);
    const bool size = std::any_of(k_size_words.begin(), k_size_words.end(), [&](auto word) {
      return std::find(words.begin(), words.end(), word) != words.end();
    });
    if (!size) continue;
    for (const auto& [sign, weight] : {std::pair<std::string_view, double>{"*", 0.2},
                                       {"/", 0.15},
                                       {"//", 0.2},
                                       {"+", 0.1},
                                       {"-", 0.1}}) {
      choices.add(fmt::format("{} {}", sign, name.text), weight * (numeric ? 1.5 : 1));
    }
  }
  for (const Ingredients::Fit& fit : context.ingredients().fitting(expression, in_scope, 30)) {
    const bool size = std::any_of(k_size_words.begin(), k_size_words.end(), [&](auto word) {
      const auto& words = fit.ingredient->words;
      return std::find(words.begin(), words.end(), word) != words.end();
    });
    if (!size) continue;
    for (const std::string_view sign : {"*", "//", "/"}) {
      choices.add(fmt::format("{} {}", sign, fit.ingredient->text),
                  std::min(0.3, 0.15 * fit.weight) * (numeric ? 1.5 : 1));
    }
  }
  const std::string base = is_loose(expression) && !parent.is("parenthesized_expression")
                               ? fmt::format("({})", expression.text())
                               : std::string(expression.text());
  for (const auto& [operation, weight] : choices.best(24)) {
    Proposal proposal =
        change_of(expression, expression.span(), fmt::format("{} {}", base, operation), weight,
                  fmt::format("`{} {}`", brief(base), operation));
    proposal.repeatable = true;
    out.add(std::move(proposal));
  }
}

}  // namespace

extern constinit const Template k_add_operand = {
    .id = "add-operand",
    .family = Family::arithmetic,
    .summary = "Multiply, divide, add or subtract what the file's other arithmetic uses.",
    .language = Language::python,
    .query =
        "[(identifier) (attribute) (call) (subscript) (binary_operator) (integer)] @expression",
    .prior = 0.3,
    .rewrite = rewrite,
};
}  // namespace tenline::templates
