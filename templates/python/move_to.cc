// A statement, or a few, go to another place of the function that is pointed to too: a fix that
// moves code changes both ends.

#include <algorithm>
#include <ranges>

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
    const std::vector<std::size_t> starts = line_starts(first.parent(), span);
    for (const std::size_t start : starts | std::views::reverse) {
      const std::size_t at = start - span.begin;
      if (text.compare(at, old.size(), old) == 0) text.replace(at, old.size(), indent);
    }
    return text;
  }
};

/// What a piece of code binds and what it reads, as written.
struct Effects {
  std::set<std::string_view> binds;
  std::set<std::string_view> reads;
};

Effects effects_within(const Node& node, Span span) {
  Effects effects;
  node.walk([&](const Node& at) {
    const Span own = at.span();
    if (own.end <= span.begin || span.end <= own.begin) return false;
    if (own.begin < span.begin || !is_plain(at)) return true;
    const Node parent = at.parent();
    const bool target = parent.is("assignment") && parent.field("left") == at;
    (target ? effects.binds : effects.reads).insert(at.text());
    return true;
  });
  return effects;
}

bool meet(const std::set<std::string_view>& a, const std::set<std::string_view>& b) {
  return std::any_of(a.begin(), a.end(), [&](std::string_view text) { return b.contains(text); });
}

/// How much sense the new order makes, by the names that the moved code shares with what it passes.
double order_fit(const Effects& moved, const Effects& passed, bool down) {
  const bool feeds = meet(moved.binds, passed.reads);  // It binds what the others read.
  const bool needs = meet(passed.binds, moved.reads);
  if (down) return (feeds ? 0.3 : 1) * (needs ? 2 : 1);
  return (feeds ? 2 : 1) * (needs ? 0.4 : 1);
}

bool moves(const Node& statement, const Context& context) {
  const bool docstring = statement.is("expression_statement") && statement.child(0).is("string");
  return !docstring && !statement.is("comment") && !statement.is("future_import_statement") &&
         !statement.is("class_definition") && !statement.is("decorated_definition") &&
         context.line_score(statement.line()) > 0 && context.line_score(statement.end_line()) > 0 &&
         has_own_lines(statement);
}

void move_run(const Run& run, double weight, const std::vector<Gap>& gaps, const Node& scope,
              Proposals& out) {
  const Span lines = run.lines();
  const Effects moved = effects_within(run.first.parent(), lines);
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
    const bool down = at >= lines.end;
    const Span between = down ? Span{lines.end, at} : Span{at, lines.begin};
    double fit = order_fit(moved, effects_within(scope, between), down);
    const Node behind = gap.before ? gap.beside : Node{};
    if (behind && meet(moved.binds, effects_within(behind, behind.span()).reads)) fit *= 1.5;
    proposal.weight = fit * weight * gap.told * (gap.before ? 1 : 0.8);
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
  const Node scope = function ? function.field("body") : context.tree().root();
  const std::vector<Gap> gaps = gaps_within(context, scope, k_most_gaps);
  const std::size_t siblings = statement.parent().children().size();
  Run run{statement, statement};
  const Node previous = previous_statement(statement);
  const bool starts = !previous || context.line_score(previous.end_line()) <= 0;
  double weight = (statement.is("return_statement") ? 0.3 : 0.8) * (starts ? 1 : 0.5);
  for (std::size_t length = 1; length <= k_most_moved && length < siblings; ++length) {
    const Node next = next_statement(run.last);
    const bool ends = !next || !moves(next, context);
    move_run(run, weight * (ends ? 1 : 0.5), gaps, scope, out);
    if (ends) break;
    run.last = next;
    weight *= 0.8;
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
    .answers = answers::unbound_name | answers::import_error,
    .rewrite = rewrite,
};
}  // namespace tenline::templates
