// A name that the file uses and nothing binds is imported, at the place that is pointed to: on a
// line of its own, or by an import that is there.

#include <algorithm>

#include "engine/base/text.h"
#include "templates/python/edits.h"
#include "templates/python/gaps.h"
#include "templates/python/imports.h"
#include "templates/python/placed_imports.h"
#include "templates/vocabulary.h"

namespace tenline::templates {
namespace {

std::string_view name_of(const Node& use) {
  if (!use.is("string")) return use.text();
  const std::string_view text = use.text();
  return text.substr(1, text.size() - 2);
}

/// The unbound names that an import at a statement would bind, without repeats.
std::vector<std::string_view> wanted_names(const Context& context, const Node& statement) {
  const Node function = enclosing_function(statement);
  std::vector<std::string_view> names;
  for (const Node& use : context.vocabulary().unbound()) {
    constexpr std::size_t k_most = 12;
    if (function && enclosing_function(use) != function) continue;
    const std::string_view name = name_of(use);
    const bool known = std::find(names.begin(), names.end(), name) != names.end();
    if (!known && names.size() < k_most) names.push_back(name);
  }
  return names;
}

void on_own_line(const Gap& gap, std::string_view name, const Context& context, const Node& anchor,
                 Proposals& out) {
  const Node other = gap.before ? previous_statement(gap.beside) : next_statement(gap.beside);
  const bool among_imports = is_import(gap.beside) || is_import(other);
  const Symptom& symptom = context.symptom();
  double weight = symptom.is("NameError") && symptom.name == name ? 4 : 1;
  if (!among_imports) weight *= enclosing_function(gap.beside) ? 0.4 : 0.2;
  if (context.vocabulary().imports_all()) weight *= 0.4;
  std::vector<std::string> texts = imports_of_name(context, name);
  if (texts.empty()) texts.push_back(fmt::format("import {}", name));
  for (const std::string& text : texts) {
    double fit = weight * gap.told;
    for (const std::string& form : import_forms(context, text)) {
      out.add({{gap.put(form)}, anchor, fit, fmt::format("add `{}`", form), false});
      fit *= 0.6;
    }
    weight *= 0.8;
  }
}

void rewrite(const Match& match, const Context& context, Proposals& out) {
  const Node statement = match["statement"];
  const std::vector<std::string_view> names = wanted_names(context, statement);
  if (names.empty()) return;
  for (const std::string_view name : names) {
    for (const PlacedImport& way : extended_import(context, statement, name)) {
      out.add(change_of(statement, way.change.span, way.change.text, way.weight,
                        fmt::format("import `{}` too", way.text)));
    }
  }
  for (const Gap& gap : gaps_at(context, statement)) {
    for (const std::string_view name : names) on_own_line(gap, name, context, statement, out);
  }
}

}  // namespace

extern constinit const Template k_add_import = {
    .id = "add-import",
    .family = Family::version_compatibility,
    .summary = "Import a name that the file uses and nothing binds.",
    .language = Language::python,
    .query = k_any_statement,
    .prior = 0.8,
    .answers = answers::unbound_name | answers::import_error | answers::attribute_error,
    .rewrite = rewrite,
};
}  // namespace tenline::templates
