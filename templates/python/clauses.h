#pragma once

// The tests that a condition may lack.

#include <string>
#include <vector>

#include "templates/context.h"

namespace tenline::templates {

/// One test, and how well it fits beside a condition.
struct Clause {
  std::string text;
  double and_weight = 0;
  double or_weight = 0;
  bool in_front = false;  ///< It has to be asked before the condition may be.
};

/// Tests that make the condition's own values safe to use: not None, of a type, not empty.
[[nodiscard]] std::vector<Clause> guarding_clauses(const Context& context, const Node& condition);

/// Tests that the code around asks or could ask: flags, parameters, conditions of its class;
/// the best first. `body` is what runs if the condition holds; it may be null.
[[nodiscard]] std::vector<Clause> known_clauses(const Context& context, const Node& condition,
                                                const Node& body);

}  // namespace tenline::templates
