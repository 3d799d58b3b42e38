// A missing factor, divisor or summand: `n // world_size`, `loss / steps`, `index + offset`; the
// operands are those of the file's other arithmetic and the sizes in scope.

#include <array>

#include "engine/base/text.h"
#include "templates/python/edits.h"

namespace tenline::templates {
namespace {

constexpr std::array<std::string_view, 10> k_size_words = {
    "size", "num", "count", "len", "length", "degree", "step", "rank", "scale", "factor"};

constexpr int k_power = 8;

/// How tight an operator binds; 0 for those that bind weaker than any arithmetic.
int tightness(std::string_view sign) {
  static constexpr std::array<std::pair<std::string_view, int>, 13> k_signs = {{{"|", 1},
                                                                                {"^", 2},
                                                                                {"&", 3},
                                                                                {"<<", 4},
                                                                                {">>", 4},
                                                                                {"+", 5},
                                                                                {"-", 5},
                                                                                {"*", 6},
                                                                                {"/", 6},
                                                                                {"//", 6},
                                                                                {"%", 6},
                                                                                {"@", 6},
                                                                                {"**", k_power}}};
  for (const auto& [known, value] : k_signs) {
    if (known == sign) return value;
  }
  return 0;
}

/// True if the text `whole sign operand` would be taken apart by what stands around it.
bool is_torn(const Node& whole, int tight) {
  const Node parent = whole.parent();
  if (parent.is("unary_operator") || parent.is("await")) return tight < k_power;
  if (parent.is("attribute") || parent.field("function") == whole) return true;
  if (parent.is("subscript")) return parent.field("value") == whole;
  if (!parent.is("binary_operator")) return false;
  const int around = tightness(parent.field("operator").text());
  const bool left = parent.field("left") == whole;
  return left && around != k_power ? around > tight : around >= tight;
}

/// `expression operation` in the parentheses that it needs.
Change extended(const Node& expression, std::string_view operation) {
  const int tight = tightness(operation.substr(0, operation.find(' ')));
  Node whole = expression;
  std::string text(expression.text());
  const int own = expression.is("binary_operator") ? tightness(expression.field("operator").text())
                                                   : k_power + 1;
  if (own < tight || (own == tight && tight == k_power)) {
    if (expression.parent().is("parenthesized_expression")) whole = expression.parent();
    text = fmt::format("({})", expression.text());
  }
  text = fmt::format("{} {}", text, operation);
  if (is_torn(whole, tight)) text = fmt::format("({})", text);
  return {whole.span(), std::move(text)};
}

/// True if the operation is what an expression ends with, or what follows it.
bool is_there(const Node& expression, std::string_view operation) {
  const auto does = [&](const Node& node) {
    return node.is("binary_operator") &&
           operation ==
               fmt::format("{} {}", node.field("operator").text(), node.field("right").text());
  };
  const Node parent = expression.parent();
  return does(expression) || (parent.field("left") == expression && does(parent));
}

void rewrite(const Match& match, const Context& context, Proposals& out) {
  const Node expression = awaited(match["expression"]);
  const Node parent = expression.parent();
  constexpr std::size_t k_longest = 120;
  if (!is_value(expression) || expression.span().size() > k_longest || is_message(expression))
    return;
  if (parent.is("attribute") || parent.is("expression_statement") ||
      (parent.is("call") && parent.field("function") == expression) ||
      (parent.is("subscript") && parent.field("value") == expression) ||
      parent.is("dictionary_splat") || is_base_class(expression)) {
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
    if (operand == expression.text() || is_there(expression, operation)) continue;
    const double rare = operation.starts_with("**") ? 0.3 : 1;
    double often = 0.21;
    if (count == 2) often = 0.25;
    if (count >= 3) often = 0.3;
    choices.add(operation, rare * often * (numeric ? 1.5 : 1));
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
  constexpr std::size_t k_most_distant = 30;
  for (const DistantValues::Fit& fit :
       context.distant().fitting(expression, in_scope, k_most_distant)) {
    const bool size = std::ranges::any_of(k_size_words, [&](std::string_view word) {
      return std::ranges::find(fit.value->words, word) != fit.value->words.end();
    });
    if (!size) continue;
    for (const std::string_view sign : {"*", "//", "/"}) {
      choices.add(fmt::format("{} {}", sign, fit.value->text),
                  std::min(0.3, 0.15 * fit.weight) * (numeric ? 1.5 : 1));
    }
  }
  const bool repeatable = may_repeat(context, expression);
  for (const auto& [operation, weight] : choices.best(40)) {
    const std::optional<std::string> fitted = quoted_for(expression, operation);
    if (!fitted) continue;
    Change change = extended(expression, *fitted);
    std::string summary =
        fmt::format("`{}` for `{}`", brief(change.text), brief(expression.text()));
    // Equal places repeat what changes within them only.
    const bool within = change.span == expression.span() && repeatable;
    out.add({{std::move(change)}, expression, weight, std::move(summary), within});
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
    .answers = answers::index_error,
    .rewrite = rewrite,
};
}  // namespace tenline::templates
