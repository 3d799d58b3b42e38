#include "engine/issue/log_lines.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>
#include <unordered_set>

#include "engine/base/text.h"

namespace tenline {

namespace {

constexpr std::size_t k_longest_prefix = 64;
constexpr int k_most_prefixes = 8;

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_space(char c) { return c == ' ' || c == '\t'; }

std::string_view without_indent(std::string_view text) {
  text.remove_prefix(std::min(text.find_first_not_of(" \t"), text.size()));
  return text;
}

int first_number(std::string_view text) {
  text.remove_prefix(std::min(text.find_first_of("0123456789"), text.size()));
  int number = -1;
  std::from_chars(text.data(), text.data() + text.size(), number);
  return number;
}

bool is_level(std::string_view word) {
  constexpr std::array<std::string_view, 8> k_levels = {"INFO",     "WARNING", "WARN",  "ERROR",
                                                        "CRITICAL", "DEBUG",   "FATAL", "TRACE"};
  return std::find(k_levels.begin(), k_levels.end(), word) != k_levels.end();
}

/// "2023-10-18", "12:00:01,123", "1019 12:00:00.5": digits and their separators, five digits or
/// more.
bool is_time(std::string_view text) {
  const bool only = text.find_first_not_of("0123456789-:,./ TZ+") == std::string_view::npos;
  return only && std::count_if(text.begin(), text.end(), is_digit) >= 5;
}

/// "rank3", "default0", "Rank 12", "worker_1".
bool is_rank_label(std::string_view text) {
  constexpr std::array<std::string_view, 3> k_labels = {"rank", "default", "worker"};
  const std::string label = lower(text.substr(0, 16));
  return std::any_of(k_labels.begin(), k_labels.end(), [&](std::string_view word) {
    if (!label.starts_with(word)) return false;
    const std::string_view rest = std::string_view(label).substr(word.size());
    const std::size_t digit = rest.find_first_not_of(" _-=:");
    return digit != std::string_view::npos &&
           rest.find_first_not_of("0123456789", digit) == std::string_view::npos;
  });
}

/// "1,0" of `[1,0]<stderr>:`.
bool is_mpi_label(std::string_view text) {
  const std::size_t comma = text.find(',');
  return comma != std::string_view::npos && comma > 0 && comma + 1 < text.size() &&
         text.find_first_not_of("0123456789,") == std::string_view::npos;
}

/// "runner.py:45:main" and glog's "E1019 12:00:00.1 Process.cpp:47".
bool is_source_label(std::string_view text) {
  return text.find(".py:") != std::string_view::npos ||
         text.find(".cpp:") != std::string_view::npos ||
         (text.size() > 5 &&
          std::string_view("IWEF").find(text.front()) != std::string_view::npos &&
          std::all_of(text.begin() + 1, text.begin() + 5, is_digit));
}

/// One prefix at the begin of a line.
struct Prefix {
  std::size_t length = 0;
  std::string_view stream = {};  ///< What tells processes apart; empty for times and levels.
  int rank = -1;
};

std::optional<Prefix> bracket_prefix(std::string_view text) {
  const std::size_t end = text.substr(0, k_longest_prefix * 2).find(']');
  if (end == std::string_view::npos) return std::nullopt;
  const std::string_view inside = text.substr(1, end - 1);
  Prefix prefix{.length = end + 1};
  const std::string_view after = text.substr(end + 1);
  if (is_mpi_label(inside) && (after.starts_with("<std") || after.starts_with(":"))) {
    prefix.stream = inside;
    prefix.rank = first_number(inside.substr(inside.find(',')));
    if (const std::size_t close = after.substr(0, 10).find('>'); close != std::string_view::npos) {
      prefix.length += close + 1;
    }
  } else if (is_rank_label(inside)) {
    prefix.stream = inside;
    prefix.rank = first_number(inside);
  } else if (!is_time(inside) && !is_level(trim(inside)) && !is_source_label(inside)) {
    return std::nullopt;
  }
  if (text.substr(prefix.length).starts_with(":")) ++prefix.length;
  return prefix;
}

/// "2024-01-01 12:00:00,123" or "12:00:00.5", outside brackets.
std::optional<Prefix> time_prefix(std::string_view text) {
  const bool date = text.size() > 10 && text[4] == '-' && text[7] == '-' && is_digit(text[9]);
  const bool clock = text.size() > 8 && text[2] == ':' && text[5] == ':' && is_digit(text[7]);
  if (!date && !clock) return std::nullopt;
  std::size_t end = text.find_first_not_of("0123456789-:,.TZ+");
  if (end != std::string_view::npos && date && text[end] == ' ' && end + 3 < text.size() &&
      is_digit(text[end + 1]) && text[end + 3] == ':') {
    end = text.find_first_not_of("0123456789-:,.TZ+", end + 1);
  }
  return Prefix{.length = std::min(end, text.size())};
}

std::optional<Prefix> level_prefix(std::string_view text) {
  const std::size_t end = text.substr(0, 10).find_first_of(": ");
  if (end == std::string_view::npos || !is_level(text.substr(0, end))) return std::nullopt;
  return Prefix{.length = end + (text[end] == ':' ? 1U : 0U)};
}

/// A prefix that is known by its form; `text` begins with no blank.
std::optional<Prefix> known_prefix(std::string_view text) {
  if (text.empty()) return std::nullopt;
  switch (text.front()) {
    case '[':
      return bracket_prefix(text);
    case '>':
    case '|':
      return Prefix{.length = 1};
    case '+':  // The frame around an exception group.
      if (text.starts_with("+ Exception Group")) return Prefix{.length = 1};
      return std::nullopt;
    case '-':
      if (text.starts_with("- ") && text.size() > 2) {
        const std::string_view after = text.substr(2);
        if (time_prefix(after) || level_prefix(after)) return Prefix{.length = 1};
      }
      return std::nullopt;
    case '(': {
      const std::size_t end = text.substr(0, k_longest_prefix).find(')');
      if (end == std::string_view::npos) return std::nullopt;
      const std::string_view inside = text.substr(1, end - 1);
      if (inside.find("pid=") == std::string_view::npos) return std::nullopt;
      return Prefix{.length = end + 1, .stream = inside};
    }
    default:
      if (is_digit(text.front())) return time_prefix(text);
      return level_prefix(text);
  }
}

using Learned = std::unordered_set<std::string_view>;

/// What stands before `File "`, when it looks like the label of a process: "node1:", "0:".
void learn_prefix(std::string_view text, Learned& learned) {
  const std::size_t file = text.substr(0, k_longest_prefix + 8).find("File \"");
  if (file == std::string_view::npos || file == 0) return;
  const std::string_view before = trim(text.substr(0, file));
  if (before.empty() || text.find("\", line ", file) == std::string_view::npos) return;
  if (std::string_view(":])>").find(before.back()) != std::string_view::npos)
    learned.insert(before);
}

std::optional<Prefix> learned_prefix(std::string_view text, const Learned& learned) {
  if (learned.empty()) return std::nullopt;
  const std::string_view start = text.substr(0, k_longest_prefix);
  for (std::size_t at = start.find_first_of(":])>"); at != std::string_view::npos;
       at = start.find_first_of(":])>", at + 1)) {
    const std::string_view prefix = start.substr(0, at + 1);
    if (!learned.contains(prefix)) continue;
    const bool number = std::all_of(prefix.begin(), prefix.end() - 1, is_digit);
    return Prefix{.length = at + 1,
                  .stream = prefix.substr(0, at),
                  .rank = number ? first_number(prefix) : -1};
  }
  return std::nullopt;
}

void strip_prefixes(LogLine& line, const Learned& learned) {
  for (int i = 0; i < k_most_prefixes; ++i) {
    const std::string_view text = without_indent(line.text);
    std::optional<Prefix> prefix = known_prefix(text);
    if (!prefix) prefix = learned_prefix(text, learned);
    if (!prefix) return;
    line.text = text.substr(prefix->length);
    if (!line.text.empty() && is_space(line.text.front())) line.text.remove_prefix(1);
    if (!prefix->stream.empty()) line.stream.append(prefix->stream).push_back(' ');
    if (prefix->rank >= 0) line.rank = prefix->rank;
  }
}

}  // namespace

std::vector<LogLine> read_log_lines(std::string_view text) {
  std::vector<LogLine> lines;
  Learned learned;
  for (const std::string_view raw : split_lines(text)) {
    LogLine line{.text = raw};
    strip_prefixes(line, {});
    learn_prefix(line.text, learned);
    lines.push_back(std::move(line));
  }
  if (!learned.empty()) {
    for (LogLine& line : lines) strip_prefixes(line, learned);
  }
  return lines;
}

}  // namespace tenline
