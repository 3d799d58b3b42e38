// A function or a turn of a loop ends early where a test holds.

#include "templates/python/edits.h"
#include "templates/python/guards.h"
#include "templates/python/test_pool.h"

namespace tenline::templates {
namespace {

/// What is skipped: the statement and a few behind it.
std::vector<Node> skipped(const Node& statement) {
  constexpr std::size_t k_most = 4;
  std::vector<Node> found;
  for (Node next = statement; next && found.size() < k_most; next = next.next_sibling()) {
    if (!next.is("comment")) found.push_back(next);
  }
  return found;
}

/// True if the place between the statement and what stands before it is told.
bool is_told_gap(const Node& statement, const Context& context) {
  Node before = statement.previous_sibling();
  while (before.is("comment")) before = before.previous_sibling();
  const Node above = before ? before : statement.parent().parent();
  if (above.is("function_definition")) return true;
  return above && context.score(above) > 0;
}

void rewrite(const Match& match, const Context& context, Proposals& out) {
  const Node statement = match["statement"];
  if (!has_own_lines(statement) || !statement.parent().is("block")) return;
  const Node function = enclosing_function(statement);
  const Node loop = enclosing_loop(statement);
  if (!function && !loop) return;
  std::vector<std::pair<std::string, double>> exits;
  if (loop) {
    exits.emplace_back("continue", 1);
    exits.emplace_back("break", 0.2);
  }
  double fit = loop ? 0.4 : 1;
  for (const std::string& value :
       function ? neutral_returns(function) : std::vector<std::string>{}) {
    exits.emplace_back(value.empty() ? "return" : "return " + value, fit);
    fit *= 0.5;
  }
  const double place = is_told_gap(statement, context) ? 1 : 0.3;
  constexpr std::size_t k_most = 120;
  for (const Test& test : possible_tests(context, statement, skipped(statement), k_most)) {
    for (const auto& [exit, likelihood] : exits) {
      out.add(exit_before(statement, {test.text, test.opposite, test.weight}, exit,
                          place * likelihood * 4));
    }
  }
}

}  // namespace

extern constinit const Template k_exit_early = {
    .id = "exit-early",
    .family = Family::precondition_guard,
    .summary = "Return or go on with the loop where a test holds.",
    .language = Language::python,
    .query =
        "[(expression_statement) (return_statement) (for_statement) (if_statement)"
        " (with_statement) (assert_statement) (try_statement)] @statement",
    .prior = 0.5,
    .answers = answers::attribute_error | answers::key_error | answers::index_error,
    .rewrite = rewrite,
};
}  // namespace tenline::templates
