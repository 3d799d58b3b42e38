// A call passes on all that its function took: `*args`, `**kwargs` or both; or the function takes
// them first.

#include <algorithm>

#include "templates/python/arguments.h"
#include "templates/python/edits.h"

namespace tenline::templates {
namespace {

struct Spread {
  std::string positional;  ///< The name behind `*`, empty for none.
  std::string keywords;    ///< The name behind `**`.
};

Spread spread_of(const Node& function) {
  Spread found;
  for (const Parameter& parameter : parameters_of(function)) {
    if (parameter.kind == ParameterKind::star) found.positional = parameter.name;
    if (parameter.kind == ParameterKind::double_star) found.keywords = parameter.name;
  }
  return found;
}

bool passes(const std::vector<Node>& arguments, std::string_view kind) {
  return std::any_of(arguments.begin(), arguments.end(),
                     [&](const Node& argument) { return argument.is(kind); });
}

void rewrite(const Match& match, const Context& context, Proposals& out) {
  const Node call = match["call"];
  const Node list = match["arguments"];
  const std::vector<Node> arguments = list.children();
  const Node function = enclosing_function(call);
  if (!function || called_name(call) == "super") return;
  const Spread spread = spread_of(function);
  const bool stars = passes(arguments, "list_splat");
  const bool double_stars = passes(arguments, "dictionary_splat");
  const bool inherited = call.field("function").text().starts_with("super()");
  const auto add = [&](const std::string& text, std::size_t before, double weight,
                       const std::string& parameter) {
    Proposal proposal;
    proposal.changes = inserted(list, before, text);
    if (!parameter.empty()) {
      const Node parameters = function.field("parameters");
      if (!parameters) return;
      const std::vector<Change> more =
          inserted(parameters, parameters.children().size(), parameter);
      proposal.changes.insert(proposal.changes.end(), more.begin(), more.end());
      weight *=
          context.score(function) > 0 && is_meant(function.field("parameters"), context) ? 2 : 0.2;
    }
    proposal.anchor = call;
    proposal.weight = weight * (is_meant(call, context) ? 1 : 0.2);
    proposal.summary =
        fmt::format("pass `{}` on to `{}`", text, brief(call.field("function").text()));
    out.add(std::move(proposal));
  };
  const std::size_t end = arguments.size();
  const bool unread_keywords = !spread.keywords.empty() && !is_read(function, spread.keywords);
  const bool unread_stars = !spread.positional.empty() && !is_read(function, spread.positional);
  if (!double_stars && !spread.keywords.empty()) {
    add("**" + spread.keywords, end, unread_keywords ? 1.2 : 0.25, "");
  }
  if (!stars && !spread.positional.empty() && !double_stars) {
    add("*" + spread.positional, positional_count(arguments), unread_stars ? 0.8 : 0.15, "");
    if (!spread.keywords.empty()) {
      add(fmt::format("*{}, **{}", spread.positional, spread.keywords), end,
          unread_keywords && unread_stars ? 1.5 : 0.25, "");
    }
  }
  if (!double_stars && spread.keywords.empty()) {
    add("**kwargs", end, inherited ? 0.5 : 0.1, "**kwargs");
    if (!stars && spread.positional.empty()) {
      add("*args, **kwargs", end, inherited ? 0.2 : 0.03, "*args, **kwargs");
    }
  }
}

}  // namespace

extern constinit const Template k_pass_spread = {
    .id = "pass-spread",
    .family = Family::parameter_handling,
    .summary = "Pass on `*args` and `**kwargs`.",
    .language = Language::python,
    .query = "(call function: (_) arguments: (argument_list) @arguments) @call",
    .prior = 0.6,
    .answers = answers::wrong_arguments,
    .rewrite = rewrite,
};
}  // namespace tenline::templates
