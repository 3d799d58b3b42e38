// A condition asks too much, or groups its tests wrongly: one operand of `and` or `or` goes, or
// `a and b or c` becomes `a and (b or c)`.

#include "templates/python/edits.h"

namespace tenline::templates {
namespace {

std::string_view word_of(const Node& operation) { return operator_of(operation).text(); }

/// `a and b or c` and `a or b and c`: the operation inside without parentheses.
void regroup(const Node& operation, Proposals& out) {
  if (word_of(operation) != "or") return;
  const Node left = operation.child(0);
  const Node right = operation.child(1);
  const auto add = [&](Span span) {
    Proposal proposal{{{{span.begin, span.begin}, "("}, {{span.end, span.end}, ")"}},
                      operation,
                      0.32,
                      fmt::format("group `{}` otherwise", brief(operation.text()))};
    out.add(std::move(proposal));
  };
  if (left.is("boolean_operator") && word_of(left) == "and") {
    add({left.child(1).span().begin, right.span().end});
  }
  if (right.is("boolean_operator") && word_of(right) == "and") {
    add({left.span().begin, right.child(0).span().end});
  }
}

/// `a and b == c` becomes `(a and b) == c`.
void compare_whole(const Node& operation, Proposals& out) {
  const Node comparison = operation.child(1);
  if (!comparison.is("comparison_operator")) return;
  const std::size_t begin = operation.span().begin;
  const std::size_t end = comparison.child(0).span().end;
  out.add({{{{begin, begin}, "("}, {{end, end}, ")"}},
           operation,
           0.1,
           fmt::format("compare the whole of `{}`", brief(operation.text()))});
}

/// `a, b if c else d` becomes `(a, b) if c else d`.
void choose_whole(const Node& list, Proposals& out) {
  const Node choice = list.children().back();
  if (!choice.is("conditional_expression")) return;
  const std::size_t begin = list.span().begin;
  const std::size_t end = choice.child(0).span().end;
  out.add({{{{begin, begin}, "("}, {{end, end}, ")"}},
           list,
           1,
           fmt::format("let `{}` choose between wholes", brief(list.text()))});
}

void rewrite(const Match& match, const Context& context, Proposals& out) {
  if (const Node list = match["list"]) return choose_whole(list, out);
  const Node operation = match["operation"];
  const Node left = operation.child(0);
  const Node right = operation.child(1);
  if (!left || !right) return;
  // A clause that itself fails is a reason; else dropping one is rarer than adding one.
  const double weight =
      context.fails_here(operation) && !context.symptom().type.empty() ? 0.5 : 0.3;
  const auto drop = [&](const Node& operand, Span span) {
    out.add(change_of(operation, span, "", weight,
                      fmt::format("drop `{}` from the condition", brief(operand.text()))));
  };
  drop(right, {left.span().end, right.span().end});
  // `not` and comparisons bind tighter, so what is left needs no parentheses.
  drop(left, {left.span().begin, right.span().begin});
  regroup(operation, out);
  compare_whole(operation, out);
}

}  // namespace

extern constinit const Template k_drop_clause = {
    .id = "drop-clause",
    .family = Family::conditional_logic,
    .summary = "Drop a test of an `and` or `or`, or group the tests otherwise.",
    .language = Language::python,
    .query = "(boolean_operator) @operation (expression_list) @list",
    .prior = 0.7,
    .rewrite = rewrite,
};
}  // namespace tenline::templates
