// What a statement does is too much: the code goes on with the next round of a loop, or leaves the
// function, instead of calling `abort`, raising or returning.

#include <algorithm>

#include "templates/python/edits.h"
#include "templates/python/guards.h"

namespace tenline::templates {
namespace {

void rewrite(const Match& match, const Context& context, Proposals& out) {
  const Node statement = match["statement"];
  const Node loop = enclosing_loop(statement);
  const Node function = enclosing_function(statement);
  const bool raises = statement.is("raise_statement");
  const auto propose = [&](std::string text, double weight) {
    if (text == statement.text()) return;
    std::string summary = fmt::format("`{}` instead of `{}`", text, brief(statement.text()));
    out.replace(statement, std::move(text), weight, std::move(summary));
  };
  // What raises here was meant to end something.
  const double fit = raises && context.fails_here(statement) ? 2 : 1;
  if (loop) {
    propose("continue", fit);
    propose("break", 0.3 * fit);
  }
  if (raises || !loop) propose("pass", 0.5 * fit);
  if (!function) return;
  double weight = loop ? 0.3 : 0.8;
  for (const std::string& value : neutral_returns(function)) {
    propose(value.empty() ? "return" : "return " + value, weight * fit);
    weight *= 0.6;
  }
}

}  // namespace

extern constinit const Template k_replace_by_exit = {
    .id = "replace-by-exit",
    .family = Family::conditional_logic,
    .summary = "Go on with the loop or leave the function instead of a call, a raise or a return.",
    .language = Language::python,
    .query =
        "[(expression_statement (call)) (raise_statement) (return_statement) (break_statement)"
        " (continue_statement) (pass_statement)] @statement",
    .prior = 0.3,
    .answers = answers::key_error | answers::index_error | answers::attribute_error,
    .rewrite = rewrite,
};
}  // namespace tenline::templates
