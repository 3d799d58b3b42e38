#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace tenline {

/// Untrusted text made safe for a terminal: control characters (ESC, BEL, CR, C1), bidirectional
/// overrides and invisible characters are written out as `\x1b` or `\u202e`, bytes that are not
/// UTF-8 become U+FFFD. Newlines and tabs stay. Cut after `limit` characters.
[[nodiscard]] std::string visible(std::string_view text, std::size_t limit = std::string::npos);

/// The same on one line: newlines and tabs are written out too.
[[nodiscard]] std::string visible_line(std::string_view text, std::size_t limit = 200);

/// "0.4 s", "41 s", "5 min", "2 h 5 min".
[[nodiscard]] std::string duration_text(double seconds);

/// "1 patch", "2 patches".
[[nodiscard]] std::string count_text(std::size_t count, std::string_view noun);

}  // namespace tenline
