#pragma once

// Small pieces that several Python templates share.

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "templates/context.h"
#include "templates/template.h"

namespace tenline::templates {

/// How well a name fits in place of another, around 1 for near misses and falling fast. Names that
/// the issue uses, and bindings that are near, fit better.
[[nodiscard]] double fit_of_name(const Context& context, std::string_view old_name,
                                 std::string_view new_name);

/// True for identifiers that differ in one word, which has another side in the other: `prev_rank`
/// and `next_rank`.
[[nodiscard]] bool differs_by_opposite(std::string_view a, std::string_view b);

/// A proposal that replaces one range within the anchor.
[[nodiscard]] Proposal change_of(const Node& anchor, Span span, std::string text, double weight,
                                 std::string summary);

/// `x` becomes `(x)` where it binds weaker than a comparison's or call's operand.
[[nodiscard]] std::string in_parentheses(const Node& expression);

/// True for expressions whose value can be asked twice without harm: names, attributes of them,
/// subscripts by names or literals.
[[nodiscard]] bool is_plain(const Node& expression);

/// The expressions of a node that it needs to be something: `x` of `x.y`, `x[i]`, `x + 1`,
/// `len(x)`, `for a in x`; plain ones, without repeats, outermost first, at most eight.
[[nodiscard]] std::vector<Node> dereferenced(const Node& node);

/// True where an expression's value is used: not a target, a definition's name, a type or an
/// import.
[[nodiscard]] bool is_value(const Node& expression);

/// True if the function's body uses the parameter.
[[nodiscard]] bool is_read(const Node& function, std::string_view parameter);

/// `await f()` for the `f()` in it, which is no value yet; other expressions themselves.
[[nodiscard]] Node awaited(const Node& expression);

/// True for what a class is derived from.
[[nodiscard]] bool is_base_class(const Node& expression);

/// True for texts that only people read: in raise statements, log calls, asserts' messages.
[[nodiscard]] bool is_message(const Node& node);

/// The last part of a call's function: `all_reduce` of `dist.all_reduce(...)`.
[[nodiscard]] std::string_view called_name(const Node& call);

/// The characters between the quotes of a string literal's source text; nothing for other texts.
[[nodiscard]] std::optional<std::string_view> string_content(std::string_view literal);

/// Takes an element out of a list of arguments or elements, with its comma.
[[nodiscard]] Change removal_of(const Node& element);

/// Replacement texts with weights; a text counts once, at its best weight.
class Choices {
 public:
  void add(std::string_view text, double weight);
  /// The best ones, heaviest first.
  [[nodiscard]] std::vector<std::pair<std::string, double>> best(std::size_t most) const;

 private:
  std::vector<std::pair<std::string, double>> choices_;
};

/// The text of a statement with `extra` blanks before its lines after the first; lines inside
/// strings and blank lines stay as they are.
[[nodiscard]] std::string indented(const Node& statement, std::string_view extra);

/// Where the lines after the first begin that a deeper indentation of a range has to move: not
/// blank lines, not those that begin inside a string. `within` covers the range.
[[nodiscard]] std::vector<std::size_t> line_starts(const Node& within, Span range);

/// True if nothing but blanks stands before the statement on its line.
[[nodiscard]] bool starts_line(const Node& statement);

/// True if the statement is its block's only one.
[[nodiscard]] bool is_alone(const Node& statement);

/// True if no other statement stands on the statement's lines.
[[nodiscard]] bool has_own_lines(const Node& statement);

/// A statement with its indentation, its line's end and what stands behind it on its last line.
[[nodiscard]] Span whole_lines(const Node& statement);

/// The changes that give a statement, and its lines with it, another indentation.
[[nodiscard]] std::vector<Change> reindented(const Node& statement, std::string_view indentation);

/// The changes that leave only the block of a compound statement or clause, at its place.
[[nodiscard]] std::vector<Change> dedented(const Node& compound, const Node& block);

/// True for operands that need parentheses beside `and`.
[[nodiscard]] bool binds_weaker_than_and(const Node& expression);

/// The step of indentation that the file uses around a node: four blanks, two, or a tab.
[[nodiscard]] std::string indent_step(const Node& node);

/// The end of the line on which a node ends, before its line end: behind a comment there.
[[nodiscard]] std::size_t end_of_line(const Node& node);

/// The line end that the file uses.
[[nodiscard]] std::string line_end(const Node& node);

/// The quote that most strings of the file have; inside an f-string, the one that it has not.
[[nodiscard]] char usual_quote(const Node& node);

/// The text as a place takes it: inside an f-string with quotes that do not end the string; nothing
/// where it has both kinds.
[[nodiscard]] std::optional<std::string> quoted_for(const Node& place, std::string_view text);

/// True where the same edit makes sense at equal nodes too: a variable's are also where it is
/// bound, which takes names only.
[[nodiscard]] bool may_repeat(const Context& context, const Node& expression);

/// A summary's form of source text: one line, at most 60 characters.
[[nodiscard]] std::string brief(std::string_view text);

/// The operator between the operands of a binary, boolean or comparison operation, or an
/// assignment.
[[nodiscard]] Node operator_of(const Node& operation);

}  // namespace tenline::templates
