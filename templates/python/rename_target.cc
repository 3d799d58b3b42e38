// A result is bound to the wrong name: an attribute for a local variable, the parameter's name for
// its own, a name that nothing reads where a like one is read.

#include <set>

#include "engine/base/text.h"
#include "templates/python/edits.h"

namespace tenline::templates {
namespace {

/// `sums[i, j] = min(best[j], ...)`: an element that the value reads is the one to set.
void bind_element_of_value(const Node& target, Proposals& out) {
  std::set<std::string_view> seen = {target.text()};
  target.parent().field("right").walk([&](const Node& node) {
    if (node.is("lambda") || node.is("list_comprehension")) return false;
    if (!node.is("subscript") || !seen.insert(node.text()).second) return true;
    out.replace(target, std::string(node.text()), 0.15,
                fmt::format("set `{}` instead of `{}`", brief(node.text()), brief(target.text())));
    return true;
  });
}

void rewrite(const Match& match, const Context& context, Proposals& out) {
  const Node target = match["target"];
  if (target.is("subscript")) bind_element_of_value(target, out);
  if (!target.is("identifier") && !target.is("attribute")) return;
  const std::string_view last =
      target.is("attribute") ? target.field("attribute").text() : target.text();
  const std::vector<std::string> words = words_of(last);
  const bool in_class = !enclosing_class(target).null() && !enclosing_function(target).null() &&
                        context.name_set(target).contains("self");
  Choices choices;
  const auto add = [&](std::string_view text, double weight) {
    if (text != target.text()) choices.add(text, weight);
  };
  if (target.is("identifier")) {
    if (in_class) add(fmt::format("self.{}", target.text()), 0.4);
    for (const Name& name : context.names(target)) {
      const bool local = name.kind == NameKind::parameter || name.kind == NameKind::local;
      if (!local || name.text == "self") continue;
      add(name.text, 0.1 + word_overlap(words, words_of(name.text)) +
                         (differs_by_opposite(last, name.text) ? 0.4 : 0));
    }
  } else {
    if (target.field("object").text() == "self") add(last, 0.4);
  }
  if (in_class) {
    const Node owner = enclosing_class(target);
    for (const std::string& member : context.index().members(owner.field("name").text())) {
      const double overlap = word_overlap(words, words_of(member));
      if (overlap > 0.3) add(fmt::format("self.{}", member), 0.5 * overlap);
    }
  }
  for (const auto& [text, weight] : choices.best(16)) {
    out.replace(target, text, weight,
                fmt::format("bind `{}` instead of `{}`", text, brief(target.text())));
  }
}

}  // namespace

extern constinit const Template k_rename_target = {
    .id = "rename-target",
    .family = Family::state_or_order,
    .summary = "Bind a result to another name or attribute.",
    .language = Language::python,
    .query =
        "(assignment left: (_) @target)"
        "(augmented_assignment left: (_) @target)"
        "(assignment left: (pattern_list (_) @target))",
    .prior = 0.4,
    .answers = answers::unbound_name | answers::attribute_error,
    .rewrite = rewrite,
};
}  // namespace tenline::templates
