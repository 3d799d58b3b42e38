// A condition, or one test of it, asks something else: what other conditions of the file ask, a
// flag, a value of the code that it decides about.

#include <algorithm>

#include "engine/base/text.h"
#include "templates/python/conditions.h"
#include "templates/python/edits.h"
#include "templates/python/test_pool.h"

namespace tenline::templates {
namespace {

/// How much two tests have in common: their subjects and the words of their texts.
double likeness(const std::set<std::string>& subjects, const Node& old, const Test& test) {
  double fit = 0.5;
  for (const std::string& name : subjects) {
    if (test.text.find(name) != std::string::npos) fit = 1.5;
  }
  return fit * (0.5 + name_similarity(old.text(), test.text));
}

/// `x is None or Missing` becomes `x is None or isinstance(x, Missing)`.
void ask_for_type(const Node& condition, const Node& part, Proposals& out) {
  const bool type = is_plain(part) && part.text().front() >= 'A' && part.text().front() <= 'Z';
  if (!type) return;
  for (const Node& subject : dereferenced(condition)) {
    if (subject == part) continue;
    out.replace(part, fmt::format("isinstance({}, {})", subject.text(), part.text()), 0.8,
                fmt::format("ask whether `{}` is a `{}`", brief(subject.text()), part.text()));
  }
}

void rewrite(const Match& match, const Context& context, Proposals& out) {
  Node condition = match["condition"];
  if (const Node ternary = match["ternary"]) condition = ternary.child(1);
  const Node parent = condition.parent();
  Node body = parent.field("consequence");
  if (!body) body = parent.field("body");
  std::vector<Node> about = {condition};
  constexpr std::size_t k_first = 4;
  const std::vector<Node> statements = body ? body.children() : std::vector<Node>{};
  for (std::size_t i = 0; i < std::min(k_first, statements.size()); ++i) {
    about.push_back(statements[i]);
  }
  const std::vector<Test> tests = possible_tests(context, condition, about, 120);
  std::vector<Node> parts = atoms_of(condition);
  if (parts.size() != 1 || !(parts[0] == condition)) parts.push_back(condition);
  for (const Node& part : parts) ask_for_type(condition, part, out);
  for (const Node& part : parts) {
    const std::set<std::string> subjects = subjects_of(part);
    const double share = 1.0 / static_cast<double>(parts.size());
    for (const Test& test : tests) {
      if (test.text == part.text()) continue;
      const bool loose = test.text.find(" or ") != std::string::npos ||
                         test.text.find(" and ") != std::string::npos;
      out.replace(part, loose && !(part == condition) ? fmt::format("({})", test.text) : test.text,
                  4 * share * test.weight * likeness(subjects, part, test),
                  fmt::format("ask `{}` instead of `{}`", brief(test.text), brief(part.text())));
    }
  }
}

}  // namespace

extern constinit const Template k_replace_condition = {
    .id = "replace-condition",
    .family = Family::conditional_logic,
    .summary = "Ask another test in a condition.",
    .language = Language::python,
    .query =
        "(if_statement condition: (_) @condition)"
        "(elif_clause condition: (_) @condition)"
        "(while_statement condition: (_) @condition)"
        "(assert_statement . (_) @condition)"
        "(if_clause (_) @condition)"
        "(conditional_expression) @ternary",
    .prior = 0.8,
    .answers = answers::key_error | answers::index_error,
    .rewrite = rewrite,
};
}  // namespace tenline::templates
