// Two arguments in the wrong order, two values under each other's keyword, two names of a tuple;
// or two calls that each got the other's argument: `f(config.a)` and `g(config.b)`.

#include <algorithm>
#include <cstdlib>

#include "engine/base/text.h"
#include "templates/python/arguments.h"
#include "templates/python/edits.h"

namespace tenline::templates {
namespace {

Proposal swap_of(const Node& anchor, const Node& first, const Node& second, double weight) {
  return {{{first.span(), std::string(second.text())}, {second.span(), std::string(first.text())}},
          anchor,
          weight,
          fmt::format("swap `{}` and `{}`", brief(first.text()), brief(second.text())),
          true};
}

/// From well under 1, where the names say that the order is right, to 3, where they say that it is
/// wrong.
double fit_of_names(std::string_view first, std::string_view second, std::string_view of_first,
                    std::string_view of_second) {
  const double now = name_similarity(first, of_first) + name_similarity(second, of_second);
  const double swapped = name_similarity(first, of_second) + name_similarity(second, of_first);
  if (swapped > now + 0.2) return 3;
  return now > swapped + 0.2 ? 0.15 : 1;
}

void swap_positional(const Node& call, const std::vector<Node>& arguments, const Context& context,
                     Proposals& out) {
  const PythonFunction* callee = context.callee(call);
  for (std::size_t i = 0; i + 1 < arguments.size(); ++i) {
    const Node& first = arguments[i];
    const Node& second = arguments[i + 1];
    const auto by_position = [](const Node& argument) {
      return !argument.is("keyword_argument") && !argument.is("list_splat") &&
             !argument.is("dictionary_splat");
    };
    if (!by_position(first) || !by_position(second)) break;
    if (first.text() == second.text()) continue;
    double weight = context.fails_here(call) ? 0.5 : 0.3;
    if (first.kind() != second.kind()) weight *= 0.6;
    if (callee != nullptr && i + 1 < callee->parameters.size()) {
      weight *= fit_of_names(last_name(first), last_name(second), callee->parameters[i].name,
                             callee->parameters[i + 1].name);
    }
    out.add(swap_of(call, first, second, weight));
  }
}

void swap_keywords(const Node& call, const std::vector<Node>& arguments, Proposals& out) {
  for (std::size_t i = 0; i + 1 < arguments.size(); ++i) {
    if (!arguments[i].is("keyword_argument") || !arguments[i + 1].is("keyword_argument")) continue;
    const Node first = arguments[i].field("value");
    const Node second = arguments[i + 1].field("value");
    if (first.text() == second.text() || first.kind() != second.kind()) continue;
    const double fit =
        fit_of_names(last_name(first), last_name(second), arguments[i].field("name").text(),
                     arguments[i + 1].field("name").text());
    out.add(swap_of(call, first, second, 0.25 * fit));
  }
}

/// The name that says what a call is for: its function's, or the variable that it is assigned to.
double fit_of_user(const Node& call, std::string_view argument) {
  double fit = name_similarity(called_name(call), argument);
  const Node assignment = call.parent();
  if (assignment.is("assignment")) {
    fit = std::max(fit, name_similarity(last_name(assignment.field("left")), argument));
  }
  return fit;
}

void swap_between_calls(const Node& call, const std::vector<Node>& arguments,
                        const Context& context, Proposals& out) {
  constexpr int k_most_lines_apart = 6;
  const Node function = enclosing_function(call);
  (function ? function.field("body") : context.tree().root()).walk([&](const Node& other) {
    if (other.is("function_definition") || other.is("class_definition")) return false;
    if (std::abs(other.line() - call.line()) > k_most_lines_apart) {
      return other.line() < call.line();
    }
    const Node list = other.field("arguments");
    if (!other.is("call") || other == call || !list.is("argument_list") || call.contains(other) ||
        other.contains(call)) {
      return true;
    }
    const std::vector<Node> others = list.children();
    for (std::size_t i = 0; i < std::min(arguments.size(), others.size()); ++i) {
      const Node& mine = arguments[i];
      const Node& theirs = others[i];
      if (!mine.is("attribute") || !theirs.is("attribute") || mine.text() == theirs.text() ||
          mine.field("object").text() != theirs.field("object").text()) {
        continue;
      }
      const std::string_view first = last_name(mine);
      const std::string_view second = last_name(theirs);
      const double now = fit_of_user(call, first) + fit_of_user(other, second);
      const double swapped = fit_of_user(call, second) + fit_of_user(other, first);
      Proposal proposal = swap_of(call, mine, theirs, swapped > now ? 1.2 : 0.15);
      proposal.repeatable = false;
      out.add(std::move(proposal));
    }
    return true;
  });
}

void rewrite(const Match& match, const Context& context, Proposals& out) {
  const Node whole = match["whole"];
  if (whole.is("call")) {
    const Node list = whole.field("arguments");
    if (!list.is("argument_list")) return;
    const std::vector<Node> arguments = list.children();
    swap_positional(whole, arguments, context, out);
    swap_keywords(whole, arguments, out);
    swap_between_calls(whole, arguments, context, out);
    return;
  }
  const std::vector<Node> elements =
      whole.is("subscript") ? whole.fields("subscript") : whole.children();
  constexpr std::size_t k_most_elements = 4;  // Longer ones are data.
  if (elements.size() > k_most_elements) return;
  for (std::size_t i = 0; i + 1 < elements.size(); ++i) {
    if (elements[i].text() == elements[i + 1].text()) continue;
    if (elements[i].is("slice") || elements[i + 1].is("slice")) continue;
    out.add(swap_of(whole, elements[i], elements[i + 1], 0.15));
  }
}

}  // namespace

extern constinit const Template k_swap_arguments = {
    .id = "swap-arguments",
    .family = Family::parameter_handling,
    .summary = "Swap two arguments, of one call or of two calls next to each other.",
    .language = Language::python,
    .query = "[(call) (pattern_list) (tuple) (expression_list) (subscript)] @whole",
    .prior = 0.6,
    .answers = answers::wrong_arguments,
    .rewrite = rewrite,
};
}  // namespace tenline::templates
