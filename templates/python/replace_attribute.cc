// An attribute or method is replaced by another one of the same object: `self.name` by
// `self.name_`, `backend.barrier` by `backend.monitored_barrier`.

#include <cmath>

#include "engine/base/text.h"
#include "templates/python/edits.h"

namespace tenline::templates {
namespace {

double symptom_fit(const Context& context, std::string_view attribute) {
  const Symptom& symptom = context.symptom();
  if (symptom.is("AttributeError")) return symptom.name == attribute ? 5 : 0.3;
  if (symptom.is("TypeError") && !symptom.name.empty()) {
    return symptom.owner == attribute ? 2.5 : 0.5;  // "barrier() got an unexpected keyword".
  }
  return 1;
}

/// What other files read of an object of this text.
std::vector<std::pair<std::string, double>> distant_names(const Context& context,
                                                          const Node& object,
                                                          const Node& attribute) {
  Choices names;
  if (object.text() == "self" || object.text() == "cls") return {};
  const Node whole = attribute.parent();
  const bool called = whole.parent().is("call") && whole.parent().field("function") == whole;
  for (const auto& [access, count] : context.index().accesses(object.text())) {
    const std::size_t bracket = access.find('(');
    const std::string_view name = std::string_view(access).substr(0, bracket);
    const double alike = 0.4 * fit_of_name(context, attribute.text(), name);
    const double often = 0.01 * std::log2(1.0 + count);
    names.add(name, (alike + often) * ((bracket != std::string::npos) == called ? 1 : 0.2));
  }
  constexpr std::size_t k_most = 60;
  return names.best(k_most);
}

void rewrite(const Match& match, const Context& context, Proposals& out) {
  const Node attribute = match["attribute"];
  const Node object = match["object"];
  const std::string_view old_name = attribute.text();
  const double fit = symptom_fit(context, old_name);
  const std::string_view around =
      enclosing_function(attribute).field("name").text();  // A wrapper calls its namesake.
  std::set<std::string> proposed = {std::string(old_name)};
  const auto propose = [&](const std::string& name, double weight) {
    if (!is_identifier(name) || !proposed.insert(name).second) return;
    out.add({{{attribute.span(), name}},
             match["whole"],
             fit * weight,
             fmt::format("replace `{0}.{1}` by `{0}.{2}`", brief(object.text()), old_name, name),
             true});
  };
  const std::vector<std::string> members = context.members(object, old_name);
  const std::set<std::string> known(members.begin(), members.end());
  const bool wraps = object.text() != "self" && object.text() != "cls";
  if (wraps && !around.empty() && known.contains(std::string(around)))
    propose(std::string(around), 1.2);
  for (const std::string& member : members) {
    const bool dunder = member.starts_with("__");
    propose(member, fit_of_name(context, old_name, member) * (dunder ? 0.1 : 1));
  }
  for (const auto& [member, overlap] : context.index().members_like(old_name, 20)) {
    propose(member, 0.4 * fit_of_name(context, old_name, member));
  }
  for (const auto& [name, weight] : distant_names(context, object, attribute)) {
    propose(name, weight);
  }
  for (const std::string& name : context.issue_names()) {
    if (name_similarity(old_name, name) >= 0.5) propose(name, 0.3);
  }
}

}  // namespace

extern constinit const Template k_replace_attribute = {
    .id = "replace-attribute",
    .family = Family::wrong_api_or_name,
    .summary = "Replace an attribute or method by another one of the same object.",
    .language = Language::python,
    .query = "(attribute object: (_) @object attribute: (identifier) @attribute) @whole",
    .prior = 0.9,
    .answers = answers::import_error | answers::attribute_error | answers::wrong_arguments |
               answers::key_error | answers::index_error,
    .rewrite = rewrite,
};
}  // namespace tenline::templates
