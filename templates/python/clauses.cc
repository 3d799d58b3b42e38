#include "templates/python/clauses.h"

#include <algorithm>

#include "templates/python/conditions.h"
#include "templates/python/edits.h"
#include "templates/python/test_pool.h"

namespace tenline::templates {

namespace {

/// True if the body's own `raise` or `assert` is the failure: then its condition is in doubt.
bool raises_here(const Context& context, const Node& body) {
  const std::vector<Node> statements = body.children();
  return std::any_of(statements.begin(), statements.end(), [&](const Node& statement) {
    return (statement.is("raise_statement") || statement.is("assert_statement")) &&
           context.fails_here(statement);
  });
}

/// True if the code ends here: what it decides about is whether the rest runs.
bool leaves(const Node& body) {
  const Node first = body.child(0);
  return first.is("return_statement") || first.is("raise_statement") ||
         first.is("continue_statement") || first.is("break_statement");
}

/// How far the failure speaks for a condition that asks too little.
double scale_of(const Context& context, const Node& condition, const Node& body) {
  if (raises_here(context, body)) return 3;
  const Symptom& symptom = context.symptom();
  if (symptom.type.empty() || symptom.is("AssertionError")) return 1;
  return context.fails_here(condition) ? 0.15 : 0.6;
}

}  // namespace

std::vector<Clause> known_clauses(const Context& context, const Node& condition, const Node& body) {
  // What the condition's own values need stands in front of it; see guarding_clauses.
  std::vector<Node> about;
  constexpr std::size_t k_first = 4;
  for (const Node& statement : body ? body.children() : std::vector<Node>{}) {
    if (about.size() < k_first) about.push_back(statement);
  }
  std::set<std::string> own;
  for (const Node& atom : atoms_of(condition)) {
    own.emplace(atom.text());
    own.insert(negated(atom));
    // A true value is not None.
    own.insert(fmt::format("{} is None", atom.text()));
    own.insert(fmt::format("{} is not None", atom.text()));
  }
  const double scale = 4 * scale_of(context, condition, body);
  const bool exits = leaves(body);
  std::vector<Clause> clauses;
  constexpr std::size_t k_most = 150;
  for (const Test& test : possible_tests(context, condition, about, k_most)) {
    if (own.contains(test.text)) continue;
    // What ends early takes more cases by `or`, and other code fewer by `and`.
    const bool loose = test.text.find(" or ") != std::string::npos;
    clauses.push_back({loose ? fmt::format("({})", test.text) : test.text,
                       test.weight * scale * (exits ? 0.5 : 1),
                       test.weight * scale * (exits ? 0.6 : 0.3)});
  }
  return clauses;
}

}  // namespace tenline::templates
