#pragma once

// Collects tests with weights; see test_pool.h.

#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "templates/python/test_pool.h"

namespace tenline::templates {

/// A text counts once, at its best weight.
class TestBag {
 public:
  void add(std::string_view text, std::string_view opposite, double weight);
  /// The test, and its opposite less likely by the factor.
  void add_both(std::string_view text, std::string_view opposite, double weight, double factor);
  /// `x is not None` and `x is None`.
  void add_none(std::string_view text, double weight, double factor);
  /// `x` and `not x`.
  void add_truth(std::string_view text, double weight, double factor);
  /// `x > 1`, `x == 0` and the like.
  void add_numbers(std::string_view text, double weight);
  /// A name or chain as a test of its own, by what its last name says.
  void add_by_name(std::string_view text, std::string_view name, double weight);

  /// The likeliest, their weights as shares of all. The bag is empty then.
  [[nodiscard]] std::vector<Test> take_best(std::size_t most);

 private:
  std::unordered_map<std::string, Test> tests_;
};

}  // namespace tenline::templates
