// A value goes through a function that the file calls with one argument elsewhere: `ceil(x)`,
// `version.parse(x)`, `*x`; or is created anew by its like.

#include <algorithm>

#include "engine/base/text.h"
#include "templates/python/edits.h"

namespace tenline::templates {
namespace {

void rewrite(const Match& match, const Context& context, Proposals& out) {
  const Node expression = awaited(match["expression"]);
  const Node parent = expression.parent();
  constexpr std::size_t k_longest = 160;
  if (!is_value(expression) || expression.span().size() > k_longest || is_message(expression))
    return;
  if (parent.is("attribute") || parent.is("expression_statement") ||
      (parent.is("call") && parent.field("function") == expression) ||
      (parent.is("subscript") && parent.field("value") == expression) ||
      is_base_class(expression)) {
    return;
  }
  for (const Name& name : context.names(expression)) {
    if (name.text == expression.text() && name.kind == NameKind::import) return;
  }
  const std::vector<std::string> words = words_of(expression.text());
  const std::vector<std::string> role = words_of(purpose_of(expression));
  const auto& in_scope = context.name_set(expression);
  const Node call = expression.is("await") ? expression.child(0) : expression;
  Choices choices;
  for (const auto& [function, count] : context.ingredients().unary()) {
    const std::string_view root =
        std::string_view(function).substr(0, function.find_first_of(".[("));
    const bool builtin = std::find(python_builtins().begin(), python_builtins().end(), root) !=
                         python_builtins().end();
    if (!builtin && !in_scope.contains(root)) continue;
    const bool nested = parent.is("argument_list") && parent.children().size() == 1 &&
                        parent.parent().field("function").text() == function;
    const bool again = call.field("function").text() == function;
    if (nested || again || function == expression.text()) continue;
    const std::vector<std::string> own = words_of(function);
    double weight = 0.1;
    if (count >= 2) weight = 0.2;
    if (count >= 4) weight = 0.3;
    weight += 0.5 * (word_overlap(words, own) + word_overlap(role, own));
    choices.add(function, weight);
  }
  const bool repeatable = may_repeat(context, expression);
  for (const auto& [text, weight] : choices.best(30)) {
    const std::string function = quoted_for(expression, text).value_or(std::string{});
    if (function.empty()) continue;
    Proposal proposal = change_of(
        expression, expression.span(), fmt::format("{}({})", function, expression.text()), weight,
        fmt::format("pass `{}` through `{}()`", brief(expression.text()), function));
    proposal.repeatable = repeatable;
    out.add(std::move(proposal));
  }
  if (parent.is("argument_list") && !expression.is("call")) {
    out.add(change_of(expression, {expression.span().begin, expression.span().begin}, "*", 0.1,
                      fmt::format("pass the elements of `{}`", brief(expression.text()))));
  }
}

}  // namespace

extern constinit const Template k_wrap_call = {
    .id = "wrap-call",
    .family = Family::wrong_api_or_name,
    .summary = "Pass a value through a function that the file calls elsewhere.",
    .language = Language::python,
    .query =
        "[(identifier) (attribute) (call) (subscript) (binary_operator) (list) (tuple)"
        " (list_comprehension) (string)] @expression",
    .prior = 0.4,
    .answers = answers::attribute_error | answers::key_error,
    .rewrite = rewrite,
};
}  // namespace tenline::templates
