// A function, class or constant of another module is meant: it is used and imported in one edit;
// or an import binds the wrong one, and all its uses with it.

#include <algorithm>
#include <cmath>

#include "engine/base/text.h"
#include "templates/python/edits.h"
#include "templates/python/imports.h"
#include "templates/python/placed_imports.h"
#include "templates/vocabulary.h"

namespace tenline::templates {
namespace {

/// True if the repository has a function of this name that can be called without arguments.
bool takes_nothing(const Context& context, std::string_view name) {
  const std::vector<PythonFunction>& all = context.index().functions(name);
  return std::ranges::any_of(all, [](const PythonFunction& function) {
    return function.class_name.empty() &&
           std::ranges::all_of(function.parameters, [](const Parameter& parameter) {
             return parameter.has_default || parameter.kind == ParameterKind::star ||
                    parameter.kind == ParameterKind::double_star;
           });
  });
}

/// Nodes with the same text that something points to too; none before the first of them.
std::vector<Node> equal_uses(const Context& context, const Node& node) {
  constexpr std::size_t k_most = 4;
  std::vector<Node> equal;
  bool first = true;
  context.tree().root().walk([&](const Node& other) {
    const bool same = other.kind() == node.kind() && other.text() == node.text();
    if (same && context.score(other) > 0) {
      if (other.span().begin < node.span().begin) first = false;
      if (other.span().begin > node.span().begin) equal.push_back(other);
    }
    return !is_import(other) && first;
  });
  if (!first || equal.size() > k_most) equal.clear();
  return equal;
}

/// A name or chain is replaced, or a constant where a function gives the value.
void use(const Node& node, const Context& context, Proposals& out) {
  const Node parent = node.parent();
  if (parent.is("attribute") || is_message(node) || !is_value(node) || node.text() == "self")
    return;
  const bool called = parent.is("call") && parent.field("function") == node;
  const bool literal = !node.is("identifier") && !node.is("attribute");
  const std::vector<std::string> role = words_of(purpose_of(node));
  const std::string_view last = node.is("attribute") ? node.field("attribute").text() : node.text();
  std::vector<std::string> words = literal ? role : words_of(last);
  if (!called) words.insert(words.end(), role.begin(), role.end());
  const std::vector<Node> equal = equal_uses(context, node);
  constexpr std::size_t k_most_names = 10;
  constexpr std::size_t k_most_imports = 4;
  for (const auto& [name, alike] : context.index().importable_like(words, k_most_names)) {
    if (name == node.text() || context.vocabulary().has(name)) continue;
    const bool function = !called && takes_nothing(context, name);
    if (literal && !function) continue;
    for (const PlacedImport& import : placed_imports(context, name, k_most_imports)) {
      const auto propose = [&](std::string text, double weight) {
        Proposal proposal{{import.change, {node.span(), text}},
                          node,
                          alike * weight * import.weight,
                          fmt::format("use `{}` of `{}`", text, brief(import.text)),
                          false};
        out.add(proposal);
        if (equal.empty()) return;
        for (const Node& other : equal) proposal.changes.push_back({other.span(), text});
        out.add(std::move(proposal));
      };
      if (!literal) propose(std::string(name), 0.5);
      if (function) propose(fmt::format("{}()", name), 0.5);
    }
  }
}

/// `from a import B` becomes `from c import D`, and `B` becomes `D` everywhere.
void replace(const Node& statement, const Context& context, Proposals& out) {
  const std::vector<Node> names = statement.fields("name");
  if (names.size() != 1 || !names.front().is("dotted_name")) return;
  const Node bound = names.front();
  std::vector<Node> uses;
  context.tree().root().walk([&](const Node& node) {
    if (is_import(node)) return false;
    if (node.is("identifier") && node.text() == bound.text() && is_use(node)) uses.push_back(node);
    return true;
  });
  constexpr std::size_t k_most_uses = 4;
  if (uses.size() > k_most_uses) return;
  constexpr std::size_t k_most_names = 8;
  for (const auto& [name, alike] :
       context.index().importable_like(words_of(bound.text()), k_most_names)) {
    if (name == bound.text() || context.vocabulary().has(name)) continue;
    double weight = 0.5 * alike;
    for (const std::string& text : imports_of_name(context, name)) {
      for (const std::string& form : import_forms(context, text)) {
        std::vector<Change> changes = {{statement.span(), form}};
        for (const Node& one : uses) changes.push_back({one.span(), std::string(name)});
        out.add({std::move(changes), statement, weight,
                 fmt::format("import and use `{}` instead of `{}`", name, bound.text()), false});
        weight *= 0.7;
      }
    }
  }
}

void rewrite(const Match& match, const Context& context, Proposals& out) {
  if (const Node statement = match["import"]) return replace(statement, context, out);
  use(match["use"], context, out);
}

}  // namespace

extern constinit const Template k_use_import = {
    .id = "use-import",
    .family = Family::wrong_api_or_name,
    .summary = "Use a name of another module of the repository, and import it.",
    .language = Language::python,
    .query =
        "[(identifier) (attribute) (string) (integer) (none) (true) (false)] @use"
        " (import_from_statement) @import",
    .prior = 0.3,
    .answers = answers::attribute_error | answers::import_error | answers::unbound_name,
    .rewrite = rewrite,
};
}  // namespace tenline::templates
