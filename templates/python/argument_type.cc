// A command-line option is read as the wrong type, or as text for want of one.

#include <array>

#include "templates/python/edits.h"

namespace tenline::templates {
namespace {

Node keyword_value(const std::vector<Node>& arguments, std::string_view name) {
  for (const Node& argument : arguments) {
    if (argument.is("keyword_argument") && argument.field("name").text() == name) {
      return argument.field("value");
    }
  }
  return {};
}

double fit_of_type(std::string_view type, const Node& fallback, const Context& context) {
  double fit = 0.3;
  if (type == "int") fit = fallback.is("integer") ? 2 : 0.8;
  if (type == "float") fit = fallback.is("float") ? 2 : 0.4;
  if (type == "str" && fallback.is("string")) fit = 1.5;
  const Symptom& symptom = context.symptom();
  if (symptom.is("TypeError") && type != "str" && symptom.mentions("'str'")) fit *= 1.5;
  return fit;
}

void rewrite(const Match& match, const Context& context, Proposals& out) {
  const Node call = match["call"];
  const std::vector<Node> arguments = match["arguments"].children();
  if (match["method"].text() != "add_argument" || arguments.empty()) return;
  const Node type = keyword_value(arguments, "type");
  const Node fallback = keyword_value(arguments, "default");
  const std::string option = brief(arguments.front().text());
  if (type) {
    constexpr std::array<std::string_view, 3> k_types = {"int", "float", "str"};
    for (const std::string_view other : k_types) {
      if (type.text() == other) continue;
      out.add(change_of(call, type.span(), std::string(other),
                        fit_of_type(other, fallback, context),
                        fmt::format("read {} as {}", option, other)));
    }
    if (type.text() != "bool") return;
    // `type=bool` is true for every text, "False" too.
    out.add(change_of(call, type.parent().span(), "action=\"store_true\"", 0.8,
                      fmt::format("make {} a switch", option)));
    return;
  }
  if (keyword_value(arguments, "action") || keyword_value(arguments, "choices")) return;
  const std::size_t end = arguments.back().span().end;
  for (const std::string_view other : {"int", "float"}) {
    out.add(change_of(call, {end, end}, fmt::format(", type={}", other),
                      0.5 * fit_of_type(other, fallback, context),
                      fmt::format("read {} as {}", option, other)));
  }
}

}  // namespace

extern constinit const Template k_argument_type = {
    .id = "argument-type",
    .family = Family::parameter_handling,
    .summary = "Change the type that a command-line option is read as.",
    .language = Language::python,
    .query =
        "(call function: (attribute attribute: (identifier) @method)"
        " arguments: (argument_list) @arguments) @call",
    .prior = 0.9,
    .rewrite = rewrite,
};
}  // namespace tenline::templates
