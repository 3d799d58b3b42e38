// A statement, or a few, go to another place of the function that is pointed to too: a fix that
// moves code changes both ends.

#include <algorithm>

#include "templates/python/edits.h"
#include "templates/python/gaps.h"

namespace tenline::templates {
namespace {

/// Statements that stand one behind the other.
struct Run {
  Node first;
  Node last;

  [[nodiscard]] Span lines() const { return {whole_lines(first).begin, whole_lines(last).end}; }
  /// The text for another indentation.
  [[nodiscard]] std::string text_at(const std::string& indent) const {
    const std::string old = indentation(first);
    const Span span = {first.span().begin, last.span().end};
    std::string text = first.source().substr(span.begin, span.size());
    std::vector<std::size_t> starts = line_starts(first.parent(), span);
    for (auto start = starts.rbegin(); start != starts.rend(); ++start) {
      const std::size_t at = *start - span.begin;
      if (text.compare(at, old.size(), old) == 0) text.replace(at, old.size(), indent);
    }
    return text;
  }
};

bool moves(const Node& statement, const Context& context) {
  const bool docstring = statement.is("expression_statement") && statement.child(0).is("string");
  return !docstring && !statement.is("comment") && !statement.is("future_import_statement") &&
         !statement.is("class_definition") && !statement.is("decorated_definition") &&
         context.line_score(statement.line()) > 0 && has_own_lines(statement);
}

void move_run(const Run& run, double weight, const std::vector<Gap>& gaps, Proposals& out) {
  const Span lines = run.lines();
  for (const Gap& gap : gaps) {
    const std::size_t at = gap.position();
    const bool inside = lines.begin <= at && at <= lines.end;
    const bool just_behind = gap.before && whole_lines(gap.beside).begin == lines.end;
    if ((inside && !just_behind) || (just_behind && gap.beside == next_statement(run.last))) {
      continue;
    }
    Proposal proposal;
    proposal.changes = {{lines, ""}, gap.put(run.text_at(gap.indent))};
    if (just_behind) {  // One change, as the two touch.
      proposal.changes = {
          {{lines.begin, at}, gap.indent + run.text_at(gap.indent) + gap.line_end + gap.indent}};
    }
    proposal.anchor = run.first;
    proposal.weight = weight * gap.told * (gap.before ? 1 : 0.8);
    proposal.summary = fmt::format("move `{}` {} `{}`", brief(run.first.text()),
                                   gap.before ? "before" : "behind", brief(gap.beside.text()));
    out.add(std::move(proposal));
  }
}

void rewrite(const Match& match, const Context& context, Proposals& out) {
  const Node statement = match["statement"];
  if (!moves(statement, context)) return;
  constexpr std::size_t k_most_gaps = 24;
  constexpr std::size_t k_most_moved = 4;
  const Node function = enclosing_function(statement);
  const std::vector<Gap> gaps =
      gaps_within(context, function ? function.field("body") : context.tree().root(), k_most_gaps);
  const std::size_t siblings = statement.parent().children().size();
  Run run{statement, statement};
  double weight = statement.is("return_statement") ? 0.3 : 0.8;
  for (std::size_t length = 1; length <= k_most_moved && length < siblings; ++length) {
    move_run(run, weight, gaps, out);
    run.last = next_statement(run.last);
    if (!run.last || !moves(run.last, context)) break;
    weight *= 0.7;
  }
}

}  // namespace

extern constinit const Template k_move_to = {
    .id = "move-to",
    .family = Family::state_or_order,
    .summary = "Move statements to another place of the function.",
    .language = Language::python,
    .query = k_any_statement,
    .prior = 0.3,
    .rewrite = rewrite,
};
}  // namespace tenline::templates
