// `assert (condition, "message")` asserts a tuple, which is always true.

#include "templates/python/edits.h"

namespace tenline::templates {
namespace {

void rewrite(const Match& match, const Context& /*context*/, Proposals& out) {
  const Node tuple = match["tuple"];
  const std::vector<Node> parts = tuple.children();
  if (parts.empty() || parts.size() > 2) return;
  std::string text(parts.front().text());
  // A condition of several lines needs parentheses of its own.
  if (text.find('\n') != std::string::npos) text = fmt::format("({})", text);
  if (parts.size() == 2) text += fmt::format(", {}", parts.back().text());
  out.replace(tuple, std::move(text), 1, "assert the condition, not a tuple");
}

}  // namespace

extern constinit const Template k_assert_tuple = {
    .id = "assert-tuple",
    .family = Family::conditional_logic,
    .summary = "Assert a condition instead of a tuple of it and its message.",
    .language = Language::python,
    .query = "(assert_statement . (tuple) @tuple .)",
    .prior = 2.0,
    .rewrite = rewrite,
};
}  // namespace tenline::templates
