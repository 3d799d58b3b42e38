// A name that the file uses and nothing binds is imported, at the place that is pointed to: on a
// line of its own, or by an import that is there.

#include <algorithm>

#include "engine/base/text.h"
#include "templates/python/edits.h"
#include "templates/python/gaps.h"
#include "templates/python/imports.h"
#include "templates/vocabulary.h"

namespace tenline::templates {
namespace {

bool is_import(const Node& statement) {
  return statement.is("import_statement") || statement.is("import_from_statement");
}

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

/// `from a.b import c` as ("a.b", "c"); empty for other imports.
std::pair<std::string_view, std::string_view> parts_of(std::string_view text) {
  constexpr std::string_view k_from = "from ";
  constexpr std::string_view k_import = " import ";
  const std::size_t end = text.find(k_import);
  if (!text.starts_with(k_from) || end == std::string_view::npos) return {};
  return {text.substr(k_from.size(), end - k_from.size()), text.substr(end + k_import.size())};
}

/// The forms of an import: as it is, and from the file's own package with dots.
std::vector<std::string> forms_of(const Context& context, const std::string& text) {
  std::vector<std::string> forms = {text};
  const auto [module, name] = parts_of(text);
  const std::string relative = module.empty() ? "" : relative_module(context.file(), module);
  if (!relative.empty()) forms.push_back(fmt::format("from {} import {}", relative, name));
  return forms;
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
    for (const std::string& form : forms_of(context, text)) {
      out.add({{gap.put(form)}, anchor, fit, fmt::format("add `{}`", form), false});
      fit *= 0.6;
    }
    weight *= 0.8;
  }
}

/// `from a import b` becomes `from a import b, c`.
void extend_import(const Node& statement, std::string_view name, const Context& context,
                   Proposals& out) {
  const std::vector<Node> names = statement.fields("name");
  if (!statement.is("import_from_statement") || names.empty()) return;
  const std::string module = absolute_module(context.file(), statement.field("module_name").text());
  for (const std::string& text : imports_of_name(context, name)) {
    const auto [from, what] = parts_of(text);
    const bool same = absolute_module(context.file(), from) == module;
    const bool below = from.starts_with(module + ".");  // A package may pass it on.
    if (from.empty() || (!same && !below)) continue;
    const double weight = same ? 1.5 : 0.4;
    const std::size_t end = names.back().span().end;
    const std::string summary = fmt::format("import `{}` too", what);
    out.add(change_of(statement, {end, end}, fmt::format(", {}", what), weight, summary));
    for (const Node& other : names) {
      if (other.text() < what) continue;
      const std::size_t begin = other.span().begin;
      out.add(
          change_of(statement, {begin, begin}, fmt::format("{}, ", what), weight * 0.6, summary));
      break;
    }
  }
}

void rewrite(const Match& match, const Context& context, Proposals& out) {
  const Node statement = match["statement"];
  const std::vector<std::string_view> names = wanted_names(context, statement);
  if (names.empty()) return;
  for (const std::string_view name : names) extend_import(statement, name, context, out);
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
    .rewrite = rewrite,
};
}  // namespace tenline::templates
