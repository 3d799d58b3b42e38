#include "templates/python/placed_imports.h"

#include <algorithm>

#include "engine/base/text.h"
#include "templates/python/gaps.h"
#include "templates/python/imports.h"

namespace tenline::templates {

bool is_import(const Node& statement) {
  return statement.is("import_statement") || statement.is("import_from_statement");
}

std::pair<std::string_view, std::string_view> import_parts(std::string_view text) {
  constexpr std::string_view k_from = "from ";
  constexpr std::string_view k_import = " import ";
  const std::size_t end = text.find(k_import);
  if (!text.starts_with(k_from) || end == std::string_view::npos) return {};
  return {text.substr(k_from.size(), end - k_from.size()), text.substr(end + k_import.size())};
}

std::vector<std::string> import_forms(const Context& context, const std::string& text) {
  std::vector<std::string> forms = {text};
  const auto [module, name] = import_parts(text);
  const std::string relative = module.empty() ? "" : relative_module(context.file(), module);
  if (!relative.empty()) forms.push_back(fmt::format("from {} import {}", relative, name));
  return forms;
}

std::vector<PlacedImport> extended_import(const Context& context, const Node& statement,
                                          std::string_view name) {
  const std::vector<Node> names = statement.fields("name");
  if (!statement.is("import_from_statement") || names.empty()) return {};
  std::vector<PlacedImport> ways;
  const std::string module = absolute_module(context.file(), statement.field("module_name").text());
  for (const std::string& text : imports_of_name(context, name)) {
    const auto [from, what] = import_parts(text);
    const bool same = absolute_module(context.file(), from) == module;
    const bool below = from.starts_with(module + ".");  // A package may pass it on.
    if (from.empty() || (!same && !below)) continue;
    const double weight = same ? 1.5 : 0.4;
    const std::size_t end = names.back().span().end;
    ways.push_back({{{end, end}, fmt::format(", {}", what)}, weight, std::string(what)});
    for (const Node& other : names) {
      if (other.text() < what) continue;
      const std::size_t begin = other.span().begin;
      ways.push_back(
          {{{begin, begin}, fmt::format("{}, ", what)}, weight * 0.6, std::string(what)});
      break;
    }
  }
  return ways;
}

std::vector<PlacedImport> placed_imports(const Context& context, std::string_view name,
                                         std::size_t most) {
  std::vector<PlacedImport> ways;
  std::vector<Gap> gaps;
  Node last;
  for (const Node& statement : context.tree().root().children()) {
    if (!is_import(statement)) continue;
    last = statement;
    const double told = context.score(statement) > 0 ? 1 : 0.5;
    for (PlacedImport& way : extended_import(context, statement, name)) {
      way.weight *= told;
      ways.push_back(std::move(way));
    }
    for (Gap& gap : gaps_at(context, statement)) gaps.push_back(std::move(gap));
  }
  double weight = 1;
  for (const std::string& text : imports_of_name(context, name)) {
    double fit = weight;
    for (const std::string& form : import_forms(context, text)) {
      for (const Gap& gap : gaps) ways.push_back({gap.put(form), fit * gap.told, form});
      if (gaps.empty()) {
        Proposal above = top_level_import(context.tree().root(), form, fit * 0.5);
        ways.push_back({std::move(above.changes.front()), above.weight, form});
      }
      fit *= 0.6;
    }
    weight *= 0.7;
  }
  std::ranges::stable_sort(ways, std::greater{}, &PlacedImport::weight);
  if (ways.size() > most) ways.resize(most);
  return ways;
}

}  // namespace tenline::templates
