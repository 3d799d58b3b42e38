// An attribute that some versions of a module or class call otherwise: the one where it is, else
// the other. `if hasattr(lib, "_call"): return lib._call(f)`, else as before.

#include <algorithm>

#include "engine/base/text.h"
#include "templates/python/edits.h"

namespace tenline::templates {
namespace {

double symptom_fit(const Context& context, const Node& attribute) {
  const Symptom& symptom = context.symptom();
  if (symptom.is("AttributeError")) return symptom.name == attribute.text() ? 4 : 0.3;
  return symptom.type.empty() ? 1 : 0.3;
}

/// Other names that the attribute may have had, by how likely.
std::vector<std::pair<std::string, double>> other_names(const Context& context, const Node& object,
                                                        std::string_view name, bool called) {
  Choices names;
  if (called) names.add(name.starts_with('_') ? name.substr(1) : fmt::format("_{}", name), 0.3);
  for (const auto& [access, count] : context.index().accesses(object.text())) {
    const std::string_view other = std::string_view(access).substr(0, access.find('('));
    const double alike = name_similarity(name, other);
    if (other != name && alike >= 0.5) names.add(other, 0.5 * alike * alike);
  }
  for (const std::string& said : context.issue_names()) {
    if (is_identifier(said) && said != name && name_similarity(name, said) >= 0.4) {
      names.add(said, 0.5);
    }
  }
  constexpr std::size_t k_most = 6;
  return names.best(k_most);
}

void rewrite(const Match& match, const Context& context, Proposals& out) {
  const Node whole = match["whole"];
  const Node object = match["object"];
  const Node attribute = match["attribute"];
  if (!is_plain(object) || object.text() == "self" || !is_value(whole)) return;
  const Node statement = enclosing_statement(whole);
  const bool simple = statement.is("return_statement") || statement.is("expression_statement");
  if (!simple || !has_own_lines(statement) || statement.line() != statement.end_line()) return;
  const std::string indent = indentation(statement);
  const std::string end = line_end(statement);
  const std::string step = indent_step(statement);
  const char quote = usual_quote(statement);
  const double fit = symptom_fit(context, attribute);
  const bool called = whole.parent().is("call") && whole.parent().field("function") == whole;
  const std::size_t base = statement.span().begin;
  const auto propose = [&](const Node& holder, std::string_view asked, std::string_view first,
                           std::string_view second, double weight) {
    const std::string test = fmt::format("hasattr({0}, {1}{2}{1})", holder.text(), quote, asked);
    std::string text = fmt::format("if {}:{}{}{}{}", test, end, indent, step, first);
    text += fmt::format("{}{}else:{}{}{}{}", end, indent, end, indent, step, second);
    out.replace(statement, std::move(text), weight * fit,
                fmt::format("ask whether `{}` has `{}`", brief(holder.text()), asked));
  };
  for (const auto& [name, weight] : other_names(context, object, attribute.text(), called)) {
    std::string other(statement.text());
    other.replace(attribute.span().begin - base, attribute.span().size(), name);
    propose(object, name, other, statement.text(), weight);
    propose(object, attribute.text(), statement.text(), other, 0.7 * weight);
  }
  if (!object.is("attribute")) return;
  // Moved from a module to the one that holds it: `a.b.f` and `a.f`.
  const Node holder = object.field("object");
  std::string other(statement.text());
  other.replace(object.span().begin - base, object.span().size(), holder.text());
  propose(holder, attribute.text(), other, statement.text(), 0.3);
}

}  // namespace

extern constinit const Template k_attribute_fallback = {
    .id = "attribute-fallback",
    .family = Family::version_compatibility,
    .summary = "Use another attribute where the object has it, for other versions.",
    .language = Language::python,
    .query = "(attribute object: (_) @object attribute: (identifier) @attribute) @whole",
    .prior = 0.3,
    .answers = answers::attribute_error | answers::import_error,
    .rewrite = rewrite,
};
}  // namespace tenline::templates
