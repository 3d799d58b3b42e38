// An argument gets another value: one that fits its keyword or the callee's parameter, what other
// calls pass there, or the same attribute of another object.

#include <algorithm>

#include "engine/base/text.h"
#include "templates/python/arguments.h"
#include "templates/python/edits.h"
#include "templates/python/values.h"

namespace tenline::templates {
namespace {

/// The name of the parameter that an argument is for; empty where it is not known.
std::string parameter_of(const Node& argument, std::size_t position,
                         const std::vector<const PythonFunction*>& known) {
  if (argument.is("keyword_argument")) return std::string(argument.field("name").text());
  for (const PythonFunction* callee : known) {
    if (position < callee->parameters.size() && is_named(callee->parameters[position])) {
      return callee->parameters[position].name;
    }
  }
  return {};
}

void add_of_other_calls(const Node& call, std::size_t position, const Values& values,
                        const Context& context, Choices& found) {
  constexpr std::size_t k_most_calls = 12;
  std::size_t calls = 0;
  for (const Node& other : context.calls(called_name(call))) {
    if (other == call || ++calls > k_most_calls) continue;
    const std::vector<Node> arguments = other.field("arguments").children();
    if (position >= positional_count(arguments)) continue;
    const std::string_view text = arguments[position].text();
    if (text.find('\n') == std::string_view::npos && values.usable(text)) found.add(text, 0.35);
  }
}

/// `other.device` for `this.device`; `self.x`, `config.x` or `local_x` for `x`.
void add_variants(const Node& value, const Values& values, const Node& call, const Context& context,
                  Choices& found) {
  const std::string_view name = last_name(value);
  if (name.empty()) return;
  if (value.is("attribute")) {
    const std::string_view object = value.field("object").text();
    for (const Name& other : context.names(call)) {
      const bool parameter = other.kind == NameKind::parameter;
      if ((parameter || other.kind == NameKind::local) && other.text != object) {
        found.add(fmt::format("{}.{}", other.text, name), parameter ? 0.3 : 0.12);
      }
    }
    for (const auto& [other, count] : values.objects()) {
      if (other != object && values.usable(other)) {
        found.add(fmt::format("{}.{}", other, name), 0.1);
      }
    }
    for (const std::string& member : context.members(value.field("object"), name)) {
      const double similarity = name_similarity(name, member);
      found.add(fmt::format("{}.{}", object, member), 0.03 + 0.4 * similarity * similarity);
    }
  }
  for (const auto& [chain, lines] : context.attributes(name)) {
    if (values.usable(chain)) found.add(chain, 0.25);
  }
  for (const Name& other : context.names(call)) {
    const double kin = kinship(name, other.text);
    const bool near = other.kind == NameKind::parameter || other.kind == NameKind::local;
    found.add(other.text, (near ? 0.04 : 0.005) + 0.4 * kin * kin * kin);
  }
}

void rewrite(const Match& match, const Context& context, Proposals& out) {
  const Node call = match["call"];
  const std::vector<Node> arguments = match["arguments"].children();
  if (arguments.empty()) return;
  const Values values(call, context);
  const std::vector<const PythonFunction*> known = callees(call, context);
  constexpr std::size_t k_most_values = 40;
  constexpr std::size_t k_most = 200;
  std::vector<Proposal> found;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const Node& argument = arguments[i];
    if (is_spread(argument)) continue;
    const bool keyword = argument.is("keyword_argument");
    const Node value = keyword ? argument.field("value") : argument;
    const std::string parameter = parameter_of(argument, i, known);
    Choices choices;
    if (!parameter.empty()) {
      for (const auto& [text, weight] : values.of(parameter, called_name(call), "", 24)) {
        const bool alike = value.is("attribute") == (text.find('.') != std::string::npos);
        const double other = alike ? 0.6 : 0.35;
        choices.add(text, weight * (text == parameter ? 1 : other));
      }
    }
    if (!keyword) add_of_other_calls(call, i, values, context, choices);
    add_variants(value, values, call, context, choices);
    const bool truth = value.is("true") || value.is("false");
    if (truth) choices.add(value.is("true") ? "False" : "True", 0.5);
    choices.add("None", 0.05);
    const double place = is_meant(argument, context) ? 1 : 0.1;
    // A value that is its parameter's namesake is right more often.
    const double doubt = last_name(value) == parameter && !parameter.empty() ? 0.4 : 1;
    for (const auto& [text, weight] : choices.best(k_most_values)) {
      if (text == value.text()) continue;
      found.push_back(
          change_of(argument, value.span(), text, place * doubt * weight,
                    fmt::format("pass `{}` instead of `{}`", brief(text), brief(value.text()))));
    }
  }
  for (Proposal& proposal : heaviest(std::move(found), k_most)) out.add(std::move(proposal));
}

}  // namespace

extern constinit const Template k_change_argument = {
    .id = "change-argument",
    .family = Family::parameter_handling,
    .summary = "Pass another value as an argument.",
    .language = Language::python,
    .query = "(call function: (_) arguments: (argument_list) @arguments) @call",
    .prior = 0.6,
    .answers = answers::wrong_arguments | answers::key_error,
    .rewrite = rewrite,
};
}  // namespace tenline::templates
