// An argument goes by another keyword: the name that the callee gives it, or that other calls of
// it use. Or it loses or gets its keyword.

#include <algorithm>

#include "engine/base/text.h"
#include "templates/python/arguments.h"
#include "templates/python/edits.h"

namespace tenline::templates {
namespace {

/// How likely it is that the call must not use this keyword.
double fit_of_old(const Node& call, std::string_view keyword, const Context& context) {
  const Symptom& symptom = context.symptom();
  if (symptom.is("TypeError") && symptom.mentions("keyword argument")) {
    return symptom.name == keyword || symptom.mentions(fmt::format("'{}'", keyword)) ? 4 : 0.2;
  }
  const PythonFunction* callee = context.callee(call);
  if (callee == nullptr) return 0.6;
  return accepts(*callee, keyword) ? 0.4 : 3;
}

void rename(const Node& call, const Node& argument, const std::set<std::string_view>& given,
            const Context& context, Proposals& out) {
  const Node name = argument.field("name");
  Choices choices;
  const auto add = [&](std::string_view other, double base) {
    if (other == name.text() || given.contains(other)) return;
    const double similarity = name_similarity(name.text(), other);
    choices.add(other, base + 0.8 * similarity * similarity + (context.in_issue(other) ? 0.2 : 0));
  };
  if (const PythonFunction* callee = context.callee(call)) {
    for (const Parameter& parameter : callee->parameters) {
      if (is_named(parameter)) add(parameter.name, 0.15);
    }
  } else {
    for (const auto& [other, count] : context.index().call_keywords(called_name(call))) {
      add(other, 0.1);
    }
    // Near misses among what the code calls things: `input_ids` for `input_id`.
    for (const Name& other : context.names(call)) {
      if (name_similarity(name.text(), other.text) >= 0.7) add(other.text, 0);
    }
    for (const std::string& other : context.issue_names()) {
      if (is_identifier(other) && name_similarity(name.text(), other) >= 0.5) add(other, 0);
    }
  }
  const double fit = fit_of_old(call, name.text(), context);
  for (const auto& [other, weight] : choices.best(6)) {
    Proposal proposal = change_of(argument, name.span(), other, fit * weight,
                                  fmt::format("pass `{}` as `{}`", brief(argument.text()), other));
    proposal.repeatable = fit > 1;  // Other calls may be right, or give both already.
    out.add(std::move(proposal));
  }
}

void rewrite(const Match& match, const Context& context, Proposals& out) {
  const Node call = match["call"];
  const std::vector<Node> arguments = match["arguments"].children();
  std::set<std::string_view> given;
  for (const Node& argument : arguments) {
    if (argument.is("keyword_argument")) given.insert(argument.field("name").text());
  }
  for (const Node& argument : arguments) {
    if (argument.is("keyword_argument")) rename(call, argument, given, context, out);
  }
  const auto is_keyword = [](const Node& node) { return node.is("keyword_argument"); };
  const auto first = std::find_if(arguments.begin(), arguments.end(), is_keyword);
  const bool spread = std::any_of(arguments.begin(), first, [](const Node& node) {
    return node.is("list_splat") || node.is("dictionary_splat");
  });
  if (spread) return;
  if (first != arguments.end()) {
    const std::string_view name = first->field("name").text();
    out.add(change_of(*first, {first->span().begin, first->field("value").span().begin}, "",
                      0.25 * fit_of_old(call, name, context),
                      fmt::format("pass `{}` by position", brief(first->text()))));
  }
  // The last argument by position is the namesake of a parameter further on.
  const PythonFunction* callee = context.callee(call);
  if (callee == nullptr || first == arguments.begin()) return;
  const Node last = *std::prev(first);
  const auto position = static_cast<std::size_t>(std::distance(arguments.begin(), first)) - 1;
  const std::string_view named =
      last.is("attribute") ? last.field("attribute").text() : last.text();
  for (std::size_t i = 0; i < callee->parameters.size(); ++i) {
    const Parameter& parameter = callee->parameters[i];
    if (i == position || !is_named(parameter) || parameter.name != named || given.contains(named)) {
      continue;
    }
    const std::size_t begin = last.span().begin;
    out.add(change_of(last, {begin, begin}, fmt::format("{}=", named), i > position ? 1.5 : 0.2,
                      fmt::format("pass `{}` by its keyword", brief(last.text()))));
  }
}

}  // namespace

extern constinit const Template k_rename_keyword = {
    .id = "rename-keyword",
    .family = Family::parameter_handling,
    .summary = "Pass an argument by another keyword, or by position.",
    .language = Language::python,
    .query = "(call arguments: (argument_list) @arguments) @call",
    .prior = 0.7,
    .answers = answers::unbound_name | answers::wrong_arguments,
    .rewrite = rewrite,
};
}  // namespace tenline::templates
