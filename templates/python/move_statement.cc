// A statement stands one place too early or too late, or belongs out of the block that it ends.

#include <algorithm>

#include "templates/python/edits.h"

namespace tenline::templates {
namespace {

/// The names and attributes that a statement binds.
std::set<std::string_view> bound_by(const Node& statement) {
  std::set<std::string_view> bound;
  statement.walk([&](const Node& node) {
    const Node left = node.field("left");
    if (node.is("assignment") || node.is("augmented_assignment")) {
      for (const Node& target : left.is("pattern_list") ? left.children() : std::vector{left}) {
        bound.insert(target.text());
      }
    }
    return true;
  });
  return bound;
}

bool mentions(const Node& statement, const std::set<std::string_view>& names) {
  bool found = false;
  statement.walk([&](const Node& node) {
    found = found || ((node.is("identifier") || node.is("attribute") || node.is("subscript")) &&
                      names.contains(node.text()));
    return !found;
  });
  return found;
}

/// True if two neighbours could mean something else in the other order.
bool depend(const Node& first, const Node& second) {
  const auto calls = [](const Node& statement) {
    return statement.is("expression_statement") && statement.child(0).is("call");
  };
  return mentions(first, bound_by(second)) || mentions(second, bound_by(first)) ||
         (calls(first) && calls(second)) || first.is("return_statement") ||
         first.is("raise_statement");
}

Node next_statement(const Node& statement) {
  Node next = statement.next_sibling();
  while (next.is("comment")) next = next.next_sibling();
  return next;
}

bool is_definition(const Node& statement) {
  return statement.is("function_definition") || statement.is("class_definition") ||
         statement.is("decorated_definition") || statement.is("import_statement") ||
         statement.is("import_from_statement") || statement.is("future_import_statement");
}

/// Both statements stay on their lines' indentation; comments stay where they are.
void swap_with_next(const Node& statement, const Context& context, Proposals& out) {
  const Node next = next_statement(statement);
  const bool docstring = statement.is("expression_statement") && statement.child(0).is("string");
  if (!next || docstring || is_definition(statement) || is_definition(next) ||
      !has_own_lines(next) || !has_own_lines(statement) || !depend(statement, next)) {
    return;
  }
  const Symptom& symptom = context.symptom();
  const bool unbound =
      symptom.is("UnboundLocalError") || symptom.is("NameError") || symptom.is("AttributeError");
  // The second binds what the first needs.
  const bool needed = mentions(statement, bound_by(next));
  double weight = needed ? 0.6 : 0.3;
  if (unbound) weight *= needed && context.fails_here(statement) ? 3 : 0.5;
  if (mentions(next, bound_by(statement)) && !needed) weight *= 0.4;
  out.add(
      {{{statement.span(), std::string(next.text())}, {next.span(), std::string(statement.text())}},
       statement,
       weight,
       fmt::format("move `{}` before `{}`", brief(next.text()), brief(statement.text())),
       false});
}

/// The last statement of a block goes behind the statement that the block belongs to: a `return`
/// in the first turn of a loop is the classic.
void move_out(const Node& statement, Proposals& out) {
  const Node block = statement.parent();
  const Node owner = block.parent();
  if (!block.is("block") || is_alone(statement) || next_statement(statement) ||
      !has_own_lines(statement)) {
    return;
  }
  const bool loop = owner.is("for_statement") || owner.is("while_statement");
  const bool plain = loop || owner.is("with_statement") || owner.is("if_statement");
  // With an `else` behind it the text would have to travel.
  if (!plain || !owner.fields("alternative").empty()) return;
  const bool leaves = statement.is("return_statement") || statement.is("break_statement");
  if (leaves && !loop && !statement.is("return_statement")) return;
  Proposal proposal;
  proposal.changes = reindented(statement, indentation(owner));
  proposal.anchor = statement;
  proposal.weight = loop && statement.is("return_statement") ? 1.5 : 0.4;
  proposal.summary = fmt::format("move `{}` out of the block", brief(statement.text()));
  out.add(std::move(proposal));
}

/// A statement behind a block becomes its last.
void move_in(const Node& statement, Proposals& out) {
  Node before = statement.previous_sibling();
  while (before.is("comment")) before = before.previous_sibling();
  const bool loop = before.is("for_statement") || before.is("while_statement");
  const bool plain = loop || before.is("if_statement") || before.is("with_statement");
  if (!plain || !has_own_lines(statement) || is_definition(statement)) return;
  if (loop && statement.is("return_statement")) return;
  std::vector<Node> blocks = before.fields("alternative");
  const Node part = blocks.empty() ? before : blocks.back();
  const Node body = part.field("body");
  const Node block = body ? body : part.field("consequence");
  const Node last = block.children().empty() ? Node{} : block.children().back();
  if (!last || !starts_line(last) || last.is("return_statement") || last.is("raise_statement") ||
      last.is("continue_statement") || last.is("break_statement")) {
    return;
  }
  Proposal proposal;
  proposal.changes = reindented(statement, indentation(last));
  proposal.anchor = statement;
  proposal.weight = 0.35;
  proposal.summary = fmt::format("move `{}` into the block before", brief(statement.text()));
  out.add(std::move(proposal));
}

void rewrite(const Match& match, const Context& context, Proposals& out) {
  const Node statement = match["statement"];
  swap_with_next(statement, context, out);
  move_out(statement, out);
  move_in(statement, out);
}

}  // namespace

extern constinit const Template k_move_statement = {
    .id = "move-statement",
    .family = Family::state_or_order,
    .summary = "Move a statement before the one above it, or out of or into a block.",
    .language = Language::python,
    .query =
        "[(expression_statement) (assert_statement) (return_statement) (if_statement)"
        " (for_statement) (with_statement) (raise_statement)] @statement",
    .prior = 0.5,
    .answers = answers::unbound_name,
    .rewrite = rewrite,
};
}  // namespace tenline::templates
