// A call loses an argument that its callee does not take, or that should not be passed.

#include "templates/python/arguments.h"
#include "templates/python/edits.h"

namespace tenline::templates {
namespace {

/// How many arguments the callee takes by position, or -1 for any number.
int most_positional(const PythonFunction& callee) {
  int count = 0;
  for (const Parameter& parameter : callee.parameters) {
    if (parameter.kind == ParameterKind::star) return -1;
    if (parameter.kind == ParameterKind::normal) ++count;
  }
  return count;
}

bool is_blamed(const Node& call, const Symptom& symptom) {
  return symptom.owner == called_name(call) || symptom.owner == "__init__" || symptom.owner.empty();
}

double fit_of_keyword(const Node& call, std::string_view name, const Context& context) {
  const Symptom& symptom = context.symptom();
  if (symptom.is("TypeError") && symptom.mentions("keyword argument")) {
    if (symptom.name != name && !symptom.mentions(fmt::format("'{}'", name))) return 0.1;
    return is_blamed(call, symptom) ? 5 : 2.5;
  }
  const PythonFunction* callee = context.callee(call);
  if (callee != nullptr && !accepts(*callee, name)) return 2;
  return 0.3;
}

double fit_of_position(const Node& call, int position, bool last, const Context& context) {
  const Symptom& symptom = context.symptom();
  const PythonFunction* callee = context.callee(call);
  if (symptom.is("TypeError") && symptom.mentions("positional argument") &&
      symptom.mentions("given")) {
    return (is_blamed(call, symptom) ? 2 : 0.3) * (last ? 1 : 0.5);
  }
  const int most = callee == nullptr ? -1 : most_positional(*callee);
  if (most >= 0 && position >= most) return 1.5;
  return last ? 0.2 : 0.1;
}

void rewrite(const Match& match, const Context& context, Proposals& out) {
  const Node call = match["call"];
  const std::vector<Node> arguments = match["arguments"].children();
  int position = 0;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const Node& argument = arguments[i];
    double weight = 0;
    if (argument.is("keyword_argument")) {
      weight = fit_of_keyword(call, argument.field("name").text(), context);
    } else if (argument.is("dictionary_splat") || argument.is("list_splat")) {
      weight = 0.15;
    } else {
      const bool last = i + 1 == arguments.size() || arguments[i + 1].is("keyword_argument");
      // The only argument: most calls without it make no sense.
      weight = fit_of_position(call, position++, last, context) * (arguments.size() == 1 ? 0.4 : 1);
    }
    Proposal proposal;
    proposal.changes = {removal_of(argument)};
    proposal.anchor = call;
    proposal.weight =
        weight * (context.fails_here(call) ? 1.2 : 1) * (is_meant(argument, context) ? 1 : 0.2);
    proposal.summary = fmt::format("drop `{}` from the call of `{}`", brief(argument.text()),
                                   brief(call.field("function").text()));
    proposal.repeatable = true;
    out.add(std::move(proposal));
  }
}

}  // namespace

extern constinit const Template k_drop_argument = {
    .id = "drop-argument",
    .family = Family::parameter_handling,
    .summary = "Drop an argument of a call.",
    .language = Language::python,
    .query = "(call arguments: (argument_list) @arguments) @call",
    .prior = 0.6,
    .answers = answers::wrong_arguments,
    .rewrite = rewrite,
};
}  // namespace tenline::templates
