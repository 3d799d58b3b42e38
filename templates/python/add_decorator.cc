// A function lacks a decorator: one that others of the file have, or `@staticmethod` where it takes
// no self.

#include <algorithm>
#include <map>

#include "templates/python/edits.h"

namespace tenline::templates {
namespace {

std::map<std::string_view, int> decorators_of(const Context& context) {
  std::map<std::string_view, int> counts;
  context.tree().root().walk([&](const Node& node) {
    constexpr std::size_t k_longest = 60;
    if (node.is("decorator") && node.span().size() <= k_longest) ++counts[node.text()];
    return true;
  });
  return counts;
}

void rewrite(const Match& match, const Context& context, Proposals& out) {
  const Node function = match["function"];
  if (context.line_score(function.line()) <= 0 || !starts_line(function)) return;
  const Node outer = function.parent();
  const bool decorated = outer.is("decorated_definition");
  const Node statement = decorated ? outer : function;
  const Node owner = enclosing_class(function);
  const bool method = owner && statement.parent().parent() == owner;
  std::map<std::string, double> fits;
  for (const auto& [text, count] : decorators_of(context)) {
    const bool of_methods = text == "@property" || text == "@staticmethod" ||
                            text == "@classmethod" || text.ends_with(".setter");
    if (!of_methods || method) fits[std::string(text)] = of_methods ? 0.2 : 0.3 + 0.1 * count;
  }
  const std::vector<Parameter> parameters = parameters_of(function);
  const std::string first = parameters.empty() ? "" : parameters.front().name;
  if (method && first != "self" && first != "cls") fits["@staticmethod"] = 3;
  if (method && first == "cls") fits["@classmethod"] = 3;
  if (method && first == "self" && parameters.size() == 1) fits["@property"] = 0.5;
  const std::vector<Name>& names = context.names(statement);
  const bool torch = std::any_of(names.begin(), names.end(),
                                 [](const Name& name) { return name.text == "torch"; });
  if (torch) fits.try_emplace("@torch.no_grad()", 0.3);
  const std::string end = line_end(function);
  for (const auto& [text, weight] : fits) {
    if (decorated && outer.text().find(text) != std::string_view::npos) continue;
    for (const Node& place : {function, statement}) {
      const std::size_t at = place.span().begin;
      out.add(change_of(function, {at, at}, text + end + indentation(function), weight,
                        fmt::format("add `{}`", text)));
      if (!decorated) break;
    }
  }
}

}  // namespace

extern constinit const Template k_add_decorator = {
    .id = "add-decorator",
    .family = Family::other,
    .summary = "Give a function a decorator that others have.",
    .language = Language::python,
    .query = "(function_definition) @function",
    .prior = 0.2,
    .answers = answers::wrong_arguments,
    .rewrite = rewrite,
};
}  // namespace tenline::templates
