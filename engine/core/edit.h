#pragma once

#include <cstddef>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/result.h"

namespace tenline {

/// A range of bytes, the end not included.
struct Span {
  std::size_t begin = 0;
  std::size_t end = 0;
  [[nodiscard]] std::size_t size() const { return end - begin; }
  auto operator<=>(const Span&) const = default;
};

/// "Replace these bytes of this file by this text"; an empty span inserts.
struct Edit {
  std::string file;  ///< Path in the repository, with '/'.
  Span span;
  std::string text;
  auto operator<=>(const Edit&) const = default;
};

/// Whole new texts of files, by path.
using FileTexts = std::map<std::string, std::string>;

/// Applies all edits of one file at once; their `file` is not looked at. Fails if two overlap or
/// one is out of range. Two insertions at the same place keep their order.
[[nodiscard]] Result<std::string> apply_edits(std::string_view source, std::span<const Edit> edits);

/// Lines added plus lines removed between two texts, after the lines that they share at their begin
/// and end; an upper bound of what a diff shows.
[[nodiscard]] int changed_lines(std::string_view before, std::string_view after);

/// The same for one file's edits: the sum over edits that touch different lines.
[[nodiscard]] int changed_lines(std::string_view source, std::span<const Edit> edits);

}  // namespace tenline
