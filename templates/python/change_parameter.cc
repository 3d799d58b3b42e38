// A parameter of a meant line gets another default or none, another place, or goes away.

#include <algorithm>

#include "templates/python/edits.h"
#include "templates/python/signatures.h"

namespace tenline::templates {
namespace {

/// Another default: `None`, the opposite, what namesakes have.
void change_default(const Node& function, const Node& parameter, double place,
                    const Context& context, Proposals& out) {
  const Node value = parameter.field("value");
  if (!value) return;
  const std::string_view name = parameter_name(parameter);
  Choices choices;
  choices.add("None", 0.5);
  if (value.is("true") || value.is("false")) choices.add(value.is("true") ? "False" : "True", 0.7);
  if (value.is("none")) choices.add("True", 0.15);
  if (value.is("none")) choices.add("False", 0.3);
  choices.add("0", value.is("integer") || value.is("float") ? 0.3 : 0.05);
  choices.add("1", value.is("integer") || value.is("float") ? 0.3 : 0.05);
  choices.add("''", value.is("string") ? 0.2 : 0.03);
  choices.add("()", value.is("list") || value.is("tuple") ? 0.4 : 0.03);
  for (const auto& [form, count] : context.index().parameter_forms(name)) {
    const std::size_t equals = form.find('=');
    if (equals == std::string::npos) continue;
    std::string_view other = std::string_view(form).substr(equals + 1);
    other.remove_prefix(std::min(other.find_first_not_of(' '), other.size()));
    if (!other.empty()) choices.add(other, 0.5);
  }
  constexpr std::size_t k_most = 12;
  for (const auto& [text, weight] : choices.best(k_most)) {
    if (text == value.text()) continue;
    out.add(change_of(function, value.span(), text, place * weight,
                      fmt::format("give `{}` the default {}", name, brief(text))));
  }
}

/// Those before it must have none either.
void drop_default(const Node& function, const std::vector<Node>& parameters, std::size_t i,
                  double place, Proposals& out) {
  const Node& parameter = parameters[i];
  if (!parameter.field("value")) return;
  if (i > 0 && parameters[i - 1].field("value")) return;
  const Node type = parameter.field("type");
  const Node last = type ? type : parameter.field("name");
  out.add(change_of(function, {last.span().end, parameter.span().end}, "", 0.3 * place,
                    fmt::format("drop the default of `{}`", parameter_name(parameter))));
}

void drop(const Node& function, const Node& parameter, double place, Proposals& out) {
  const std::string_view name = parameter_name(parameter);
  const bool read = is_read(function, name);
  out.add(change_of(function, removal_of(parameter).span, "", place * (read ? 0.1 : 0.6),
                    fmt::format("drop the parameter `{}`", name)));
}

/// The parameters that have no default in another order: one moves, or both halves swap.
void reorder(const Node& function, const std::vector<Node>& parameters, const Context& context,
             Proposals& out) {
  std::vector<Node> fixed;
  for (const Node& parameter : parameters) {
    const bool own = fixed.empty() && (parameter.text() == "self" || parameter.text() == "cls");
    if (own) continue;
    if (!parameter.is("identifier") && !parameter.is("typed_parameter")) break;
    fixed.push_back(parameter);
  }
  constexpr std::size_t k_most = 8;
  if (fixed.size() < 2 || fixed.size() > k_most) return;
  const double place = is_meant(function.field("parameters"), context) ? 1 : 0.1;
  const auto add = [&](std::vector<Node> order, double weight) {
    Proposal proposal;
    for (std::size_t i = 0; i < fixed.size(); ++i) {
      if (order[i] == fixed[i]) continue;
      proposal.changes.push_back({fixed[i].span(), std::string(order[i].text())});
    }
    proposal.anchor = function;
    proposal.weight = place * weight;
    proposal.summary = fmt::format("reorder the parameters of `{}`", function.field("name").text());
    out.add(std::move(proposal));
  };
  for (std::size_t i = 1; i < fixed.size(); ++i) {
    std::vector<Node> order = fixed;
    std::rotate(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(i), order.end());
    add(std::move(order), 0.05);
    order = fixed;
    std::swap(order[i - 1], order[i]);
    add(std::move(order), 0.1);
  }
}

void rewrite(const Match& match, const Context& context, Proposals& out) {
  const Node function = match["function"];
  const std::vector<Node> parameters = match["parameters"].children();
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    const Node& parameter = parameters[i];
    if (i == 0 && (parameter.text() == "self" || parameter.text() == "cls")) continue;
    const double place = is_meant(parameter, context) ? 1 : 0.05;
    change_default(function, parameter, place, context, out);
    drop_default(function, parameters, i, place, out);
    drop(function, parameter, place, out);
  }
  reorder(function, parameters, context, out);
}

}  // namespace

extern constinit const Template k_change_parameter = {
    .id = "change-parameter",
    .family = Family::parameter_handling,
    .summary = "Change a parameter's default or place, or drop it.",
    .language = Language::python,
    .query = "(function_definition parameters: (parameters) @parameters) @function",
    .prior = 0.4,
    .answers = answers::wrong_arguments,
    .rewrite = rewrite,
};
}  // namespace tenline::templates
