// Several statements go at once: neighbours, a loop or `with` or `try` with what it holds, one
// branch of an `if`; or only the header goes and the block stays.

#include <algorithm>

#include "templates/python/edits.h"
#include "templates/python/gaps.h"

namespace tenline::templates {
namespace {

bool is_compound(const Node& node) {
  return node.is("if_statement") || node.is("for_statement") || node.is("while_statement") ||
         node.is("with_statement") || node.is("try_statement");
}

bool is_told(const Node& statement, const Context& context) {
  return context.line_score(statement.line()) > 0 && has_own_lines(statement) &&
         !statement.is("class_definition") && !statement.is("comment");
}

/// How much of a statement's lines is pointed to, from 0 to 1.
double share_told(const Node& statement, const Context& context) {
  int told = 0;
  for (int line = statement.line(); line <= statement.end_line(); ++line) {
    told += context.line_score(line) > 0 ? 1 : 0;
  }
  return static_cast<double>(told) / (1 + statement.end_line() - statement.line());
}

/// Deletes from one statement to another, and leaves `pass` in an empty block.
void delete_lines(const Node& first, const Node& last, double weight, Proposals& out) {
  const std::string summary = first == last ? fmt::format("delete `{}`", brief(first.text()))
                                            : fmt::format("delete from `{}` to `{}`",
                                                          brief(first.text()), brief(last.text()));
  const Node block = first.parent();
  const std::vector<Node> all = block.children();
  if (block.is("block") && !all.empty() && all.front() == first && all.back() == last) {
    out.add(change_of(first, {first.span().begin, last.span().end}, "pass", weight * 0.5, summary));
  } else {
    out.add(
        change_of(first, {whole_lines(first).begin, whole_lines(last).end}, "", weight, summary));
  }
}

/// Only the lines of one block stay, one step out.
void keep_block(const Node& compound, const Node& part, const Node& block, double weight,
                const std::string& summary, Proposals& out) {
  if (!block || !starts_line(part)) return;
  Proposal proposal = {dedented(part, block), compound, weight, summary, false};
  if (proposal.changes.empty()) return;
  const Span all = whole_lines(compound);
  const std::size_t begin = proposal.changes.front().span.begin;
  if (all.begin < begin) proposal.changes.front().span.begin = all.begin;
  const std::size_t end = std::min(end_of_line(block), compound.span().end);
  if (end < compound.span().end) proposal.changes.push_back({{end, compound.span().end}, ""});
  out.add(std::move(proposal));
}

void unwrap(const Node& compound, const Context& context, Proposals& out) {
  const Node body = compound.field("body");
  if (compound.is("try_statement")) {
    keep_block(compound, compound, body, 0.6, "drop the `try` around its body", out);
    return;
  }
  if (compound.is("with_statement") || compound.is("for_statement")) {
    const double weight = compound.is("with_statement") ? 0.5 : 0.15;
    keep_block(compound, compound, body, weight,
               fmt::format("drop `{}` around its body", brief(compound.text())), out);
    return;
  }
  const std::vector<Node> others = compound.fields("alternative");
  if (!compound.is("if_statement") || others.empty()) return;
  keep_block(
      compound, compound, compound.field("consequence"), 0.4,
      fmt::format("do what `if {}` guards in any case", brief(compound.field("condition").text())),
      out);
  if (others.size() == 1 && others.front().is("else_clause")) {
    const double told = context.line_score(others.front().line()) > 0 ? 1 : 0.4;
    keep_block(compound, others.front(), others.front().field("body"), 0.7 * told,
               "always do what the `else` does", out);
  }
}

void rewrite(const Match& match, const Context& context, Proposals& out) {
  const Node statement = match["statement"];
  if (!is_told(statement, context)) return;
  if (is_compound(statement)) {
    const bool bare_if = statement.is("if_statement") && statement.fields("alternative").empty();
    const double share = share_told(statement, context);
    if (!bare_if) delete_lines(statement, statement, 0.2 + 0.5 * share, out);
    unwrap(statement, context, out);
  } else if (statement.is("function_definition")) {
    delete_lines(statement, statement, 0.1 + 0.5 * share_told(statement, context), out);
  }
  constexpr int k_most = 8;
  Node last = statement;
  const Node previous = previous_statement(statement);
  const bool starts = !previous || !is_told(previous, context);
  for (int length = 2; length <= k_most; ++length) {
    const Node next = next_statement(last);
    if (!next || !is_told(next, context)) break;
    last = next;
    const Node after = next_statement(last);
    const bool ends = !after || !is_told(after, context);
    const double whole = (starts ? 1 : 0.4) * (ends ? 1 : 0.4);
    delete_lines(statement, last, 0.6 * whole * share_told(last, context), out);
  }
}

}  // namespace

extern constinit const Template k_delete_block = {
    .id = "delete-block",
    .family = Family::state_or_order,
    .summary = "Delete several statements, a branch, or the header around a block.",
    .language = Language::python,
    .query = k_any_statement,
    .prior = 0.4,
    .rewrite = rewrite,
};
}  // namespace tenline::templates
