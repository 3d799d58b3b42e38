// A loop unpacks in another way than its iterable gives: `for i, a, b in enumerate(zip(...))`, a
// counter too many or too few, `.items()` left out.

#include "templates/python/edits.h"

namespace tenline::templates {
namespace {

/// True for names that the loop or one around it binds.
bool is_taken(const Node& loop, std::string_view name) {
  for (Node at = loop; at && !at.is("function_definition"); at = at.parent()) {
    bool found = false;
    at.field("left").walk([&](const Node& target) {
      found = found || (target.is("identifier") && target.text() == name);
      return !found;
    });
    if (found) return true;
  }
  return false;
}

void rewrite(const Match& match, const Context& context, Proposals& out) {
  const Node loop = match["loop"];
  const Node left = loop.field("left");
  const Node right = loop.field("right");
  // What `async for` takes is not for enumerate and its like.
  if (loop.all_children().front().is("async")) return;
  const std::string_view function = right.field("function").text();
  const std::vector<Node> targets =
      left.is("pattern_list") || left.is("tuple_pattern") ? left.children() : std::vector{left};
  const double fit = context.fails_here(loop) ? 2 : 1;
  const auto propose = [&](std::string new_left, std::string new_right, double weight) {
    std::vector<Change> changes;
    std::string summary = fmt::format("loop `for {} in {}`", brief(new_left), brief(new_right));
    if (new_left != left.text()) changes.push_back({left.span(), std::move(new_left)});
    if (new_right != right.text()) changes.push_back({right.span(), std::move(new_right)});
    out.add({std::move(changes), loop, weight * fit, std::move(summary), false});
  };
  const std::string old_left(left.text());
  const bool loose = right.is("expression_list");
  const std::string old_right =
      loose ? fmt::format("({})", right.text()) : std::string(right.text());
  const bool counts = function == "range";
  const std::vector<Node> arguments = right.field("arguments").children();
  if (function == "enumerate" && !arguments.empty() && targets.size() >= 2) {
    if (targets.size() > 2) {
      const std::size_t begin = targets[1].span().begin - left.span().begin;
      const std::size_t end = targets.back().span().end - left.span().begin;
      std::string nested = old_left;
      nested.insert(end, ")");
      nested.insert(begin, "(");
      propose(nested, old_right, 1);
    } else {
      propose(std::string(targets[1].text()), std::string(arguments[0].text()), 0.3);
    }
  } else if (targets.size() == 1 && !counts) {
    for (const std::string_view counter : {"i", "idx", "index", "_"}) {
      if (is_taken(loop, counter)) continue;
      propose(fmt::format("{}, {}", counter, old_left), fmt::format("enumerate({})", old_right),
              counter == "i" ? 0.4 : 0.2);
    }
  }
  if (targets.size() == 2 && !right.is("call")) {
    propose(old_left, fmt::format("{}.items()", loose ? old_right : in_parentheses(right)), 0.6);
    propose(old_left, fmt::format("enumerate({})", old_right), 0.3);
    propose(old_left, fmt::format("zip({})", old_right), 0.1);
  }
  if (right.is("call") && arguments.empty()) {
    const Node method = right.field("function");
    const std::string object(method.field("object").text());
    const std::string_view name = method.field("attribute").text();
    if (name == "items" || name == "values" || name == "keys") {
      for (const std::string_view other : {"items", "values", "keys"}) {
        if (other != name) propose(old_left, fmt::format("{}.{}()", object, other), 0.4);
      }
      propose(old_left, object, 0.2);
    }
  }
  if (function != "list" && targets.size() == 1 && !counts) {
    propose(old_left, fmt::format("list({})", old_right), 0.3);
    propose(old_left, fmt::format("reversed({})", old_right), 0.15);
    propose(old_left, fmt::format("sorted({})", old_right), 0.15);
  }
}

}  // namespace

extern constinit const Template k_loop_target = {
    .id = "loop-target",
    .family = Family::other,
    .summary = "Unpack what a loop's iterable gives: enumerate, zip, items.",
    .language = Language::python,
    .query = "[(for_statement) (for_in_clause)] @loop",
    .prior = 0.5,
    .answers = answers::attribute_error | answers::index_error,
    .rewrite = rewrite,
};
}  // namespace tenline::templates
