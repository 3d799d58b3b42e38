#include "templates/python/signatures.h"

#include <algorithm>
#include <array>
#include <set>

#include "engine/base/text.h"
#include "templates/python/edits.h"

namespace tenline::templates {

namespace {

bool contains_word(std::string_view text, std::string_view word) {
  const auto part_of_name = [](char c) {
    return c == '_' || (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
  };
  for (std::size_t at = text.find(word); at != std::string_view::npos;
       at = text.find(word, at + 1)) {
    const std::size_t end = at + word.size();
    const bool begins = at == 0 || (!part_of_name(text[at - 1]) && text[at - 1] != '.');
    if (begins && (end == text.size() || !part_of_name(text[end]))) return true;
  }
  return false;
}

}  // namespace

std::string_view parameter_name(const Node& parameter) {
  if (const Node name = parameter.field("name")) return name.text();
  Node name = parameter;
  while (name && !name.is("identifier")) name = name.child(0);
  return name.text();
}

bool has_types(const Node& function) {
  const std::vector<Node> parameters = function.field("parameters").children();
  return std::any_of(parameters.begin(), parameters.end(), [](const Node& parameter) {
    return parameter.is("typed_parameter") || parameter.is("typed_default_parameter");
  });
}

std::vector<std::pair<std::string, double>> forms_of(std::string_view name,
                                                     std::string_view fallback,
                                                     const Node& function, const Context& context) {
  const bool typed = has_types(function);
  const std::map<std::string, int>& known = context.index().parameter_forms(name);
  int all = 0;
  for (const auto& [text, count] : known) all += count;
  Choices forms;
  for (const auto& [text, count] : known) {
    const bool same_style = (text.find(':') != std::string::npos) == typed;
    forms.add(text, (0.1 + 0.6 * count / all) * (same_style ? 1 : 0.4));
  }
  const auto with_default = [&](std::string_view type, std::string_view value) {
    return typed && !type.empty() ? fmt::format("{}: {} = {}", name, type, value)
                                  : fmt::format("{}={}", name, value);
  };
  if (!fallback.empty() && fallback.find('\n') == std::string_view::npos) {
    forms.add(with_default("", fallback), 0.4);
    if (fallback == "True" || fallback == "False") forms.add(with_default("bool", fallback), 0.4);
  }
  forms.add(with_default("", "None"), typed ? 0.1 : 0.25);
  if (typed && fallback == "None") {
    for (const std::string_view type : {"float", "int", "str", "bool", "Dict", "torch.Tensor"}) {
      forms.add(with_default(fmt::format("Optional[{}]", type), "None"), 0.08);
    }
  }
  forms.add(with_default("bool", "False"), 0.2);
  forms.add(with_default("bool", "True"), 0.06);
  forms.add(name, 0.12);
  constexpr std::size_t k_most = 9;
  return forms.best(k_most);
}

std::vector<ArgumentGap> parameter_gaps(const Node& function, bool has_default,
                                        const Context& context) {
  const Node list = function.field("parameters");
  const std::vector<Node> parameters = list.children();
  std::size_t first = 0;
  std::size_t last = parameters.size();
  bool keyword_only = false;
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    const bool star = parameters[i].text().starts_with("*");
    keyword_only = keyword_only || star;
    const bool fixed = parameters[i].is("identifier") || parameters[i].is("typed_parameter");
    const bool double_star = parameters[i].text().starts_with("**");
    if (double_star || (!keyword_only && !fixed && !has_default)) {
      last = std::min(last, i);
    } else if (!keyword_only && fixed && has_default) {
      first = i + 1;  // Those without a default come first.
    }
    if (i == 0 && (parameters[i].text() == "self" || parameters[i].text() == "cls")) {
      first = std::max<std::size_t>(first, 1);
    }
  }
  if (first > last) return {};
  std::vector<ArgumentGap> gaps = gaps_of(list, first, last, context);
  for (ArgumentGap& gap : gaps) gap.weight *= gap.before == last ? 1 : 0.5;
  std::stable_sort(gaps.begin(), gaps.end(),
                   [](const ArgumentGap& a, const ArgumentGap& b) { return a.weight > b.weight; });
  constexpr std::size_t k_most = 3;
  if (gaps.size() > k_most) gaps.resize(k_most);
  return gaps;
}

std::vector<Change> typing_import(std::string_view text, const Node& at, const Context& context) {
  constexpr std::array<std::string_view, 9> k_names = {
      "Any", "Callable", "Dict", "Iterable", "List", "Literal", "Optional", "Tuple", "Union"};
  std::set<std::string_view> visible;
  for (const Name& name : context.names(at)) visible.insert(name.text);
  std::vector<std::string_view> missing;
  for (const std::string_view name : k_names) {
    if (contains_word(text, name) && !visible.contains(name)) missing.push_back(name);
  }
  if (missing.size() != 1) return {};
  for (const Node& statement : context.tree().root().children()) {
    if (!statement.is("import_from_statement") ||
        statement.field("module_name").text() != "typing") {
      continue;
    }
    // Before the first name that sorts behind it.
    for (const Node& name : statement.fields("name")) {
      if (name.text() < missing.front()) continue;
      const std::size_t begin = name.span().begin;
      return {{{begin, begin}, fmt::format("{}, ", missing.front())}};
    }
    const std::vector<Node> names = statement.fields("name");
    if (names.empty()) continue;
    const std::size_t end = names.back().span().end;
    return {{{end, end}, fmt::format(", {}", missing.front())}};
  }
  return {};
}

Node meant_gap(const Node& block, const Context& context) {
  const std::vector<Node> statements = block.children();
  for (std::size_t i = 0; i + 1 < statements.size(); ++i) {
    const int above = statements[i].end_line();
    const int below = statements[i + 1].line();
    bool between = context.line_score(above) > 0 && context.line_score(below) > 0;
    for (int line = above + 1; line < below; ++line) {
      between = between || context.line_score(line) > 0;
    }
    if (between && starts_line(statements[i + 1])) return statements[i + 1];
  }
  return {};
}

}  // namespace tenline::templates
