#include "templates/python/alternatives.h"

#include "engine/base/text.h"
#include "templates/python/edits.h"

namespace tenline::templates {

std::vector<std::pair<std::string, double>> stand_ins(const Context& context, const Node& value) {
  Choices choices;
  const std::string quotes(2, usual_quote(value));
  const bool number =
      value.is("integer") || value.is("float") || value.is("binary_operator") ||
      (value.is("call") && (called_name(value) == "len" || called_name(value).ends_with("_size")));
  choices.add("None", number ? 0.3 : 0.8);
  if (value.is("list") || value.is("list_comprehension")) choices.add("[]", 1);
  if (value.is("dictionary") || value.is("dictionary_comprehension")) choices.add("{}", 1);
  if (value.is("string")) choices.add(quotes, 0.6);
  if (value.is("true") || value.is("comparison_operator")) choices.add("False", 1);
  if (value.is("false")) choices.add("True", 1);
  choices.add("0", number ? 0.6 : 0.12);
  choices.add("1", number ? 0.5 : 0.12);
  choices.add("False", 0.15);
  choices.add("True", 0.06);
  choices.add("[]", 0.08);
  choices.add("{}", 0.05);
  // `x[0]` or `x`, `f(x)` or `x`.
  value.walk([&](const Node& part) {
    if (part == value) return true;
    if (part.is("lambda") || part.is("string")) return false;
    if (is_plain(part) && is_value(part) && part.text() != "self" &&
        !(part.parent().is("call") && part.parent().field("function") == part)) {
      choices.add(part.text(), 0.35);
    }
    return true;
  });
  if (value.is("identifier") || value.is("attribute")) {
    const std::string_view own =
        value.is("attribute") ? value.field("attribute").text() : value.text();
    for (const Name& name : context.names(value)) {
      if (name.kind != NameKind::parameter && name.kind != NameKind::local) continue;
      const double alike = name_similarity(own, name.text);
      if (name.text != value.text() && alike > 0.4) choices.add(name.text, 0.4 * alike);
    }
  }
  constexpr std::size_t k_most = 8;
  return choices.best(k_most);
}

}  // namespace tenline::templates
