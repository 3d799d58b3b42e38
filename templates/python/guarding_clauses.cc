// Clauses that make a condition's own values safe to use.

#include <array>

#include "templates/python/clauses.h"
#include "templates/python/edits.h"
#include "templates/python/guards.h"

namespace tenline::templates {

namespace {

struct TypeGuess {
  std::string_view type;
  double weight;
};
constexpr std::array k_types = {TypeGuess{"dict", 0.25}, TypeGuess{"list", 0.08},
                                TypeGuess{"tuple", 0.05}, TypeGuess{"str", 0.08}};

/// `isinstance(x, dict) and 'key' in x`: for values that the condition looks into.
void add_type_tests(const Context& context, const Node& condition, std::vector<Clause>& clauses) {
  const Symptom& symptom = context.symptom();
  const bool about_type = symptom.is("TypeError") || symptom.is("AttributeError") ||
                          symptom.is("RuntimeError") || symptom.is("IndexError");
  for (const Node& use : dereferenced(condition)) {
    const Node parent = use.parent();
    const bool looked_into =
        parent.is("subscript") ||
        (parent.is("comparison_operator") && operator_of(parent).text().ends_with("in") &&
         parent.children().back() == use);
    if (!looked_into || is_bound_inside(use, condition)) continue;
    const SeenValue* seen = context.seen(use);
    const bool by_key = parent.is("comparison_operator") ? parent.child(0).is("string")
                                                         : parent.field("subscript").is("string");
    for (const TypeGuess& guess : k_types) {
      double weight = guess.weight * (guess.type == "dict" && by_key ? 3 : 1);
      if (seen != nullptr) weight *= seen->type == guess.type ? 0.02 : 1.5;
      if (symptom.type.empty()) weight *= 0.3;
      if (context.fails_here(condition)) weight *= about_type ? 2.5 : 0.3;
      clauses.push_back(
          {fmt::format("isinstance({}, {})", use.text(), guess.type), weight, weight * 0.02, true});
    }
  }
}

/// `hasattr(x, 'attr') and x.attr`.
void add_attribute_tests(const Context& context, const Node& condition,
                         std::vector<Clause>& clauses) {
  const Symptom& symptom = context.symptom();
  std::set<std::string> asked;
  condition.walk([&](const Node& node) {
    if (node.is("lambda")) return false;
    if (!node.is("attribute")) return true;
    const Node object = node.field("object");
    const std::string_view attribute = node.field("attribute").text();
    if (!is_plain(object) || is_bound_inside(object, condition)) return true;
    const bool named = symptom.is("AttributeError") && symptom.name == attribute;
    if (!named && (object.text() == "self" || !symptom.type.empty())) return true;
    const char quote = usual_quote(condition);
    const std::string test =
        fmt::format("hasattr({0}, {1}{2}{1})", object.text(), quote, attribute);
    double weight = 0.04;
    if (named) weight = symptom.mentions("NoneType") ? 0.5 : 2.5;
    if (named && context.fails_here(condition)) weight *= 1.6;
    if (asked.insert(test).second) clauses.push_back({test, weight, weight * 0.02, true});
    return true;
  });
}

}  // namespace

std::vector<Clause> guarding_clauses(const Context& context, const Node& condition) {
  std::vector<Clause> clauses;
  for (const Suspect& suspect : none_suspects(context, condition)) {
    if (is_bound_inside(suspect.use, condition)) continue;
    const std::string_view name = suspect.use.text();
    clauses.push_back({fmt::format("{} is not None", name), suspect.weight, 0, true});
    clauses.push_back({fmt::format("{} is None", name), 0, suspect.weight * 0.35, true});
  }
  for (const Suspect& suspect : empty_suspects(context, condition)) {
    if (is_bound_inside(suspect.use, condition)) continue;
    const std::string_view name = suspect.use.text();
    clauses.push_back({fmt::format("len({}) > 0", name), suspect.weight * 0.7, 0, true});
  }
  add_type_tests(context, condition, clauses);
  add_attribute_tests(context, condition, clauses);
  return clauses;
}

}  // namespace tenline::templates
