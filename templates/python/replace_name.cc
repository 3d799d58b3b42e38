// A name is replaced by another one in scope. The commonest small fix of all: a misspelt variable,
// a loop variable for an outer one, a wrong constant, class or function.

#include "engine/base/text.h"
#include "templates/python/edits.h"

namespace tenline::templates {
namespace {

double symptom_fit(const Context& context, std::string_view name) {
  const Symptom& symptom = context.symptom();
  if (symptom.is("NameError") || symptom.is("UnboundLocalError")) {
    return symptom.name == name ? 6 : 0.05;
  }
  if (symptom.is("TypeError") && symptom.mentions("is not callable")) return 2;
  // A condition decided for it: the names were the right ones.
  return context.raised_on_purpose() ? 0.5 : 1;
}

void rewrite(const Match& match, const Context& context, Proposals& out) {
  const Node node = match["name"];
  if (!is_use(node) || node.text() == "self") return;
  const std::string_view old_name = node.text();
  const bool called = node.parent().is("call") && node.parent().field("function") == node;
  const Node container = node.parent().field("value");
  const bool own_index =
      node.parent().is("subscript") && !(container == node) && container.text() == old_name;
  // Nothing is its own index.
  const double fit = symptom_fit(context, old_name) * (own_index ? 1.2 : 1);
  std::set<std::string_view> proposed = {old_name};
  const auto propose = [&](std::string_view name, double weight) {
    if (!proposed.insert(name).second) return;
    Proposal proposal{{{node.span(), std::string(name)}},
                      node,
                      fit * weight,
                      fmt::format("replace `{}` by `{}`", old_name, name)};
    // Not all places of a name may hold an attribute: imports and parameters do not.
    proposal.repeatable = is_identifier(name);
    out.add(std::move(proposal));
  };
  for (const Name& name : context.names(node)) {
    double weight = fit_of_name(context, old_name, name.text);
    // Variables are meant for variables; what is called is a function, class or import.
    const bool local = name.kind == NameKind::parameter || name.kind == NameKind::local;
    if (called == local) weight *= 0.4;
    if (!called && name.kind == NameKind::import) weight *= 0.2;
    propose(name.text, weight);
  }
  for (const std::string& name : python_builtins()) {
    if (name_similarity(old_name, name) >= 0.6) {
      propose(name, fit_of_name(context, old_name, name));
    }
  }
  // A function of its own module that was meant as an attribute: `helper` for `self.helper`.
  const Node owner = enclosing_class(node);
  if (owner) {
    const std::set<std::string> members = context.index().members(owner.field("name").text());
    for (const std::string& member : members) {
      const double similarity = name_similarity(old_name, member);
      if (similarity >= 0.5) propose("self." + member, 0.6 * similarity);
    }
  }
}

}  // namespace

extern constinit const Template k_replace_name = {
    .id = "replace-name",
    .family = Family::wrong_api_or_name,
    .summary = "Replace a name by another one in scope.",
    .language = Language::python,
    .query = "(identifier) @name",
    .prior = 1.0,
    .answers = answers::unbound_name | answers::import_error | answers::attribute_error |
               answers::wrong_arguments | answers::key_error | answers::index_error,
    .rewrite = rewrite,
};
}  // namespace tenline::templates
