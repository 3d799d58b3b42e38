#pragma once

// What the guard templates share: which value is to be guarded, and the ways to do it.

#include <string>
#include <string_view>
#include <vector>

#include "templates/context.h"
#include "templates/template.h"

namespace tenline::templates {

/// A value that a piece of code uses and that may be what makes it fail.
struct Suspect {
  Node use;
  double weight = 0;  ///< How likely it is; 1 is "as likely as not", above it the failure says so.
};

/// The plain expressions that the node needs not to be None, likeliest first.
[[nodiscard]] std::vector<Suspect> none_suspects(const Context& context, const Node& node);

/// The plain expressions that the node needs not to be empty or zero, likeliest first.
[[nodiscard]] std::vector<Suspect> empty_suspects(const Context& context, const Node& node);

/// A test as two conditions: `x is not None` and `x is None`.
struct Guard {
  std::string holds;
  std::string fails;
  double weight = 1;
};

/// Runs a statement only where the test holds: an `if` around it, or an early exit before it.
void guard_statement(const Node& statement, const Guard& guard, Proposals& out);

/// The statements from the first to the last, which is it or a later sibling, under `if test:`.
[[nodiscard]] Proposal wrapped(const Node& first, const Node& last, const Guard& guard,
                               double weight);

/// `exit` before the statement where the test fails.
[[nodiscard]] Proposal exit_before(const Node& statement, const Guard& guard,
                                   const std::string& exit, double weight);

/// The last of the statements directly behind that use what the statement assigns; itself if none.
[[nodiscard]] Node last_dependent(const Node& statement);

/// The loop around a statement within its function; null if there is none.
[[nodiscard]] Node enclosing_loop(const Node& statement);

/// `E` becomes `E if test else neutral`, where E is the value that the use goes into.
void guard_value(const Node& use, const Guard& guard, Proposals& out);

/// A comprehension takes only elements for which the test holds.
void guard_comprehension(const Node& comprehension, const Guard& guard, Proposals& out);

/// True if the name at the root of a use is bound inside the node: by a comprehension, a lambda or
/// `:=`. A test before the node would not see it.
[[nodiscard]] bool is_bound_inside(const Node& use, const Node& node);

/// What an early exit of a function may return, likeliest first; an empty text is a bare `return`.
[[nodiscard]] std::vector<std::string> neutral_returns(const Node& function);

}  // namespace tenline::templates
