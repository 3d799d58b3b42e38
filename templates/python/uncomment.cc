// Code that was commented out is wanted after all: whole lines of it, or the value that a comment
// behind a statement still shows.

#include "engine/base/text.h"
#include "templates/python/edits.h"

namespace tenline::templates {
namespace {

/// The code of a comment, without its mark.
std::string_view code_of(const Node& comment) {
  std::string_view text = comment.text();
  text.remove_prefix(1);
  if (text.starts_with(' ')) text.remove_prefix(1);
  return text;
}

bool looks_like_code(std::string_view text) {
  const std::string_view line = trim(text);
  if (line.empty() || line.size() > 160) return false;
  const Tree tree = Tree::parse(Language::python, std::string(line) + "\n");
  if (tree.root().has_error() || tree.root().children().size() != 1) return false;
  const Node statement = tree.root().child(0);
  if (statement.is("expression_statement")) {
    // Single words and prose parse too.
    const Node value = statement.child(0);
    const bool assigns = value.is("assignment") && !value.field("right").null();
    return assigns || value.is("augmented_assignment") || value.is("call");
  }
  return statement.is("return_statement") || statement.is("assert_statement") ||
         statement.is("continue_statement") || statement.is("import_from_statement") ||
         statement.is("import_statement");
}

bool starts_its_line(const Node& comment) {
  std::size_t at = comment.span().begin;
  while (at > 0 && (comment.source()[at - 1] == ' ' || comment.source()[at - 1] == '\t')) --at;
  return at == 0 || comment.source()[at - 1] == '\n';
}

/// The mark and one blank go; what is left is the code in its place.
Change bared(const Node& comment) {
  const std::size_t begin = comment.span().begin;
  const std::size_t size = comment.span().size() - code_of(comment).size();
  return {{begin, begin + size}, ""};
}

/// The value that a comment behind an assignment shows: `x = True  # len(y) > 1`.
void propose_value(const Node& comment, const Context& context, Proposals& out) {
  const Node before = comment.previous_sibling();
  const Node assignment = before.is("expression_statement") ? before.child(0) : before;
  const Node value = assignment.field("right");
  const std::string_view code = trim(code_of(comment));
  if (!value || value.end_line() != comment.line() || code.empty() || code.size() > 100) return;
  const Tree tree = Tree::parse(Language::python, fmt::format("x = {}\n", code));
  if (tree.root().has_error() || tree.root().children().size() != 1) return;
  const Node shown = tree.root().child(0).child(0).field("right");
  if (!shown) return;
  const bool word = shown.is("identifier");
  if (word && !context.name_set(comment).contains(shown.text())) return;
  out.replace(value, std::string(shown.text()), word ? 0.1 : 0.6,
              fmt::format("use `{}` of the comment", brief(shown.text())));
}

void rewrite(const Match& match, const Context& context, Proposals& out) {
  const Node comment = match["comment"];
  if (!starts_its_line(comment)) {
    propose_value(comment, context, out);
    return;
  }
  if (!looks_like_code(code_of(comment))) return;
  Proposal proposal{{bared(comment)},
                    comment,
                    0.5,
                    fmt::format("use the code of the comment `{}`", brief(code_of(comment))),
                    false};
  out.add(proposal);
  // The comments below that are code too.
  Node last = comment;
  for (Node next = comment.next_sibling();
       next.is("comment") && next.line() == last.line() + 1 && looks_like_code(code_of(next));
       next = next.next_sibling()) {
    proposal.changes.push_back(bared(next));
    proposal.summary += " and what follows";
    proposal.weight = 0.6;
    out.add(proposal);
    proposal.summary.resize(proposal.summary.size() - std::string_view(" and what follows").size());
    last = next;
  }
}

}  // namespace

extern constinit const Template k_uncomment = {
    .id = "uncomment",
    .family = Family::state_or_order,
    .summary = "Use code that was commented out.",
    .language = Language::python,
    .query = "(comment) @comment",
    .prior = 0.3,
    .answers = answers::unbound_name,
    .rewrite = rewrite,
};
}  // namespace tenline::templates
