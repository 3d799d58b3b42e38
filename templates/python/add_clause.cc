// A condition asks too little: `cond and more`, `guard and cond`, `cond or more`; or an `else`
// takes cases that it should not.

#include "templates/python/clauses.h"
#include "templates/python/conditions.h"
#include "templates/python/edits.h"
#include "templates/python/guards.h"

namespace tenline::templates {
namespace {

enum class Join { with_and, with_or };

bool is_or(const Node& node) {
  return node.is("boolean_operator") && operator_of(node).text() == "or";
}

/// The insertions that join a clause to a condition.
std::vector<Change> joined(const Node& condition, const Clause& clause, Join join) {
  const Span span = condition.span();
  const bool parentheses = join == Join::with_and
                               ? binds_weaker_than_and(condition)
                               : binds_weaker_than_and(condition) && !is_or(condition);
  const std::string_view word = join == Join::with_and ? "and" : "or";
  const std::string_view open = parentheses ? "(" : "";
  const std::string_view close = parentheses ? ")" : "";
  if (clause.in_front) {
    std::vector<Change> changes = {
        {{span.begin, span.begin}, fmt::format("{} {} {}", clause.text, word, open)}};
    if (parentheses) changes.push_back({{span.end, span.end}, std::string(close)});
    return changes;
  }
  std::vector<Change> changes;
  if (parentheses) changes.push_back({{span.begin, span.begin}, std::string(open)});
  changes.push_back({{span.end, span.end}, fmt::format("{} {} {}", close, word, clause.text)});
  return changes;
}

/// The same condition, or the same value compared in the same way with another one.
bool is_alike(const Node& a, const Node& b) {
  if (a.text() == b.text()) return true;
  return a.is("comparison_operator") && b.is("comparison_operator") &&
         a.child(0).text() == b.child(0).text() && operator_of(a).text() == operator_of(b).text();
}

/// True if a clause compares the same two values as a condition does: then another comparison is
/// meant, not a further one.
bool compares_the_same(const Node& condition, std::string_view clause) {
  if (!condition.is("comparison_operator")) return false;
  const std::vector<Node> operands = condition.children();
  if (operands.size() != 2) return false;
  const auto between = [&](std::string_view a, std::string_view b) {
    return clause.size() > a.size() + b.size() && clause.starts_with(a) && clause.ends_with(b);
  };
  return between(operands[0].text(), operands[1].text()) ||
         between(operands[1].text(), operands[0].text());
}

class ClauseAdder {
 public:
  ClauseAdder(const Node& condition, Proposals& out) : condition_(condition), out_(out) {
    const Node function = enclosing_function(condition);
    if (!function || condition.parent().is("return_statement")) return;
    for (const Node& other : conditions_in(function)) {
      if (is_alike(condition, other) && !(other == condition)) equal_.push_back(other);
    }
  }

  void add(const Node& part, const Clause& clause, Join join) {
    const double weight = join == Join::with_and ? clause.and_weight : clause.or_weight;
    constexpr double k_least = 0.0004;
    if (weight < k_least || compares_the_same(part, clause.text)) return;
    Proposal proposal{joined(part, clause, join), condition_, weight,
                      fmt::format("add `{} {}` to `{}`", join == Join::with_and ? "and" : "or",
                                  brief(clause.text), brief(part.text()))};
    // A condition like it elsewhere in the function often needs the same clause.
    if (part == condition_ && !equal_.empty() && equal_.size() < 5) {
      Proposal all = proposal;
      for (const Node& other : equal_) {
        std::vector<Change> changes = joined(other, clause, join);
        std::move(changes.begin(), changes.end(), std::back_inserter(all.changes));
      }
      all.weight *= 0.95;
      all.summary += fmt::format(", at all {} places", equal_.size() + 1);
      out_.add(std::move(all));
    }
    out_.add(std::move(proposal));
  }

 private:
  Node condition_;
  Proposals& out_;
  std::vector<Node> equal_;
};

/// What must be safe in the body may be asked in the condition: `if x and y is not None: y.f()`.
void guards_of_body(const Context& context, const Node& body, const Node& condition,
                    ClauseAdder& adder) {
  constexpr std::size_t k_first_statements = 3;
  const std::vector<Node> statements = body.children();
  for (std::size_t i = 0; i < std::min(k_first_statements, statements.size()); ++i) {
    const double nearness = context.fails_here(statements[i]) ? 0.8 : 0.2;
    for (const Suspect& suspect : none_suspects(context, statements[i])) {
      if (is_bound_inside(suspect.use, statements[i])) continue;
      adder.add(
          condition,
          {fmt::format("{} is not None", suspect.use.text()), suspect.weight * nearness, 0, false},
          Join::with_and);
    }
    const Symptom& symptom = context.symptom();
    if (!symptom.is("AttributeError") || symptom.mentions("NoneType")) continue;
    statements[i].walk([&](const Node& node) {
      if (!node.is("attribute") || node.field("attribute").text() != symptom.name) return true;
      const Node object = node.field("object");
      if (is_plain(object) && !is_bound_inside(object, statements[i])) {
        const char quote = usual_quote(condition);
        adder.add(condition,
                  {fmt::format("hasattr({0}, {1}{2}{1})", object.text(), quote, symptom.name),
                   3 * nearness, 0, false},
                  Join::with_and);
      }
      return false;
    });
  }
}

/// `else:` becomes `elif clause:`.
void narrow_else(const Context& context, const Node& clause, Proposals& out) {
  const Node word = clause.all_children().front();
  const Node body = clause.field("body");
  if (!clause.parent().is("if_statement") || word.text() != "else") return;
  for (const Clause& known : known_clauses(context, clause, body)) {
    out.add(change_of(clause, word.span(), fmt::format("elif {}", known.text),
                      known.and_weight * 0.5,
                      fmt::format("take the `else` only if `{}`", brief(known.text))));
  }
}

/// Behind the condition, less often in front of it or beside one operand of an `or`.
void add_known(const Node& condition, const std::vector<Node>& parts, const Clause& clause,
               ClauseAdder& adder) {
  adder.add(condition, clause, Join::with_and);
  adder.add(condition, clause, Join::with_or);
  constexpr double k_likely = 0.002;
  if (clause.and_weight < k_likely) return;
  const auto scaled = [&](double fit) {
    return Clause{clause.text, clause.and_weight * fit, clause.or_weight * fit, true};
  };
  adder.add(condition, scaled(0.4), Join::with_and);
  adder.add(condition, scaled(0.4), Join::with_or);
  for (const Node& part : parts) {
    if (part == condition) continue;
    const Clause less = {clause.text, clause.and_weight * 0.25, 0, false};
    adder.add(part, less, Join::with_and);
    adder.add(part, {clause.text, less.and_weight * 0.5, 0, true}, Join::with_and);
  }
}

/// `a and x.ok()` becomes `a and (x is None or x.ok())`.
void let_none_pass(const Context& context, const Node& condition, Proposals& out) {
  for (const Node& operand : condition.children()) {
    for (const Suspect& suspect : none_suspects(context, operand)) {
      const std::string text =
          fmt::format("({} is None or {})", suspect.use.text(), operand.text());
      out.add(change_of(condition, operand.span(), text, suspect.weight * 0.2,
                        fmt::format("let `{}` be None", suspect.use.text())));
    }
  }
}

void rewrite(const Match& match, const Context& context, Proposals& out) {
  if (const Node clause = match["else"]) return narrow_else(context, clause, out);
  Node condition = match["condition"];
  if (const Node ternary = match["ternary"]) condition = ternary.child(1);
  if (condition.is("true") || condition.is("false") || condition.is("string")) return;
  const Node parent = condition.parent();
  Node body = parent.field("consequence");
  if (!body) body = parent.field("body");
  ClauseAdder adder(condition, out);
  std::vector<Node> parts = {condition};
  Node inner = condition;
  while (inner.is("parenthesized_expression") && inner.child(0)) inner = inner.child(0);
  if (is_or(inner)) {
    for (const Node& operand : inner.children()) parts.push_back(operand);
  }
  for (const Node& part : parts) {
    for (const Clause& clause : guarding_clauses(context, part)) {
      adder.add(part, clause, Join::with_and);
      if (part == condition) adder.add(part, clause, Join::with_or);
    }
  }
  if (inner.is("boolean_operator") && !is_or(inner)) let_none_pass(context, inner, out);
  if (body.is("block")) guards_of_body(context, body, condition, adder);
  for (const Clause& clause : known_clauses(context, condition, body)) {
    add_known(condition, parts, clause, adder);
  }
}

}  // namespace

extern constinit const Template k_add_clause = {
    .id = "add-clause",
    .family = Family::conditional_logic,
    .summary = "Add a test to a condition by `and` or `or`.",
    .language = Language::python,
    .query =
        "(if_statement condition: (_) @condition)"
        "(elif_clause condition: (_) @condition)"
        "(while_statement condition: (_) @condition)"
        "(assert_statement . (_) @condition)"
        "(if_clause (_) @condition)"
        "(conditional_expression) @ternary"
        "(return_statement [(boolean_operator) (comparison_operator) (not_operator)] @condition)"
        "(assignment right: [(boolean_operator) (comparison_operator) (not_operator)] @condition)"
        "(keyword_argument"
        "  value: [(boolean_operator) (comparison_operator) (not_operator)] @condition)"
        "(argument_list [(boolean_operator) (comparison_operator) (not_operator)] @condition)"
        "(else_clause) @else",
    .prior = 0.8,
    .answers = answers::attribute_error | answers::key_error | answers::index_error,
    .rewrite = rewrite,
};
}  // namespace tenline::templates
