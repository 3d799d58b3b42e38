// Arguments by position get the keywords of the callee's parameters, from one of them on; or those
// by keyword lose it.

#include <algorithm>

#include "engine/base/text.h"
#include "templates/python/arguments.h"
#include "templates/python/edits.h"

namespace tenline::templates {
namespace {

/// The names for the arguments at positions `first` to `last`: the parameters', or without a
/// definition the arguments' own. Empty if there is none for some argument.
std::vector<std::string> names_for(const std::vector<Node>& arguments, std::size_t first,
                                   std::size_t last, const PythonFunction* callee) {
  std::vector<std::string> names;
  for (std::size_t i = first; i < last; ++i) {
    std::string name;
    if (callee == nullptr) {
      name = last_name(arguments[i]);
    } else if (i < callee->parameters.size() &&
               callee->parameters[i].kind == ParameterKind::normal) {
      name = callee->parameters[i].name;
    }
    if (!is_identifier(name) || std::find(names.begin(), names.end(), name) != names.end()) {
      return {};
    }
    names.push_back(std::move(name));
  }
  return names;
}

void name_from(const Node& call, const std::vector<Node>& arguments, std::size_t first,
               const PythonFunction* callee, double weight, Proposals& out) {
  const std::size_t last = positional_count(arguments);
  const std::vector<std::string> names = names_for(arguments, first, last, callee);
  if (names.empty()) return;
  const auto is_taken = [&](const Node& argument) {
    return argument.is("keyword_argument") &&
           std::find(names.begin(), names.end(), argument.field("name").text()) != names.end();
  };
  if (std::any_of(arguments.begin(), arguments.end(), is_taken)) return;
  Proposal proposal;
  for (std::size_t i = first; i < last; ++i) {
    const std::size_t begin = arguments[i].span().begin;
    proposal.changes.push_back({{begin, begin}, names[i - first] + "="});
  }
  proposal.anchor = call;
  proposal.weight = weight;
  proposal.summary = fmt::format("pass `{}` by keyword", brief(arguments[first].text()));
  if (last - first > 1) proposal.summary += " and those behind it";
  out.add(std::move(proposal));
}

void rewrite(const Match& match, const Context& context, Proposals& out) {
  const Node call = match["call"];
  const std::vector<Node> arguments = match["arguments"].children();
  const std::size_t last = positional_count(arguments);
  constexpr std::size_t k_most = 12;
  if (last > k_most || call.field("function").text() == "super") return;
  if (last < arguments.size() && arguments[last].is("list_splat")) return;
  const std::vector<const PythonFunction*> known = callees(call, context);
  const double place = is_meant(call, context) ? 1 : 0.2;
  for (std::size_t first = 0; first < last; ++first) {
    const double share = first == 0 || first + 1 == last ? 0.5 : 0.3;
    for (const PythonFunction* callee : known) {
      name_from(call, arguments, first, callee, place * share, out);
    }
    if (!known.empty()) continue;
    const bool method = call.field("function").is("attribute");
    name_from(call, arguments, first, nullptr, place * share * (method ? 0.5 : 0.2), out);
  }
}

}  // namespace

extern constinit const Template k_name_arguments = {
    .id = "name-arguments",
    .family = Family::parameter_handling,
    .summary = "Pass arguments by keyword instead of by position.",
    .language = Language::python,
    .query = "(call function: (_) arguments: (argument_list) @arguments) @call",
    .prior = 0.4,
    .answers = answers::wrong_arguments,
    .rewrite = rewrite,
};
}  // namespace tenline::templates
