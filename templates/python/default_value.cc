// A signature takes what its callers pass, and no more than they pass: a default for a parameter, a
// parameter or `**kwargs` more.

#include <algorithm>

#include "engine/base/text.h"
#include "templates/python/edits.h"

namespace tenline::templates {
namespace {

/// True if the message says that it is about this function: "f() missing 1 required ...".
bool is_blamed(const Node& function, const Symptom& symptom) {
  if (!symptom.is("TypeError")) return false;
  const std::string_view name = function.field("name").text();
  if (symptom.owner != name) return false;
  // From 3.10 on with the class: "Engine.__init__() got ...".
  const Node owner = enclosing_class(function);
  return name != "__init__" || !owner ||
         symptom.mentions(fmt::format("{}.__init__()", owner.field("name").text())) ||
         symptom.message.starts_with("__init__()");
}

bool is_plain_parameter(const Node& parameter) {
  return parameter.is("identifier") ||
         (parameter.is("typed_parameter") && parameter.child(0).is("identifier"));
}

std::string_view name_of(const Node& parameter) {
  if (const Node name = parameter.field("name")) return name.text();
  return parameter.is("identifier") ? parameter.text() : parameter.child(0).text();
}

Change default_for(const Node& parameter, std::string_view value) {
  const std::size_t end = parameter.span().end;
  const bool typed = parameter.is("typed_parameter");
  return {{end, end}, fmt::format("{}{}", typed ? " = " : "=", value)};
}

/// Defaults that fit: those of namesakes in functions of the same name, by type, None.
Choices defaults_for(const Node& function, const Node& parameter, const Context& context) {
  Choices choices;
  choices.add("None", 1.0);
  for (const PythonFunction& sibling : context.index().functions(function.field("name").text())) {
    for (const Parameter& other : sibling.parameters) {
      if (other.name == name_of(parameter) && other.has_default) {
        choices.add(other.default_text, 1.3);
      }
    }
  }
  const std::string_view type = parameter.field("type").text();
  if (type == "bool") choices.add("False", 1.2);
  if (type == "bool") choices.add("True", 0.6);
  if (type == "int") choices.add("0", 1.1);
  if (type == "int") choices.add("1", 0.6);
  if (type == "str") choices.add("''", 0.5);
  if (type.empty()) choices.add("False", 0.5);
  if (type.empty()) choices.add("0", 0.4);
  return choices;
}

void give_defaults(const Node& function, const std::vector<Node>& parameters,
                   const Context& context, Proposals& out) {
  const Symptom& symptom = context.symptom();
  const bool missing = is_blamed(function, symptom) && symptom.mentions("missing");
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    const Node& parameter = parameters[i];
    const std::string_view name = name_of(parameter);
    if (!is_plain_parameter(parameter) || (i == 0 && (name == "self" || name == "cls"))) continue;
    const bool named = missing && symptom.mentions(fmt::format("'{}'", name));
    // Those behind it must have defaults too, up to `*`.
    std::vector<Node> behind;
    for (std::size_t j = i + 1; j < parameters.size(); ++j) {
      if (parameters[j].text().starts_with("*")) break;
      if (is_plain_parameter(parameters[j])) behind.push_back(parameters[j]);
    }
    if (!named && !behind.empty()) continue;
    for (const auto& [value, weight] : defaults_for(function, parameter, context).best(4)) {
      Proposal proposal;
      proposal.changes.push_back(default_for(parameter, value));
      for (const Node& other : behind) proposal.changes.push_back(default_for(other, "None"));
      proposal.anchor = function;
      proposal.weight = weight * (named ? 4 : 0.2);
      proposal.summary = fmt::format("give `{}` of `{}` the default {}", name,
                                     function.field("name").text(), value);
      out.add(std::move(proposal));
    }
  }
}

/// Parameters more: the keyword that a caller passes, or all.
void widen(const Node& function, const std::vector<Node>& parameters, const Context& context,
           Proposals& out) {
  const Symptom& symptom = context.symptom();
  const bool blamed = is_blamed(function, symptom);
  const bool keyword = blamed && symptom.mentions("unexpected keyword argument");
  const bool position =
      blamed && symptom.mentions("positional argument") && symptom.mentions("given");
  const auto starts = [&](std::string_view star) {
    return std::any_of(parameters.begin(), parameters.end(), [&](const Node& parameter) {
      return parameter.text().starts_with(star) &&
             (star == "**" || !parameter.text().starts_with("**"));
    });
  };
  const bool ends_with_keywords = starts("**");
  const auto insert = [&](std::string text, double weight) {
    const bool behind = !ends_with_keywords && !parameters.empty();
    const Node before = behind ? parameters.back() : Node{};
    const Node list = function.field("parameters");
    std::size_t at = before ? before.span().end : list.span().begin + 1;
    std::string inserted = before ? ", " + text : text;
    if (ends_with_keywords) {
      at = parameters.back().span().begin;
      inserted = text + ", ";
    }
    out.add(change_of(function, {at, at}, inserted, weight,
                      fmt::format("let `{}` take `{}`", function.field("name").text(), text)));
  };
  if (!ends_with_keywords) insert("**kwargs", keyword ? 3.0 : 0.12);
  if (keyword && is_identifier(symptom.name)) {
    insert(symptom.name + "=None", 3.5);
  }
  if (!ends_with_keywords && !starts("*")) insert("*args, **kwargs", position ? 1.0 : 0.06);
  if (position && !starts("*")) insert("*args", 2.0);
}

void rewrite(const Match& match, const Context& context, Proposals& out) {
  const Node function = match["function"];
  const std::vector<Node> parameters = match["parameters"].children();
  give_defaults(function, parameters, context, out);
  widen(function, parameters, context, out);
}

}  // namespace

extern constinit const Template k_default_value = {
    .id = "default-value",
    .family = Family::parameter_handling,
    .summary = "Give a parameter a default, or let a function take more arguments.",
    .language = Language::python,
    .query = "(function_definition parameters: (parameters) @parameters) @function",
    .prior = 0.7,
    .answers = answers::wrong_arguments,
    .rewrite = rewrite,
};
}  // namespace tenline::templates
