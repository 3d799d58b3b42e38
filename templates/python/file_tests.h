#pragma once

// What a file asks, and what its code could ask: the ingredients of new conditions.

#include <set>
#include <string>
#include <vector>

#include "engine/syntax/tree.h"

namespace tenline::templates {

/// Where something stands: the first byte of its function and class, k_nowhere outside of any.
struct Home {
  static constexpr std::size_t k_nowhere = static_cast<std::size_t>(-1);
  std::size_t function = k_nowhere;
  std::size_t owner = k_nowhere;
  auto operator<=>(const Home&) const = default;
};

[[nodiscard]] Home home_of(const Node& node);

/// A test of the file, or a call that answers yes or no.
struct KnownTest {
  std::string text;
  std::string opposite;             ///< Empty where it has none.
  std::set<std::string> variables;  ///< Must be visible where it is to be asked.
  std::set<std::string> subjects;   ///< What it is about.
  Home home;
  int line = 0;           ///< Of its first use.
  int count = 0;          ///< Uses in the function.
  bool asserted = false;  ///< Holds anyway: only asserts ask it.
  bool asked = false;     ///< Stands in a condition; else its name says that it could.
  bool derived = false;   ///< Not in the file, but a part of a test that is: `x == 1` of `x >= 1`.
};

/// `a.b.c` as some function reads it.
struct KnownChain {
  std::string text;
  std::string root;
  std::string last;
  Home home;
  int line = 0;
};

/// All of a file, in source order; one entry for each text and function.
struct FileTests {
  std::vector<KnownTest> tests;
  std::vector<KnownChain> chains;
  std::vector<std::string> types;  ///< That `isinstance` asks for.
};

[[nodiscard]] FileTests read_file_tests(const Tree& tree);

/// True for names that answer yes or no: `is_x`, `use_x`, `x_enabled`, `training`.
[[nodiscard]] bool is_question(std::string_view name);

/// True for names of numbers: `world_size`, `num_layers`, `rank`.
[[nodiscard]] bool is_number_name(std::string_view name);

}  // namespace tenline::templates
