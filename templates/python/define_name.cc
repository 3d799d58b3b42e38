// A name that has no value yet is defined: as another place of the file defines it, from the
// object that has it as an attribute, or by the function that is called like it.

#include <algorithm>

#include "templates/python/edits.h"
#include "templates/python/unset.h"
#include "templates/vocabulary.h"

namespace tenline::templates {
namespace {

void define(const Unset& unset, const Gap& gap, const Scope& scope, const Context& context,
            const Node& anchor, Proposals& out) {
  const std::string_view name = unset.name;
  const Symptom& symptom = context.symptom();
  const bool unbound = symptom.is("NameError") || symptom.is("UnboundLocalError");
  const double named = unset.weight * (unbound && symptom.name == name ? 5 : 1);
  const auto add = [&](const std::string& text, double weight) {
    out.add({{gap.put(text)},
             anchor,
             weight * gap.told * named,
             fmt::format("add `{}`", brief(text)),
             false});
  };
  const auto copy = [&](const std::vector<Node>& assignments, double weight) {
    constexpr std::size_t k_longest = 300;
    constexpr std::size_t k_most = 8;
    for (std::size_t i = 0; i < assignments.size() && i < k_most; ++i) {
      const Node& assignment = assignments[i];
      if (assignment.span().size() > k_longest) continue;
      const bool can = scope.can_run(assignment.field("right"));
      add(std::string(assignment.text()), weight * (can ? 1 : 0.15));
      weight *= 0.85;
    }
  };
  copy(unset.assignments, 0.5);
  if (unset.bound) return;
  copy(context.vocabulary().assignments_to(name), 1);
  for (const std::string_view object : context.vocabulary().objects_with(name)) {
    const std::string_view root = object.substr(0, object.find_first_of(".[("));
    if (scope.has(root)) add(fmt::format("{} = {}.{}", name, object, name), 0.8);
  }
  double likely = 0.25;
  for (const std::string_view object : {"args", "config", "self", "self.config"}) {
    const std::string_view root = object.substr(0, object.find('.'));
    if (scope.has(root)) add(fmt::format("{} = {}.{}", name, object, name), likely);
    likely *= 0.9;
  }
  const std::string getter = fmt::format("get_{}", name);
  if (scope.has(getter)) add(fmt::format("{} = {}()", name, getter), 1);
  for (const std::string_view object : context.vocabulary().objects_with(getter)) {
    const std::string_view root = object.substr(0, object.find_first_of(".[("));
    if (scope.has(root)) add(fmt::format("{} = {}.{}()", name, object, getter), 0.7);
  }
}

void rewrite(const Match& match, const Context& context, Proposals& out) {
  const Node statement = match["statement"];
  for (const Gap& gap : gaps_at(context, statement)) {
    const Scope scope(context, gap);
    for (const Unset& unset : unset_names(context, gap)) {
      define(unset, gap, scope, context, statement, out);
    }
  }
}

}  // namespace

extern constinit const Template k_define_name = {
    .id = "define-name",
    .family = Family::state_or_order,
    .summary = "Define a name that has no value yet, as another place of the file does.",
    .language = Language::python,
    .query = k_any_statement,
    .prior = 0.5,
    .answers = answers::unbound_name,
    .rewrite = rewrite,
};
}  // namespace tenline::templates
