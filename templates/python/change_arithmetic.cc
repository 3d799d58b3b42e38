// Another operator, a missing or superfluous one, a result that is dropped, an assignment that
// should add to its target.

#include <algorithm>
#include <array>

#include "templates/python/edits.h"

namespace tenline::templates {
namespace {

struct OperatorChange {
  std::string_view from;
  std::string_view to;
  double weight;
};

constexpr std::array k_binary = {
    OperatorChange{"+", "-", 0.4},   OperatorChange{"-", "+", 0.4},
    OperatorChange{"*", "/", 0.25},  OperatorChange{"*", "//", 0.26},
    OperatorChange{"*", "+", 0.1},   OperatorChange{"*", "**", 0.08},
    OperatorChange{"/", "//", 0.5},  OperatorChange{"/", "*", 0.25},
    OperatorChange{"//", "/", 0.35}, OperatorChange{"//", "*", 0.2},
    OperatorChange{"//", "%", 0.2},  OperatorChange{"%", "//", 0.25},
    OperatorChange{"**", "*", 0.2},  OperatorChange{"&", "|", 0.3},
    OperatorChange{"|", "&", 0.3},   OperatorChange{"<<", ">>", 0.3},
    OperatorChange{">>", "<<", 0.3}, OperatorChange{"^", "&", 0.3},
    OperatorChange{"^", "|", 0.3},   OperatorChange{"^", "**", 0.4},
    OperatorChange{"&", "^", 0.1},   OperatorChange{"|", "^", 0.1},
};

constexpr std::array k_augmented = {
    OperatorChange{"+=", "=", 0.4},   OperatorChange{"+=", "-=", 0.35},
    OperatorChange{"-=", "+=", 0.35}, OperatorChange{"-=", "=", 0.3},
    OperatorChange{"*=", "/=", 0.3},  OperatorChange{"*=", "=", 0.3},
    OperatorChange{"/=", "*=", 0.3},  OperatorChange{"/=", "//=", 0.3},
    OperatorChange{"/=", "=", 0.2},   OperatorChange{"//=", "/=", 0.2},
    OperatorChange{"|=", "&=", 0.3},  OperatorChange{"&=", "|=", 0.3},
    OperatorChange{"^=", "&=", 0.3},  OperatorChange{"^=", "|=", 0.3},
    OperatorChange{"&=", "^=", 0.1},  OperatorChange{"|=", "^=", 0.1},
};

template <std::size_t n>
void change_operator(const Node& operation, const std::array<OperatorChange, n>& changes,
                     double fit, Proposals& out) {
  const Node sign = operation.field("operator");
  for (const OperatorChange& change : changes) {
    if (sign.text() != change.from) continue;
    Proposal proposal =
        change_of(operation, sign.span(), std::string(change.to), fit * change.weight,
                  fmt::format("`{}` instead of `{}` in `{}`", change.to, change.from,
                              brief(operation.text())));
    proposal.repeatable = true;
    out.add(std::move(proposal));
  }
}

double symptom_fit(const Context& context, const Node& operation, std::string_view sign) {
  const Symptom& symptom = context.symptom();
  const bool about_float =
      symptom.is("TypeError") &&
      (symptom.mentions("'float' object") || symptom.mentions("indices must be integers"));
  if (about_float && (sign == "/" || sign == "/=")) return context.fails_here(operation) ? 4 : 2;
  return context.fails_here(operation) ? 1.2 : 1;
}

/// True for operations on texts and lists, where the arithmetic changes make no sense.
bool is_text(const Node& operation) {
  return std::ranges::any_of(operation.children(), [](const Node& operand) {
    return operand.is("string") || operand.is("concatenated_string") || operand.is("list");
  });
}

/// `total * n` as a statement: its result is lost.
void bind_result(const Node& operation, Proposals& out) {
  const Node statement = operation.parent();
  const Node left = operation.field("left");
  if (!statement.is("expression_statement") || statement.children().size() != 1 ||
      !is_plain(left)) {
    return;
  }
  const Node sign = operation.field("operator");
  const auto bound = [](const Node& dropped) {
    const std::size_t end = dropped.span().end;
    return Change{{end, end}, "="};
  };
  const std::string summary = fmt::format("`{0} {1}= ...` instead of a dropped `{0} {1} ...`",
                                          brief(left.text()), sign.text());
  out.add({{bound(sign)}, operation, 1.5, summary, true});
  // Its neighbours with the same mistake.
  Proposal all = {{bound(sign)}, operation, 1.6, summary + ", at all places", false};
  const Node function = enclosing_function(operation);
  function.field("body").walk([&](const Node& other) {
    const bool same = other.is("binary_operator") && !(other == operation) &&
                      other.parent().is("expression_statement") &&
                      other.field("left").text() == left.text();
    if (same) all.changes.push_back(bound(other.field("operator")));
    return true;
  });
  if (all.changes.size() > 1) out.add(std::move(all));
}

void rewrite_binary(const Node& operation, const Context& context, Proposals& out) {
  const Node left = operation.field("left");
  const Node right = operation.field("right");
  const std::string_view sign = operation.field("operator").text();
  bind_result(operation, out);
  change_operator(operation, k_binary, symptom_fit(context, operation, sign), out);
  const auto drop = [&](const Node& kept, const Node& dropped, double weight) {
    const Span span = kept == left ? Span{left.span().end, right.span().end}
                                   : Span{left.span().begin, right.span().begin};
    Proposal proposal = change_of(
        operation, span, "", weight,
        fmt::format("drop `{}` from `{}`", brief(dropped.text()), brief(operation.text())));
    proposal.repeatable = true;
    out.add(std::move(proposal));
  };
  const bool neutral = sign == "+" || sign == "-" || sign == "*" || sign == "/" || sign == "//";
  if (!neutral) return;
  drop(left, right, right.is("integer") ? 0.45 : 0.3);
  drop(right, left, 0.15);
  if (sign == "//") {
    out.replace(operation,
                fmt::format("({} + {} - 1) // {}", left.text(), right.text(), right.text()), 0.25,
                fmt::format("round `{}` up", brief(operation.text())));
  }
}

/// Bounds that are one off: `range(n)`, `len(x)` and sums.
void shift_by_one(const Node& node, const Context& context, Proposals& out) {
  double weight = 0;
  const Node parent = node.parent();
  const Node call = parent.parent();
  if (parent.is("argument_list") && call.field("function").text() == "range") {
    weight = 0.4;
  } else if (node.is("call") && node.field("function").text() == "len") {
    weight = 0.25;
  } else if (node.is("binary_operator") && !parent.is("binary_operator") &&
             !parent.is("expression_statement")) {
    weight = 0.15;
  }
  if (weight == 0 || node.is("integer") || node.is("keyword_argument")) return;
  if (context.symptom().is("IndexError")) weight *= 1.5;
  // `n - 1 + 1` says nothing that dropping the operand does not say.
  if (node.is("binary_operator") && node.field("right").is("integer")) return;
  const std::string_view sign = node.field("operator").text();
  const bool tight = !node.is("binary_operator") || sign == "+" || sign == "-" || sign == "*" ||
                     sign == "/" || sign == "//" || sign == "%";
  if (!tight || node.is("conditional_expression") || node.is("boolean_operator")) return;
  for (const std::string_view step : {" + 1", " - 1"}) {
    const std::size_t end = node.span().end;
    Proposal proposal = change_of(node, {end, end}, std::string(step), weight,
                                  fmt::format("`{}{}`", brief(node.text()), step));
    proposal.repeatable = true;
    out.add(std::move(proposal));
  }
}

/// `x ** 2` for `x` where it is compared, added or taken the root of.
void square(const Node& node, Proposals& out) {
  const Node parent = node.parent();
  const std::string_view sign = operator_of(parent).text();
  const bool term = parent.is("binary_operator") && (sign == "+" || sign == "-" || sign == "/");
  const bool root =
      parent.is("argument_list") && parent.parent().field("function").text().ends_with("sqrt");
  if ((!term && !root && !parent.is("comparison_operator")) || !is_plain(node)) return;
  if (is_text(parent)) return;
  const std::size_t end = node.span().end;
  Proposal proposal = change_of(node, {end, end}, " ** 2", term ? 0.05 : 0.03,
                                fmt::format("square `{}`", brief(node.text())));
  proposal.repeatable = true;
  out.add(std::move(proposal));
}

void rewrite_assignment(const Node& assignment, const Context& context, Proposals& out) {
  const Node left = assignment.field("left");
  if (assignment.is("augmented_assignment")) {
    const std::string_view sign = assignment.field("operator").text();
    change_operator(assignment, k_augmented, symptom_fit(context, assignment, sign), out);
    return;
  }
  const Node right = assignment.field("right");
  const Node loop = assignment.ancestor({"for_statement", "while_statement"});
  const bool number = !right.is("none") && !right.is("true") && !right.is("false") &&
                      !right.is("list") && !right.is("dictionary");
  const bool chained = right.is("assignment") || assignment.parent().is("assignment");
  if (!right || !number || chained || !is_plain(left) || assignment.field("type")) return;
  for (const Node& child : assignment.all_children()) {
    if (!child.is("=")) continue;
    // In a loop the last turn wins, where a sum is often meant.
    out.add(change_of(assignment, child.span(), "+=", loop ? 0.3 : 0.08,
                      fmt::format("add to `{}`", brief(left.text()))));
  }
}

/// `x == 3` as a statement.
void assign_comparison(const Node& comparison, Proposals& out) {
  const Node sign = operator_of(comparison);
  if (!comparison.parent().is("expression_statement") || sign.text() != "==" ||
      comparison.children().size() != 2 || !is_plain(comparison.child(0))) {
    return;
  }
  out.add(change_of(comparison, sign.span(), "=", 1.5,
                    fmt::format("assign in `{}`", brief(comparison.text()))));
}

void rewrite(const Match& match, const Context& context, Proposals& out) {
  const Node node = match["node"];
  if (node.is("comparison_operator")) {
    assign_comparison(node, out);
    return;
  }
  if (node.is("assignment") || node.is("augmented_assignment")) {
    rewrite_assignment(node, context, out);
    return;
  }
  if (!is_value(node) || (node.is("binary_operator") && is_text(node))) return;
  if (node.is("binary_operator")) rewrite_binary(node, context, out);
  square(node, out);
  shift_by_one(node, context, out);
}

}  // namespace

extern constinit const Template k_change_arithmetic = {
    .id = "change-arithmetic",
    .family = Family::arithmetic,
    .summary = "Change, add or drop an arithmetic operation.",
    .language = Language::python,
    .query =
        "[(binary_operator) (augmented_assignment) (assignment) (comparison_operator)"
        " (identifier) (attribute) (call) (subscript)] @node",
    .prior = 0.7,
    .answers = answers::index_error,
    .rewrite = rewrite,
};
}  // namespace tenline::templates
