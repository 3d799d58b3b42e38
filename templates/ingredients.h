#pragma once

#include <map>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "engine/syntax/tree.h"

namespace tenline::templates {

/// An expression that a file uses, as something to fill holes with. Equal texts are one ingredient.
struct Ingredient {
  std::string_view text;
  std::string_view kind;  ///< Of its node.
  std::string_view root;  ///< The name that must be in scope: `a` of `a.b[0].c()`.
  std::vector<std::pair<int, int>> places;  ///< Line, and first line of the function; at most 16.
  std::set<std::string> roles;              ///< See purpose_of.
  std::vector<std::string> words;           ///< Of its identifiers, sorted.
};

/// What an expression is for: the keyword or position that it is passed at, the name that it is
/// assigned to, what it is compared with. Empty where that says nothing.
[[nodiscard]] std::string purpose_of(const Node& expression);

/// What is written behind expressions: `.item()`, `[0]`, `.shape[-1]`.
struct Suffix {
  std::string text;
  int count = 0;
  std::set<std::string_view> bases;  ///< The expressions in front of it.
};

/// The short attribute chains, calls and subscripts of one file, read once.
class Ingredients {
 public:
  explicit Ingredients(const Tree& tree);

  struct Fit {
    const Ingredient* ingredient = nullptr;
    double weight = 0;
  };
  /// The ingredients that may stand in the place of an expression, best first: used for the same
  /// purpose, near, of like words and kind. `in_scope` holds the names that are usable there.
  [[nodiscard]] std::vector<Fit> fitting(const Node& place,
                                         const std::unordered_set<std::string_view>& in_scope,
                                         std::size_t most) const;

  /// The objects that an attribute is read from somewhere: `torch.distributed` for `get_rank`.
  [[nodiscard]] const std::vector<std::string_view>& owners(std::string_view attribute) const;
  /// Method calls and attributes that follow expressions, commonest first: `.cuda()`.
  [[nodiscard]] const std::vector<Suffix>& methods() const { return methods_; }
  /// Subscripts that follow expressions, commonest first: `[0]`.
  [[nodiscard]] const std::vector<Suffix>& subscripts() const { return subscripts_; }
  /// Functions that are called with one argument, commonest first, with their count.
  [[nodiscard]] const std::vector<std::pair<std::string, int>>& unary() const { return unary_; }
  /// Operands of arithmetic, commonest first, with their operators: `/ world_size`.
  [[nodiscard]] const std::vector<std::pair<std::string, int>>& operations() const {
    return operations_;
  }

 private:
  void read(const Node& node);
  void read_suffix(const Node& node);

  std::vector<Ingredient> all_;
  std::unordered_map<std::string_view, std::size_t> by_text_;
  std::unordered_map<std::string_view, std::vector<std::string_view>> owners_;
  std::map<std::string, Suffix> method_table_;
  std::map<std::string, Suffix> subscript_table_;
  std::map<std::string, int> unary_table_;
  std::map<std::string, int> operation_table_;
  std::vector<Suffix> methods_;
  std::vector<Suffix> subscripts_;
  std::vector<std::pair<std::string, int>> unary_;
  std::vector<std::pair<std::string, int>> operations_;
};

/// The words of all identifiers of a text, without the `s` of plurals, sorted, without repeats.
[[nodiscard]] std::vector<std::string> words_of(std::string_view text);
/// Shared words against all words, 0 to 1.
[[nodiscard]] double word_overlap(const std::vector<std::string>& a,
                                  const std::vector<std::string>& b);

}  // namespace tenline::templates
