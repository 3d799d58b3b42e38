#pragma once

// Places for new statements.

#include <string>
#include <string_view>
#include <vector>

#include "templates/context.h"
#include "templates/template.h"

namespace tenline::templates {

/// A place for a statement: beside another one, in its block.
struct Gap {
  Node beside;
  bool before = true;  ///< Before that statement, or behind it.
  double told = 1;     ///< How much points to it: 2 for exactly the code on both sides, less else.
  std::string indent;  ///< Of the block.
  std::string line_end;

  /// The change that puts a statement there; the text is written without its first indentation.
  [[nodiscard]] Change put(std::string_view statement) const;
  /// The text of another statement with the indentation of this place.
  [[nodiscard]] std::string fitted(const Node& statement, std::string_view text) const;
  /// True if a statement that leaves a loop or function may do so here.
  [[nodiscard]] bool can_leave(const Node& statement) const;
  /// Where it is in the file.
  [[nodiscard]] std::size_t position() const;
};

/// The gaps that belong to a statement of a block or module: before it; behind it where no other
/// statement has that gap; behind the blocks that it ends. None beside definitions of a module or
/// class.
[[nodiscard]] std::vector<Gap> gaps_at(const Context& context, const Node& statement);

/// The gaps of all statements below a node that something points to, at most `most`.
[[nodiscard]] std::vector<Gap> gaps_within(const Context& context, const Node& node,
                                           std::size_t most);

/// The statement behind one in its block, comments left out; null for the last.
[[nodiscard]] Node next_statement(const Node& statement);
[[nodiscard]] Node previous_statement(const Node& statement);

/// Matches every statement.
inline constexpr const char* k_any_statement = "[(block (_) @statement) (module (_) @statement)]";

}  // namespace tenline::templates
