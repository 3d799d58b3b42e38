#include "templates/python/gaps.h"

#include <algorithm>

#include "templates/python/edits.h"
#include "templates/python/guards.h"
#include "templates/python/imports.h"

namespace tenline::templates {

namespace {

// Of an insertion exactly the two lines beside it are pointed to; amid more lines it is one of
// several changes that could be meant.
constexpr double k_pair = 2;
constexpr double k_amid = 0.6;
constexpr double k_one_side = 0.3;

bool is_blank_or_comment(std::string_view line) {
  const std::size_t first = line.find_first_not_of(" \t\r");
  return first == std::string_view::npos || line[first] == '#';
}

/// Whether something points to the next line of code on one side of a line, or to a blank line
/// before that.
struct Side {
  int line = 0;  ///< Of the code; 0 where there is none.
  bool code = false;
  bool blank = false;
  [[nodiscard]] bool told() const { return code || blank; }
};

Side side_of(const Context& context, int line, int step) {
  constexpr int k_farthest = 60;
  Side side;
  for (int i = 0; i < k_farthest; ++i) {
    line += step;
    const std::optional<std::string_view> text = context.line_text(line);
    if (!text) return side;
    const bool told = context.line_score(line) > 0;
    if (!is_blank_or_comment(*text)) {
      side.line = line;
      side.code = told;
      return side;
    }
    side.blank = side.blank || told;
  }
  return side;
}

/// How much points to the gap between two lines of code that are next to each other.
double told_between(const Context& context, int above, int below) {
  const bool first = above > 0 && context.line_score(above) > 0;
  const bool second = below > 0 && context.line_score(below) > 0;
  if (!first || !second) return k_one_side;
  const bool more = side_of(context, above, -1).told() || side_of(context, below, 1).told();
  return more ? k_amid : k_pair;
}

bool is_definition(const Node& node) {
  return node.is("function_definition") || node.is("class_definition") ||
         node.is("decorated_definition");
}

bool is_exit(const Node& node) {
  return node.is("return_statement") || node.is("raise_statement") ||
         node.is("continue_statement") || node.is("break_statement");
}

bool is_compound(const Node& node) { return node.field("body") || node.field("consequence"); }

Gap gap_of(const Node& beside, bool before, double told) {
  return {beside, before, told, indentation(beside), line_end(beside)};
}

/// The start of a block whose header alone is pointed to.
void add_block_start(const Context& context, const Node& statement, std::vector<Gap>& gaps) {
  const Node definition =
      statement.is("decorated_definition") ? statement.field("definition") : statement;
  const Node body = definition.field("body");
  const Node block = body ? body : definition.field("consequence");
  const Node first = first_statement(block);
  if (!first || !starts_line(first) || context.line_score(first.line()) > 0) return;
  const Side above = side_of(context, first.line(), -1);
  if (above.code && !above.blank) gaps.push_back(gap_of(first, true, k_one_side));
}

}  // namespace

Change Gap::put(std::string_view statement) const {
  if (before) {
    const std::size_t at = beside.span().begin;
    return {{at, at}, fmt::format("{}{}{}", statement, line_end, indent)};
  }
  const std::size_t at = end_of_line(beside);
  return {{at, at}, fmt::format("{}{}{}", line_end, indent, statement)};
}

std::string Gap::fitted(const Node& statement, std::string_view text) const {
  const std::string other = indentation(statement);
  std::string fitted;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size() - 1) + 1;
    std::string_view line = text.substr(at, end - at);
    if (at > 0 && line.starts_with(other)) {
      fitted += indent;
      line.remove_prefix(other.size());
    }
    fitted += line;
    at = end;
  }
  return fitted;
}

bool Gap::can_leave(const Node& statement) const {
  bool needs_loop = false;
  bool needs_function = false;
  statement.walk([&](const Node& node) {
    needs_loop = needs_loop || node.is("continue_statement") || node.is("break_statement");
    needs_function = needs_function || node.is("return_statement");
    return true;
  });
  return (!needs_loop || enclosing_loop(beside)) && (!needs_function || enclosing_function(beside));
}

std::size_t Gap::position() const { return before ? beside.span().begin : end_of_line(beside); }

Node next_statement(const Node& statement) {
  Node next = statement.next_sibling();
  while (next.is("comment")) next = next.next_sibling();
  return next;
}

Node previous_statement(const Node& statement) {
  Node before = statement.previous_sibling();
  while (before.is("comment")) before = before.previous_sibling();
  return before;
}

std::vector<Gap> gaps_at(const Context& context, const Node& statement) {
  const Node block = statement.parent();
  if (statement.is("comment") || (!block.is("block") && !block.is("module"))) return {};
  std::vector<Gap> gaps;
  const bool first_line = context.line_score(statement.line()) > 0;
  if (is_compound(statement) || is_definition(statement)) add_block_start(context, statement, gaps);
  if (is_definition(statement) && !enclosing_function(statement)) return gaps;
  const bool docstring = statement.is("expression_statement") && statement.child(0).is("string");
  const Side above = side_of(context, statement.line(), -1);
  if (starts_line(statement) && !docstring && (first_line || (above.blank && !above.code))) {
    const double told = told_between(context, above.line, statement.line());
    gaps.push_back(gap_of(statement, true, above.blank ? k_amid : told));
  }
  if (context.line_score(statement.end_line()) <= 0) return gaps;
  const Side below = side_of(context, statement.end_line(), 1);
  const double between = told_between(context, statement.end_line(), below.line);
  const double told = 0.9 * (below.blank ? k_amid : between);
  // The block's end may be the end of blocks around it too.
  for (Node at = statement; at && at.end_line() == statement.end_line();
       at = enclosing_statement(at.parent())) {
    if (at != statement && (is_definition(at) || !has_own_lines(at))) break;
    if (at == statement && is_exit(at)) continue;  // Nothing runs behind it.
    if (const Node next = next_statement(at)) {
      // A next statement that is pointed to has this gap before it.
      if (context.line_score(next.line()) <= 0 && has_own_lines(at) && !below.blank) {
        gaps.push_back(gap_of(at, false, k_one_side));
      }
      break;
    }
    if (has_own_lines(at)) gaps.push_back(gap_of(at, false, told));
  }
  return gaps;
}

std::vector<Gap> gaps_within(const Context& context, const Node& node, std::size_t most) {
  std::vector<Gap> gaps;
  node.walk([&](const Node& at) {
    if (gaps.size() >= most) return false;
    if (at.parent().is("block") || at.parent().is("module")) {
      std::vector<Gap> here = gaps_at(context, at);
      std::move(here.begin(), here.end(), std::back_inserter(gaps));
    }
    return at == node || at.is("block") || at.kind().ends_with("_statement") ||
           at.kind().ends_with("_clause") || at.kind().ends_with("_definition");
  });
  return gaps;
}

}  // namespace tenline::templates
