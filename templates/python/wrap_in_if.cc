// Code runs only where a test holds: one statement, or several up to the block's end, under an
// `if` that the file's other conditions, its flags or the code's own values suggest.

#include "templates/python/edits.h"
#include "templates/python/guards.h"
#include "templates/python/test_pool.h"

namespace tenline::templates {
namespace {

constexpr int k_most_lines = 4;  // Each is removed and added again, within ten.

/// Where the code to wrap may end.
struct Run {
  Node last;
  double fit = 0;
};

std::vector<Run> runs_from(const Node& statement, const Context& context) {
  Node told = statement;
  Node end = statement;
  bool all_told = true;
  for (Node next = statement.next_sibling(); next; next = next.next_sibling()) {
    if (next.end_line() - statement.line() >= k_most_lines) {
      end = {};
      break;
    }
    if (next.is("comment")) continue;
    all_told = all_told && context.score(next) > 0;
    if (all_told) told = next;
    end = next;
  }
  std::vector<Run> runs;
  const auto add = [&](const Node& last, double fit) {
    if (!last) return;
    for (const Run& run : runs) {
      if (run.last == last) return;
    }
    runs.push_back({last, fit});
  };
  add(told, 1);
  add(statement, 0.5);
  add(last_dependent(statement), 0.3);
  add(end, 0.12);
  return runs;
}

void rewrite(const Match& match, const Context& context, Proposals& out) {
  const Node statement = match["statement"];
  if (!has_own_lines(statement) || statement.child(0).is("string")) return;
  if (statement.end_line() - statement.line() >= k_most_lines) return;
  Node before = statement.previous_sibling();
  while (before.is("comment")) before = before.previous_sibling();
  // The first line of a told run is where an `if` begins.
  const double start = before && context.score(before) > 0 ? 0.4 : 1;
  // What an `if` alone decides on gets a further clause, not an `if` in the `if`.
  const Node around = statement.parent().parent();
  const bool alone = around.is("if_statement") && is_alone(statement) &&
                     around.field("consequence").contains(statement);
  const double nested = alone && !around.field("alternative") ? 0.3 : 1;
  for (const Run& run : runs_from(statement, context)) {
    std::vector<Node> about = {statement};
    for (Node next = statement; next && !(next == run.last);) {
      next = next.next_sibling();
      if (!next.is("comment")) about.push_back(next);
    }
    const std::size_t most = run.fit == 1 ? 200 : 60;
    for (const Test& test : possible_tests(context, statement, about, most)) {
      out.add(wrapped(statement, run.last, {test.text, test.opposite, test.weight},
                      start * run.fit * nested * 6));
    }
  }
}

}  // namespace

extern constinit const Template k_wrap_in_if = {
    .id = "wrap-in-if",
    .family = Family::precondition_guard,
    .summary = "Run statements only where a test holds.",
    .language = Language::python,
    .query =
        "[(expression_statement) (return_statement) (for_statement) (if_statement)"
        " (with_statement) (assert_statement) (delete_statement) (raise_statement)] @statement",
    .prior = 1,
    .answers = answers::attribute_error | answers::key_error | answers::index_error,
    .rewrite = rewrite,
};
}  // namespace tenline::templates
