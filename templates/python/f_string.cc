// A string with `{name}` in it lacks its `f`, or has one that it should not have.

#include <algorithm>

#include "engine/base/text.h"
#include "templates/python/edits.h"

namespace tenline::templates {
namespace {

/// The texts in single braces.
std::vector<std::string_view> fields_of(std::string_view content) {
  std::vector<std::string_view> fields;
  for (std::size_t at = 0; at < content.size(); ++at) {
    if (content[at] != '{') continue;
    if (at + 1 < content.size() && content[at + 1] == '{') {
      ++at;
      continue;
    }
    const std::size_t end = content.find('}', at);
    if (end == std::string_view::npos) break;
    fields.push_back(content.substr(at + 1, end - at - 1));
    at = end;
  }
  return fields;
}

bool is_formatted(const Node& string) {
  Node whole = string;
  while (whole.parent().is("concatenated_string") ||
         whole.parent().is("parenthesized_expression")) {
    whole = whole.parent();
  }
  const Node parent = whole.parent();
  const std::string_view method = parent.field("attribute").text();
  return parent.is("attribute") && (method == "format" || method == "format_map");
}

bool starts_with_a_name(const Node& string, std::string_view field, const Context& context) {
  const std::size_t end =
      field.find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789");
  const std::string_view name = field.substr(0, end);
  if (!is_identifier(name)) return false;
  const std::vector<Name>& names = context.names(string);
  return std::any_of(names.begin(), names.end(),
                     [&](const Name& known) { return known.text == name; });
}

void add_prefix(const Node& string, std::string_view prefix, std::string_view content,
                const Context& context, Proposals& out) {
  const std::vector<std::string_view> fields = fields_of(content);
  const auto known = std::count_if(fields.begin(), fields.end(), [&](std::string_view field) {
    return starts_with_a_name(string, field, context);
  });
  if (known == 0 || is_formatted(string)) return;
  const bool all = known == static_cast<std::ptrdiff_t>(fields.size());
  const bool raw = prefix == "r" || prefix == "R";
  if (!prefix.empty() && !raw) return;
  const std::size_t begin = string.span().begin;
  out.add(change_of(string, {begin, begin}, "f", all ? 1.5 : 0.4,
                    fmt::format("make {} an f-string", brief(string.text()))));
}

void drop_prefix(const Node& string, std::string_view prefix, Proposals& out) {
  const std::size_t f = prefix.find_first_of("fF");
  const std::size_t at = string.span().begin + f;
  out.add(change_of(string, {at, at + 1}, "", is_formatted(string) ? 1.2 : 0.04,
                    fmt::format("take {} as it is written", brief(string.text()))));
  // `{{name}}` prints the name in braces.
  const std::string_view text = string.text();
  const std::size_t open = text.find("{{");
  const std::size_t close = open == std::string_view::npos ? open : text.find("}}", open);
  if (close == std::string_view::npos) return;
  const std::size_t begin = string.span().begin;
  out.add({{{{begin + open, begin + open + 2}, "{"}, {{begin + close, begin + close + 2}, "}"}},
           string,
           is_identifier(text.substr(open + 2, close - open - 2)) ? 0.3 : 0.05,
           fmt::format("fill in `{}`", brief(text.substr(open + 1, close - open))),
           false});
}

void rewrite(const Match& match, const Context& context, Proposals& out) {
  const Node string = match["string"];
  if (string.parent().is("expression_statement")) return;
  const std::optional<std::string_view> content = string_content(string.text());
  if (!content) return;
  const std::string_view prefix = string.text().substr(0, string.text().find_first_of("'\""));
  if (prefix.find_first_of("fF") == std::string_view::npos) {
    add_prefix(string, prefix, *content, context, out);
  } else {
    drop_prefix(string, prefix, out);
  }
}

}  // namespace

extern constinit const Template k_f_string = {
    .id = "f-string",
    .family = Family::other,
    .summary = "Add or drop the f of an f-string.",
    .language = Language::python,
    .query = "(string) @string",
    .prior = 1.0,
    .rewrite = rewrite,
};
}  // namespace tenline::templates
