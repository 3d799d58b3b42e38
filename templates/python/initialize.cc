// A name or attribute gets a first value before code that may find it without one.

#include <algorithm>

#include "templates/python/edits.h"
#include "templates/python/unset.h"
#include "templates/vocabulary.h"

namespace tenline::templates {
namespace {

void add(const Gap& gap, const Node& anchor, const std::string& text, double weight,
         Proposals& out) {
  out.add({{gap.put(text)}, anchor, weight * gap.told, fmt::format("add `{}`", text), false});
}

bool names_it(const Context& context, std::string_view name) {
  const Symptom& symptom = context.symptom();
  return (symptom.is("UnboundLocalError") || symptom.is("NameError") ||
          symptom.is("AttributeError")) &&
         symptom.name == name;
}

void initialize_names(const Gap& gap, const Context& context, const Node& anchor, Proposals& out) {
  for (const Unset& unset : unset_names(context, gap)) {
    const double named = names_it(context, unset.name) ? 5 : 1;
    for (const auto& [value, weight] : initial_values(unset.name, unset.usage)) {
      add(gap, anchor, fmt::format("{} = {}", unset.name, value), unset.weight * weight * named,
          out);
    }
  }
}

/// True if the method sets the attribute itself.
bool sets(const Node& function, std::string_view attribute) {
  bool found = false;
  function.walk([&](const Node& node) {
    const Node left = node.is("assignment") ? node.field("left") : Node{};
    found = found || (left.is("attribute") && left.field("object").text() == "self" &&
                      left.field("attribute").text() == attribute);
    return !found;
  });
  return found;
}

bool mentions(const Node& function, std::string_view attribute) {
  return function.text().find(attribute) != std::string_view::npos;
}

void initialize_attributes(const Gap& gap, const Context& context, const Node& anchor,
                           Proposals& out) {
  const Node owner = enclosing_class(gap.beside);
  const Node function = enclosing_function(gap.beside);
  if (!owner || !function || !owner.contains(function)) return;
  const bool constructor = function.field("name").text() == "__init__";
  for (const std::string_view name : unset_attributes(context, owner)) {
    const double named = names_it(context, name) ? 5 : 1;
    for (const auto& [value, weight] : initial_values(name, {})) {
      add(gap, anchor, fmt::format("self.{} = {}", name, value),
          (constructor ? 0.8 : 0.3) * weight * named, out);
    }
  }
  // A reset, or what only other methods set.
  for (const auto& [name, attribute] : context.vocabulary().self_attributes(owner)) {
    if (!attribute.is_set || sets(function, name)) continue;
    const double named = names_it(context, name) ? 5 : 1;
    double weight = 0.12 * named;
    if (constructor) weight = 0.5 * named;
    if (!constructor && mentions(function, name)) weight *= 3;
    if (!attribute.values.empty()) {
      for (const std::string_view value : attribute.values) {
        add(gap, anchor, fmt::format("self.{} = {}", name, value), weight, out);
        weight *= 0.7;
      }
    } else if (constructor) {
      for (const auto& [value, fit] : initial_values(name, {})) {
        if (fit >= 0.2)
          add(gap, anchor, fmt::format("self.{} = {}", name, value), weight * fit, out);
      }
    }
  }
}

void rewrite(const Match& match, const Context& context, Proposals& out) {
  const Node statement = match["statement"];
  for (const Gap& gap : gaps_at(context, statement)) {
    initialize_names(gap, context, statement, out);
    initialize_attributes(gap, context, statement, out);
  }
}

}  // namespace

extern constinit const Template k_initialize = {
    .id = "initialize",
    .family = Family::state_or_order,
    .summary = "Give a name or attribute a first value where it may have none.",
    .language = Language::python,
    .query = k_any_statement,
    .prior = 0.35,
    .answers = answers::unbound_name | answers::attribute_error | answers::key_error,
    .rewrite = rewrite,
};
}  // namespace tenline::templates
