#pragma once

// What other files of the repository write behind the objects that this file has.

#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "engine/syntax/python_index.h"
#include "engine/syntax/tree.h"

namespace tenline::templates {

/// `args.seq_length` where the file has `args` but never reads that of it.
struct DistantValue {
  std::string text;
  std::string_view object;         ///< As written: names and dots.
  std::string_view root;           ///< The name that must be in scope.
  std::vector<std::string> words;  ///< Of what is behind the object, sorted.
  int count = 0;                   ///< Uses in the repository.
};

class DistantValues {
 public:
  DistantValues(const Tree& tree, const PythonIndex& index);

  /// The file's objects, names and dotted chains, without repeats, in order.
  [[nodiscard]] const std::vector<std::string_view>& objects() const { return objects_; }

  struct Fit {
    const DistantValue* value = nullptr;
    double weight = 0;
  };
  /// Those that may stand in the place of an expression, best first: of like words, often used.
  [[nodiscard]] std::vector<Fit> fitting(const Node& place,
                                         const std::unordered_set<std::string_view>& in_scope,
                                         std::size_t most) const;

 private:
  std::vector<std::string_view> objects_;
  std::vector<DistantValue> values_;
};

/// The first name of a dotted one.
[[nodiscard]] std::string_view root_name(std::string_view dotted);

}  // namespace tenline::templates
