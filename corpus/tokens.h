#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "engine/core/edit.h"
#include "engine/syntax/tree.h"

namespace tenline::corpus {

/// A sum over the tokens of a text that does not depend on their order, so that what an edit does
/// to it can be told from the edit alone. Comments, blanks, grouping and separating punctuation
/// count nothing; a string counts by its content.
using TokenSum = std::uint64_t;

[[nodiscard]] TokenSum token_sum(std::string_view text);

/// The tokens of a text in order, as token_sum reads them.
[[nodiscard]] std::vector<std::string> tokens(std::string_view text);

/// The token sums of one file and of what edits make of it.
class FileTokens {
 public:
  explicit FileTokens(const Tree& tree);

  /// Of the whole file; docstrings count nothing.
  [[nodiscard]] TokenSum sum() const { return sums_.back(); }
  /// How much edits change it; they are in order and do not overlap.
  [[nodiscard]] TokenSum change(const std::vector<Edit>& edits) const;

 private:
  const std::string* source_;
  std::vector<Span> leaves_;
  std::vector<TokenSum> sums_;  ///< Before each leaf; one more at the end.
};

}  // namespace tenline::corpus
