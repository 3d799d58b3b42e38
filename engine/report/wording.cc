#include "engine/report/wording.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <utility>

#include "engine/base/text.h"

namespace tenline {
namespace {

/// Takes the first code point off valid UTF-8 text.
char32_t take_code_point(std::string_view& text) {
  const auto byte = [&](std::size_t i) {
    return static_cast<char32_t>(static_cast<unsigned char>(text[i]));
  };
  const char32_t first = byte(0);
  std::size_t size = 1;
  for (const char32_t next : {0x80U, 0xe0U, 0xf0U}) size += first >= next ? 1 : 0;
  char32_t point = size == 1 ? first : first & (0xffU >> (size + 1));
  for (std::size_t i = 1; i < size; ++i) point = (point << 6U) | (byte(i) & 0x3fU);
  text.remove_prefix(size);
  return point;
}

/// Characters that move the cursor, turn the direction of the text, or cannot be seen at all.
bool is_treacherous(char32_t point) {
  using Range = std::pair<char32_t, char32_t>;  // First and last.
  static constexpr auto k_ranges = std::to_array<Range>({
      {0x00, 0x1f},
      {0x7f, 0x9f},
      {0xad, 0xad},
      {0x34f, 0x34f},
      {0x61c, 0x61c},
      {0x115f, 0x1160},
      {0x17b4, 0x17b5},
      {0x180b, 0x180f},
      {0x200b, 0x200f},
      {0x2028, 0x202e},
      {0x2060, 0x206f},
      {0x3164, 0x3164},
      {0xfeff, 0xfeff},
      {0xffa0, 0xffa0},
      {0xfff0, 0xfffb},
      {0x1bca0, 0x1bca3},
      {0x1d173, 0x1d17a},
      {0xe0000, 0xe0fff},
  });
  return std::ranges::any_of(k_ranges,
                             [&](const Range& r) { return r.first <= point && point <= r.second; });
}

std::string written_out(char32_t point) {
  const auto number = static_cast<std::uint32_t>(point);
  switch (point) {
    case '\n':
      return "\\n";
    case '\r':
      return "\\r";
    case '\t':
      return "\\t";
    default:
      break;
  }
  if (number < 0x80) return fmt::format("\\x{:02x}", number);
  return number <= 0xffff ? fmt::format("\\u{:04x}", number) : fmt::format("\\U{:08x}", number);
}

std::string shown(std::string_view text, std::string_view allowed, std::size_t limit) {
  // A code point has at most four bytes: what is beyond cannot be shown and need not be looked at.
  const bool huge = text.size() / 4 > limit;
  const std::string valid = to_valid_utf8(huge ? text.substr(0, (4 * limit) + 4) : text);
  std::string_view rest = valid;
  std::string out;
  for (std::size_t count = 0; !rest.empty(); ++count) {
    if (count == limit) return out + "...";
    const std::string_view before = rest;
    const char32_t point = take_code_point(rest);
    if (is_treacherous(point) && allowed.find(before.front()) == std::string_view::npos) {
      out += written_out(point);
    } else {
      out += before.substr(0, before.size() - rest.size());
    }
  }
  return out;
}

}  // namespace

std::string visible(std::string_view text, std::size_t limit) { return shown(text, "\n\t", limit); }

std::string visible_line(std::string_view text, std::size_t limit) {
  return shown(text, "", limit);
}

std::string duration_text(double seconds) {
  constexpr double k_longest = 1e8;  // Three years: keeps the arithmetic below exact.
  if (!std::isfinite(seconds)) seconds = seconds > 0 ? k_longest : 0;
  seconds = std::clamp(seconds, 0.0, k_longest);
  if (seconds < 9.95) return fmt::format("{:.1f} s", seconds);
  if (seconds < 119.5) return fmt::format("{:.0f} s", seconds);
  const long minutes = std::lround(seconds / 60);
  if (minutes < 90) return fmt::format("{} min", minutes);
  return fmt::format("{} h {} min", minutes / 60, minutes % 60);
}

std::string count_text(std::size_t count, std::string_view noun) {
  if (count == 1) return fmt::format("1 {}", noun);
  return fmt::format("{} {}{}", count, noun, noun.ends_with("ch") ? "es" : "s");
}

}  // namespace tenline
