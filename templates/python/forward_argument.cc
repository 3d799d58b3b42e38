// A function that takes `strict` and calls something that takes `strict` should pass it on. Where
// the callee's signature is known, only its parameters are offered; a parameter of the caller that
// nothing reads is the strongest sign.

#include <algorithm>

#include "templates/python/edits.h"

namespace tenline::templates {
namespace {

bool accepts(const PythonFunction& callee, std::string_view keyword) {
  return std::any_of(callee.parameters.begin(), callee.parameters.end(), [&](const Parameter& p) {
    return p.kind == ParameterKind::double_star ||
           (p.kind != ParameterKind::star && p.name == keyword);
  });
}

/// The text before a call's closing parenthesis that adds an argument.
Change appended(const Node& arguments, std::string_view argument) {
  const std::vector<Node> given = arguments.children();
  if (given.empty()) {
    return {{arguments.span().begin + 1, arguments.span().begin + 1}, std::string(argument)};
  }
  const std::size_t end = given.back().span().end;
  return {{end, end}, fmt::format(", {}", argument)};
}

/// How many arguments are given by position, or -1 where a `*args` hides it.
int positional(const Node& arguments) {
  int count = 0;
  for (const Node& argument : arguments.children()) {
    if (argument.is("list_splat")) return -1;
    if (!argument.is("keyword_argument") && !argument.is("dictionary_splat")) ++count;
  }
  return count;
}

double symptom_fit(const Context& context, const Node& call, std::string_view name) {
  const Symptom& symptom = context.symptom();
  if (symptom.is("TypeError") && symptom.mentions("missing") && symptom.mentions("argument")) {
    return symptom.name == name || symptom.mentions(fmt::format("'{}'", name)) ? 6 : 0.3;
  }
  return context.fails_here(call) ? 1.5 : 1;
}

void rewrite(const Match& match, const Context& context, Proposals& out) {
  const Node call = match["call"];
  const Node arguments = match["arguments"];
  const Node function = enclosing_function(call);
  if (arguments.text().empty() || arguments.text().front() != '(') return;
  std::set<std::string> given;
  for (const Node& argument : arguments.children()) {
    given.emplace(argument.is("keyword_argument") ? argument.field("name").text()
                                                  : argument.text());
  }
  const PythonFunction* callee = context.callee(call);
  const std::string callee_name = brief(call.field("function").text());
  if (callee_name == "super") return;
  const int by_position = positional(arguments);
  if (callee != nullptr) {
    const std::size_t count = by_position < 0 ? 0 : static_cast<std::size_t>(by_position);
    for (std::size_t i = 0; i < std::min(count, callee->parameters.size()); ++i) {
      given.insert(callee->parameters[i].name);
    }
  }
  const auto propose = [&](const std::string& name, const std::string& value, double weight) {
    out.add(Proposal{{appended(arguments, fmt::format("{}={}", name, value))},
                     call,
                     weight * symptom_fit(context, call, name),
                     fmt::format("pass `{}={}` to `{}`", name, brief(value), callee_name)});
  };
  for (const Parameter& parameter : parameters_of(function)) {
    if (parameter.name == "self" || parameter.name == "cls" || given.contains(parameter.name)) {
      continue;
    }
    if (parameter.kind == ParameterKind::star || parameter.kind == ParameterKind::double_star) {
      const bool keywords = parameter.kind == ParameterKind::double_star;
      const std::string text = (keywords ? "**" : "*") + parameter.name;
      if (!given.contains(text) && !is_read(function, parameter.name)) {
        out.add(Proposal{{appended(arguments, text)},
                         call,
                         0.8,
                         fmt::format("pass `{}` to `{}`", text, callee_name)});
      }
      continue;
    }
    const bool unread = !is_read(function, parameter.name);
    const bool used_elsewhere = context.index()
                                    .call_keywords(callee_name.substr(callee_name.rfind('.') + 1))
                                    .contains(parameter.name);
    double weight = 0.03;
    if (callee != nullptr) weight = accepts(*callee, parameter.name) ? 1.2 : 0.01;
    if (callee == nullptr && used_elsewhere) weight = 0.6;
    if (unread) weight = std::max(weight * 2, callee == nullptr ? 0.8 : 0.0);
    if (context.in_issue(parameter.name)) weight *= 1.5;
    propose(parameter.name, parameter.name, weight);
  }
  if (callee == nullptr) return;
  // Parameters of the callee that a name in scope or an attribute of self has the name of.
  std::set<std::string> visible;
  for (const Name& name : context.names(call)) visible.insert(name.text);
  const Node owner = enclosing_class(call);
  const std::set<std::string> members =
      owner ? context.index().members(owner.field("name").text()) : std::set<std::string>{};
  for (const Parameter& parameter : callee->parameters) {
    if (by_position < 0 || given.contains(parameter.name) ||
        parameter.kind == ParameterKind::star || parameter.kind == ParameterKind::double_star) {
      continue;
    }
    if (visible.contains(parameter.name)) propose(parameter.name, parameter.name, 0.8);
    if (members.contains(parameter.name)) propose(parameter.name, "self." + parameter.name, 0.5);
  }
}

}  // namespace

extern constinit const Template k_forward_argument = {
    .id = "forward-argument",
    .family = Family::parameter_handling,
    .summary = "Pass on an argument that the caller has under the same name.",
    .language = Language::python,
    .query = "(call function: (_) arguments: (argument_list) @arguments) @call",
    .prior = 1.0,
    .rewrite = rewrite,
};
}  // namespace tenline::templates
