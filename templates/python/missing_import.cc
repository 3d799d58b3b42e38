// A name that nothing binds gets its import: as the repository imports it elsewhere, from the
// module of the repository that defines it, or from the standard library.

#include <algorithm>

#include "engine/base/text.h"
#include "templates/python/edits.h"
#include "templates/python/imports.h"

namespace tenline::templates {
namespace {

bool is_bound(const Context& context, const Node& identifier) {
  const std::string_view name = identifier.text();
  const std::vector<Name>& names = context.names(identifier);
  const std::vector<std::string>& builtins = python_builtins();
  return std::any_of(names.begin(), names.end(),
                     [&](const Name& known) { return known.text == name; }) ||
         std::find(builtins.begin(), builtins.end(), name) != builtins.end() ||
         (name.starts_with("__") && name.ends_with("__"));
}

/// The first import of each other unbound name of the block: a fallback branch that forgot one
/// import has often forgotten two.
std::string imports_of_block(const Context& context, const Node& identifier) {
  const Node block = identifier.ancestor({"block"});
  std::set<std::string_view> names = {identifier.text()};
  std::string text;
  block.walk([&](const Node& node) {
    if (!node.is("identifier") || !is_use(node) || is_bound(context, node)) return true;
    if (!names.insert(node.text()).second || names.size() > 3) return true;
    const std::vector<std::string> found = imports_of_name(context, node.text());
    if (found.empty()) return true;
    text += line_end(node) + indentation(enclosing_statement(identifier)) + found.front();
    return true;
  });
  return text;
}

void rewrite(const Match& match, const Context& context, Proposals& out) {
  const Node identifier = match["name"];
  const std::string_view name = identifier.text();
  const Symptom& symptom = context.symptom();
  const bool named =
      (symptom.is("NameError") || symptom.is("UnboundLocalError")) && symptom.name == name;
  if (!is_use(identifier) || (!named && is_bound(context, identifier))) return;
  // A star import may bind anything, and a name bound later may be unbound only at first.
  double weight = named ? 5 : 0.8;
  if (!named && !symptom.type.empty() && !symptom.is("AssertionError")) weight = 0.2;
  for (const std::string& text : imports_of_name(context, name)) {
    Proposal above = top_level_import(identifier, text, weight);
    // At module level an import below the use is too late.
    const bool late = !enclosing_function(identifier) &&
                      above.changes.front().span.begin > identifier.span().begin;
    if (late) above.weight *= 0.05;
    out.add(std::move(above));
    if (enclosing_function(identifier)) out.add(local_import(identifier, text, weight * 0.4));
    // Code of a `try` or `except` branch at module level runs before later imports would.
    if (const Node block = identifier.ancestor({"block"});
        block && !enclosing_function(identifier)) {
      const std::string others = named ? imports_of_block(context, identifier) : std::string{};
      if (!others.empty()) {
        out.add(import_before(enclosing_statement(identifier), text + others, weight * 0.85));
      }
      out.add(import_before(enclosing_statement(identifier), text, weight * 0.9));
    }
    weight *= 0.8;
  }
}

}  // namespace

extern constinit const Template k_missing_import = {
    .id = "missing-import",
    .family = Family::version_compatibility,
    .summary = "Import a name that is used but not bound.",
    .language = Language::python,
    .query = "(identifier) @name",
    .prior = 1.0,
    .answers = answers::unbound_name | answers::import_error | answers::attribute_error,
    .rewrite = rewrite,
};
}  // namespace tenline::templates
