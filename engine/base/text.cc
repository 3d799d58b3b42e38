#include "engine/base/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <set>

namespace tenline {

namespace {

bool is_upper(char c) { return c >= 'A' && c <= 'Z'; }
bool is_lower(char c) { return c >= 'a' && c <= 'z'; }
bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_alpha(char c) { return is_upper(c) || is_lower(c); }

/// Length of the UTF-8 sequence that starts at `at`, or 0 where there is none.
std::size_t utf8_sequence(std::string_view text, std::size_t at) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned char lead = byte(at);
  if (lead < 0x80) return 1;
  std::size_t length = 2;
  if (lead >= 0xE0) length = 3;
  if (lead >= 0xF0) length = 4;
  if (lead < 0xC2 || lead > 0xF4 || at + length > text.size()) return 0;
  for (std::size_t i = 1; i < length; ++i) {
    if ((byte(at + i) & 0xC0U) != 0x80U) return 0;
  }
  const unsigned char second = byte(at + 1);
  if (lead == 0xE0 && second < 0xA0) return 0;  // Overlong.
  if (lead == 0xED && second > 0x9F) return 0;  // Surrogate.
  if (lead == 0xF0 && second < 0x90) return 0;  // Overlong.
  if (lead == 0xF4 && second > 0x8F) return 0;  // Above U+10FFFF.
  return length;
}

}  // namespace

std::vector<std::string_view> split_lines(std::string_view text) {
  std::vector<std::string_view> lines;
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    std::string_view line = text.substr(0, end);
    if (line.ends_with('\r')) line.remove_suffix(1);
    lines.push_back(line);
    if (end == std::string_view::npos) break;
    text.remove_prefix(end + 1);
  }
  return lines;
}

std::vector<std::string_view> split(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  for (;;) {
    const std::size_t end = text.find(separator);
    parts.push_back(text.substr(0, end));
    if (end == std::string_view::npos) return parts;
    text.remove_prefix(end + 1);
  }
}

std::string_view trim(std::string_view text) {
  constexpr std::string_view k_blank = " \t\r\n\v\f";
  const std::size_t begin = text.find_first_not_of(k_blank);
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(k_blank) - begin + 1);
}

std::string lower(std::string_view text) {
  std::string result(text);
  for (char& c : result) {
    if (is_upper(c)) c = static_cast<char>(c - 'A' + 'a');
  }
  return result;
}

std::string to_valid_utf8(std::string_view text) {
  std::string result;
  result.reserve(text.size());
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t length = text[at] == '\0' ? 0 : utf8_sequence(text, at);
    if (length == 0) {
      result += "\xEF\xBF\xBD";
      ++at;
    } else {
      result += text.substr(at, length);
      at += length;
    }
  }
  return result;
}

bool is_valid_utf8(std::string_view text) {
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t length = utf8_sequence(text, at);
    if (length == 0) return false;
    at += length;
  }
  return true;
}

std::vector<std::string> identifier_words(std::string_view identifier) {
  std::vector<std::string> words;
  std::string word;
  const auto flush = [&] {
    if (!word.empty()) words.push_back(lower(word));
    word.clear();
  };
  for (std::size_t i = 0; i < identifier.size(); ++i) {
    const char c = identifier[i];
    if (!is_alpha(c) && !is_digit(c)) {
      flush();
      continue;
    }
    const bool after_lower = !word.empty() && !is_upper(word.back());
    const bool before_lower = i + 1 < identifier.size() && is_lower(identifier[i + 1]);
    if (is_upper(c) && (after_lower || (!word.empty() && before_lower))) flush();
    word += c;
  }
  flush();
  return words;
}

std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> before(b.size() + 1);
  std::vector<std::size_t> previous(b.size() + 1);
  std::vector<std::size_t> current(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) previous[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    current[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t change = a[i - 1] == b[j - 1] ? 0 : 1;
      current[j] = std::min({previous[j] + 1, current[j - 1] + 1, previous[j - 1] + change});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) {
        current[j] = std::min(current[j], before[j - 2] + 1);
      }
    }
    std::swap(before, previous);
    std::swap(previous, current);
  }
  return previous[b.size()];
}

double name_similarity(std::string_view a, std::string_view b) {
  if (a == b) return 1.0;
  if (a.empty() || b.empty()) return 0.0;
  constexpr std::size_t k_longest = 128;  // Longer names are not typed by people.
  if (a.size() > k_longest || b.size() > k_longest) return 0.0;
  const double length = static_cast<double>(std::max(a.size(), b.size()));
  const double by_edits = 1.0 - static_cast<double>(edit_distance(lower(a), lower(b))) / length;
  const std::vector<std::string> words_a = identifier_words(a);
  const std::vector<std::string> words_b = identifier_words(b);
  const std::set<std::string> set_a(words_a.begin(), words_a.end());
  const std::set<std::string> set_b(words_b.begin(), words_b.end());
  const auto shared = static_cast<double>(
      std::count_if(set_a.begin(), set_a.end(), [&](const auto& w) { return set_b.contains(w); }));
  const double all = static_cast<double>(set_a.size() + set_b.size()) - shared;
  const double by_words = all > 0 ? 0.9 * shared / all : 0.0;
  // An abbreviation: `host` for `hostname`.
  constexpr std::size_t k_shortest = 3;
  const std::string_view shorter = a.size() < b.size() ? a : b;
  const std::string_view longer = a.size() < b.size() ? b : a;
  const bool part =
      shorter.size() >= k_shortest && (longer.starts_with(shorter) || longer.ends_with(shorter));
  const double by_part = part ? 0.6 + 0.4 * static_cast<double>(shorter.size()) / length : 0.0;
  return std::max({by_edits, by_words, std::min(by_part, 0.95)});
}

std::string digest(std::string_view text) {
  // Two FNV-1a streams of 64 bits with different offsets, mixed at the end.
  std::array<std::uint64_t, 2> hash = {0xCBF29CE484222325ULL, 0x9AE16A3B2F90404FULL};
  for (const char c : text) {
    hash[0] = (hash[0] ^ static_cast<unsigned char>(c)) * 0x100000001B3ULL;
    hash[1] = (hash[1] ^ static_cast<unsigned char>(c)) * 0x9E3779B97F4A7C15ULL;
    hash[1] ^= hash[1] >> 29U;
  }
  for (std::uint64_t& h : hash) {
    h ^= h >> 33U;
    h *= 0xFF51AFD7ED558CCDULL;
    h ^= h >> 33U;
  }
  return fmt::format("{:016x}{:016x}", hash[0], hash[1]);
}

std::string_view tail(std::string_view text, std::size_t limit) {
  if (text.size() <= limit) return text;
  text.remove_prefix(text.size() - limit);
  const std::size_t line_end = text.find('\n');
  if (line_end != std::string_view::npos && line_end + 1 < text.size()) {
    text.remove_prefix(line_end + 1);
  }
  return text;
}

bool is_identifier(std::string_view text) {
  if (text.empty() || is_digit(text.front())) return false;
  return std::all_of(text.begin(), text.end(),
                     [](char c) { return is_alpha(c) || is_digit(c) || c == '_'; });
}

std::string_view last_part(std::string_view dotted) {
  return dotted.substr(dotted.rfind('.') + 1);  // npos + 1 is 0.
}

std::string module_name(std::string_view path) {
  if (!path.ends_with(".py")) return {};
  path.remove_suffix(3);
  if (path.starts_with("src/")) path.remove_prefix(4);
  if (path.ends_with("/__init__")) path.remove_suffix(9);
  std::string name;
  for (const std::string_view part : split(path, '/')) {
    if (!is_identifier(part)) return {};
    if (!name.empty()) name += '.';
    name += part;
  }
  return name;
}

}  // namespace tenline
