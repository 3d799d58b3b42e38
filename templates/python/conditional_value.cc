// A value is taken only where a test holds: `v if test else other`.

#include "templates/python/alternatives.h"
#include "templates/python/edits.h"
#include "templates/python/test_pool.h"

namespace tenline::templates {
namespace {

void rewrite(const Match& match, const Context& context, Proposals& out) {
  const Node value = match["value"];
  constexpr std::size_t k_longest = 200;
  if (!is_value(value) || value.is("conditional_expression") || value.is("keyword_argument") ||
      value.is("lambda") || value.is("list_splat") || value.is("dictionary_splat") ||
      value.is("assignment") || value.span().size() > k_longest || is_message(value)) {
    return;
  }
  const Node parent = value.parent();
  const bool operand = parent.is("binary_operator") || parent.is("parenthesized_expression");
  if (!value.ancestor({"string"}).null()) return;
  const std::vector<std::pair<std::string, double>> others = stand_ins(context, value);
  const std::string text = in_parentheses(value);
  constexpr std::size_t k_most = 40;
  for (const Test& test : possible_tests(context, value, {value}, k_most)) {
    for (const auto& [other, fit] : others) {
      if (other == "None" && test.text == fmt::format("{} is not None", value.text())) continue;
      const double weight = 2 * test.weight * fit * (parent.is("assignment") ? 1 : 0.6);
      const std::string plain = fmt::format("{} if {} else {}", text, test.text, other);
      out.replace(value, operand ? fmt::format("({})", plain) : plain, weight,
                  fmt::format("take `{}` only if `{}`, else `{}`", brief(value.text()),
                              brief(test.text), other));
    }
  }
}

}  // namespace

extern constinit const Template k_conditional_value = {
    .id = "conditional-value",
    .family = Family::conditional_logic,
    .summary = "Take a value only where a test holds, else another.",
    .language = Language::python,
    .query =
        "(assignment right: (_) @value)"
        "(argument_list (_) @value)"
        "(keyword_argument value: (_) @value)"
        "(return_statement (_) @value)"
        "(pair value: (_) @value)"
        "(binary_operator right: (_) @value)",
    .prior = 0.12,
    .answers = answers::attribute_error | answers::key_error | answers::index_error,
    .rewrite = rewrite,
};
}  // namespace tenline::templates
