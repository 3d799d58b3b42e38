#pragma once

// The tests that code could ask at a place: what conditions are made of.

#include <string>
#include <vector>

#include "templates/context.h"

namespace tenline::templates {

/// A test, its opposite, and how likely it is to decide whether a piece of code should run.
struct Test {
  std::string text;
  std::string opposite;  ///< Never empty.
  double weight = 0;     ///< A share: those that this file suggests add up to less than 1.
};

/// Tests that may be asked at a place, a statement or a condition, about the values of the code
/// that they would decide on; likeliest first, without repeats. Each has its opposite as an entry
/// of its own. At most `most` of what this file suggests, and as many of what other files ask.
[[nodiscard]] std::vector<Test> possible_tests(const Context& context, const Node& place,
                                               const std::vector<Node>& about, std::size_t most);

}  // namespace tenline::templates
