// A value is put into another form before its use: `tag = str(tag)`, `x = x.contiguous()`.

#include <algorithm>
#include <array>

#include "engine/base/text.h"
#include "templates/python/edits.h"

namespace tenline::templates {
namespace {

struct Form {
  std::string_view text;
  double weight;
};

/// Commonest first.
constexpr std::array<Form, 7> k_functions = {{
    {"str", 0.48},
    {"list", 0.46},
    {"int", 0.45},
    {"float", 0.42},
    {"tuple", 0.41},
    {"dict", 0.39},
    {"set", 0.38},
}};
constexpr std::array<Form, 10> k_methods = {{
    {".contiguous()", 0.44},
    {".detach()", 0.43},
    {".clone()", 0.42},
    {".cpu()", 0.41},
    {".item()", 0.4},
    {".float()", 0.39},
    {".cuda()", 0.38},
    {".copy()", 0.37},
    {".strip()", 0.36},
    {".data", 0.35},
}};

bool is_written(const Context& context, std::string_view method) {
  const std::vector<Suffix>& methods = context.ingredients().methods();
  return std::any_of(methods.begin(), methods.end(),
                     [&](const Suffix& known) { return known.text == method; });
}

void rewrite(const Match& match, const Context& context, Proposals& out) {
  const Node statement = match["statement"];
  if (!starts_line(statement)) return;
  const Node function = enclosing_function(statement);
  // The names that the statement reads, and those that it makes.
  std::vector<std::string_view> read;
  std::vector<std::string_view> made;
  const auto add = [](std::vector<std::string_view>& list, std::string_view name) {
    constexpr std::size_t k_most = 6;
    const bool known = std::find(list.begin(), list.end(), name) != list.end();
    if (!known && list.size() < k_most) list.push_back(name);
  };
  std::set<std::string_view> local;
  for (const Name& name : context.names(statement)) {
    // What is bound only here or below has no value yet.
    const bool bound = name.kind == NameKind::parameter ||
                       (name.kind == NameKind::local && name.line < statement.line());
    if (bound) local.insert(name.text);
  }
  const Node assignment = statement.child(0).is("assignment") ? statement.child(0) : Node{};
  if (assignment.field("left").is("identifier")) add(made, assignment.field("left").text());
  statement.walk([&](const Node& node) {
    if (node.is("block")) return false;
    if (node.is("identifier") && is_use(node) && local.contains(node.text()) &&
        node.text() != "self" && node.text() != "cls") {
      add(read, node.text());
    }
    return true;
  });
  if (!function && read.empty()) return;
  const std::string indent = indentation(statement);
  const std::string end = line_end(statement);
  const Span lines = whole_lines(statement);
  const std::size_t begin = lines.begin;
  const bool own_lines = has_own_lines(statement);
  if (!own_lines) return;
  const auto propose = [&](std::string_view name, const std::string& value, double weight,
                           bool before) {
    const std::string line = fmt::format("{}{} = {}{}", indent, name, value, end);
    const std::size_t at = before ? begin : lines.end;
    out.add(change_of(statement, {at, at}, line, weight, fmt::format("`{} = {}`", name, value)));
  };
  const auto all_forms = [&](std::string_view name, double weight, bool before) {
    for (const Form& method : k_methods) {
      const double fit = is_written(context, method.text) ? 0.49 : method.weight;
      propose(name, fmt::format("{}{}", name, method.text), weight * fit, before);
    }
    for (const Form& converted : k_functions) {
      propose(name, fmt::format("{}({})", converted.text, name), weight * converted.weight, before);
    }
    int count = 0;
    for (const auto& [unary, uses] : context.ingredients().unary()) {
      constexpr int k_most = 12;
      if (++count > k_most) break;
      const std::string_view root = std::string_view(unary).substr(0, unary.find_first_of(".[("));
      if (!context.name_set(statement).contains(root)) continue;
      propose(name, fmt::format("{}({})", unary, name), weight * (uses > 2 ? 0.3 : 0.2), before);
    }
    count = 0;
    for (const Suffix& suffix : context.ingredients().methods()) {
      constexpr int k_most = 12;
      if (++count > k_most) break;
      if (suffix.text.find('(') == std::string::npos) continue;
      propose(name, fmt::format("{}{}", name, suffix.text), weight * 0.2, before);
    }
  };
  for (const std::string_view name : read) all_forms(name, 0.5, true);
  const bool ends_line = lines.end > 0 && lines.end <= statement.source().size() &&
                         statement.source()[lines.end - 1] == '\n';
  if (ends_line) {
    for (const std::string_view name : made) all_forms(name, 0.5, false);
  }
}

}  // namespace

extern constinit const Template k_reassign = {
    .id = "reassign",
    .family = Family::parameter_handling,
    .summary = "Put a value into another form before its use: `tag = str(tag)`.",
    .language = Language::python,
    .query =
        "[(expression_statement) (return_statement) (if_statement) (for_statement)] @statement",
    .prior = 0.2,
    .rewrite = rewrite,
};
}  // namespace tenline::templates
