// An expression is replaced by another one that the file uses: the attribute of another object, the
// call that a sibling makes, a name in scope for a constant.

#include <algorithm>
#include <array>

#include "engine/base/text.h"
#include "templates/python/edits.h"

namespace tenline::templates {
namespace {

/// Replacing what is only a part of a longer chain is the matter of other templates.
bool is_whole(const Node& node) {
  const Node parent = node.parent();
  if (parent.is("expression_statement")) return false;
  if (parent.is("attribute") || parent.is("call")) return false;
  return !(parent.is("subscript") && parent.field("value") == node);
}

/// Where only an awaitable, something to unpack or a class makes sense: no constants.
bool takes_no_constant(const Node& node) {
  const Node parent = node.parent();
  return parent.is("await") || parent.is("list_splat") || parent.is("dictionary_splat") ||
         is_base_class(node);
}

void rewrite(const Match& match, const Context& context, Proposals& out) {
  const Node node = match["expression"];
  constexpr std::size_t k_longest = 120;
  if (!is_value(node) || !is_whole(node) || node.span().size() > k_longest ||
      node.text() == "self") {
    return;
  }
  if (is_message(node)) return;
  const bool name = node.is("identifier");
  const bool repeatable = may_repeat(context, node);
  const auto propose = [&](std::string_view text, double weight) {
    const std::optional<std::string> fitted = quoted_for(node, text);
    if (!fitted) return;
    Proposal proposal =
        change_of(node, node.span(), *fitted, weight,
                  fmt::format("replace `{}` by `{}`", brief(node.text()), brief(*fitted)));
    proposal.repeatable = repeatable;
    out.add(std::move(proposal));
  };
  const auto& in_scope = context.name_set(node);
  constexpr std::size_t k_most = 40;
  for (const Ingredients::Fit& fit : context.ingredients().fitting(node, in_scope, k_most)) {
    if (node.parent().is("await") && fit.ingredient->kind != node.kind()) continue;
    propose(fit.ingredient->text, fit.weight);
  }
  constexpr std::size_t k_most_distant = 30;
  for (const DistantValues::Fit& fit : context.distant().fitting(node, in_scope, k_most_distant)) {
    propose(fit.value->text, fit.weight);
  }
  using Constant = std::pair<std::string_view, double>;
  constexpr std::array k_constants = {
      Constant{"None", 0.3}, Constant{"True", 0.12}, Constant{"False", 0.15},
      Constant{"1", 0.15},   Constant{"0", 0.15},    Constant{"[]", 0.06},
      Constant{"{}", 0.06},  Constant{"\"\"", 0.03}, Constant{"-1", 0.05}};
  for (const auto& [text, weight] : k_constants) {
    if (text == node.text() || takes_no_constant(node)) continue;
    const bool empty = node.is("list") || node.is("dictionary") || node.is("tuple");
    propose(text, weight * (empty ? 1.5 : 0.5));
  }
  if (name || node.parent().is("await")) return;  // Names for names: see replace-name.
  const std::vector<std::string> words = words_of(node.text());
  const std::vector<std::string> role = words_of(purpose_of(node));
  Choices names;
  for (const Name& known : context.names(node)) {
    if (known.text == node.text()) continue;
    const std::vector<std::string> own = words_of(known.text);
    double weight = 0.03 + word_overlap(words, own) + 0.7 * word_overlap(role, own);
    const bool local = known.kind == NameKind::parameter || known.kind == NameKind::local;
    if (!local) weight *= 0.3;
    if (known.kind == NameKind::parameter) weight *= 1.5;
    names.add(known.text, weight);
  }
  for (const auto& [text, weight] : names.best(20)) propose(text, weight);
}

}  // namespace

extern constinit const Template k_replace_expression = {
    .id = "replace-expression",
    .family = Family::wrong_api_or_name,
    .summary = "Replace an expression by another one that the file uses.",
    .language = Language::python,
    .query =
        "[(identifier) (attribute) (call) (subscript) (integer) (float) (true) (false) (none)"
        " (string) (list) (tuple) (dictionary) (binary_operator) (conditional_expression)]"
        " @expression",
    .prior = 0.5,
    .answers = answers::attribute_error | answers::key_error | answers::index_error,
    .rewrite = rewrite,
};
}  // namespace tenline::templates
