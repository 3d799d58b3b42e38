#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace tenline {

/// The lines of a text without their ends; "\r\n" counts as one end.
[[nodiscard]] std::vector<std::string_view> split_lines(std::string_view text);

/// Parts between separators; an empty text has one empty part.
[[nodiscard]] std::vector<std::string_view> split(std::string_view text, char separator);

[[nodiscard]] std::string_view trim(std::string_view text);

[[nodiscard]] std::string lower(std::string_view text);

/// Replaces every byte sequence that is not UTF-8, and NUL, by U+FFFD.
[[nodiscard]] std::string to_valid_utf8(std::string_view text);

[[nodiscard]] bool is_valid_utf8(std::string_view text);

/// The words of an identifier in lower case: "getHTTPCode_v2" gives get, http, code, v2.
[[nodiscard]] std::vector<std::string> identifier_words(std::string_view identifier);

/// Damerau-Levenshtein distance (optimal string alignment), in edits.
[[nodiscard]] std::size_t edit_distance(std::string_view a, std::string_view b);

/// How alike two identifiers are, from 0 to 1: the better of edit distance and shared words.
[[nodiscard]] double name_similarity(std::string_view a, std::string_view b);

/// A stable 128-bit hash as 32 hexadecimal digits; for identity, not against attackers.
[[nodiscard]] std::string digest(std::string_view text);

/// The last `limit` bytes, cut at a line where possible.
[[nodiscard]] std::string_view tail(std::string_view text, std::size_t limit);

/// True for [A-Za-z_][A-Za-z0-9_]*.
[[nodiscard]] bool is_identifier(std::string_view text);

/// What stands behind the last dot: `c` of `a.b.c`; all of it where there is none.
[[nodiscard]] std::string_view last_part(std::string_view dotted);

/// The dotted name under which a Python file is imported: `src/a/b.py` gives `a.b`,
/// `a/__init__.py` gives `a`; empty where the path is no module.
[[nodiscard]] std::string module_name(std::string_view path);

}  // namespace tenline
