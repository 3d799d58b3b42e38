// The right attribute of the wrong object: `dist.get_rank` where other code reads it from
// `torch.distributed`, a step of the chain too many or too few.

#include <algorithm>

#include "engine/base/text.h"
#include "templates/python/edits.h"

namespace tenline::templates {
namespace {

void rewrite(const Match& match, const Context& context, Proposals& out) {
  const Node whole = match["whole"];
  const Node object = match["object"];
  const std::string_view attribute = match["attribute"].text();
  if (whole.ancestor({"type"}) || object.span().size() > 80) return;
  const auto& in_scope = context.name_set(object);
  const std::vector<std::string> words = words_of(object.text());
  std::set<std::string> proposed = {std::string(object.text())};
  const auto propose = [&](std::string_view text, double weight) {
    const std::optional<std::string> fitted = quoted_for(object, text);
    if (!fitted || !proposed.insert(*fitted).second) return;
    Proposal proposal = change_of(whole, object.span(), *fitted, weight,
                                  fmt::format("read `{}` from `{}` instead of `{}`", attribute,
                                              brief(text), brief(object.text())));
    proposal.repeatable = true;
    out.add(std::move(proposal));
  };
  // Objects that have it elsewhere.
  for (const std::string_view owner : context.ingredients().owners(attribute)) {
    const std::size_t end = owner.find_first_of(".[(");
    if (!in_scope.contains(owner.substr(0, end))) continue;
    propose(owner, 0.5 + word_overlap(words, words_of(owner)));
  }
  // One step of the chain less: `a.b.c` as `a.c`, or as `b.c` where b is a name.
  if (object.is("attribute")) {
    propose(object.field("object").text(), 0.25);
    const std::string_view last = object.field("attribute").text();
    if (in_scope.contains(last)) propose(last, 0.4);
  }
  // One step more, that the same object takes elsewhere.
  for (const std::string& member : context.members(object, attribute)) {
    if (member == attribute || member.starts_with("__")) continue;
    const std::string longer = fmt::format("{}.{}", object.text(), member);
    const auto& owners = context.ingredients().owners(attribute);
    const bool known = std::find(owners.begin(), owners.end(), longer) != owners.end();
    if (known) propose(longer, 1);
  }
  // Names in scope with like words: another tensor, module, configuration.
  if (!object.is("identifier")) {
    for (const Name& name : context.names(object)) {
      const bool local = name.kind == NameKind::parameter || name.kind == NameKind::local;
      const double overlap = word_overlap(words, words_of(name.text));
      if (local && overlap > 0) propose(name.text, 0.6 * overlap);
    }
  }
  const bool own = object.text() == "self" || object.text().starts_with("self.");
  if (!own && enclosing_class(object) && in_scope.contains("self")) {
    propose(fmt::format("self.{}", object.text()), 0.05);
  }
}

}  // namespace

extern constinit const Template k_replace_object = {
    .id = "replace-object",
    .family = Family::wrong_api_or_name,
    .summary = "Read an attribute or call a method of another object.",
    .language = Language::python,
    .query = "(attribute object: (_) @object attribute: (identifier) @attribute) @whole",
    .prior = 0.7,
    .answers = answers::attribute_error | answers::wrong_arguments,
    .rewrite = rewrite,
};
}  // namespace tenline::templates
