#include "engine/issue/mentions.h"

#include <algorithm>
#include <array>
#include <string>
#include <unordered_set>

#include "engine/base/text.h"

namespace tenline {

namespace {

constexpr std::size_t k_most_names = 2000;
constexpr std::size_t k_most_words = 50'000;
constexpr std::size_t k_most_literals = 300;
constexpr std::size_t k_longest_name = 100;
constexpr std::size_t k_longest_literal = 80;
constexpr std::size_t k_longest_number = 12;

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_upper(char c) { return c >= 'A' && c <= 'Z'; }
bool is_lower(char c) { return c >= 'a' && c <= 'z'; }
bool starts_name(char c) { return is_upper(c) || is_lower(c) || c == '_'; }
bool is_word(char c) { return starts_name(c) || is_digit(c); }

bool is_keyword(std::string_view word) {
  constexpr std::array<std::string_view, 38> k_keywords = {
      "False",   "None",     "True",     "and",    "as",    "assert", "async",  "await",
      "break",   "class",    "continue", "def",    "del",   "elif",   "else",   "except",
      "finally", "for",      "from",     "global", "if",    "import", "in",     "is",
      "lambda",  "nonlocal", "not",      "or",     "pass",  "raise",  "return", "self",
      "cls",     "try",      "while",    "with",   "yield", "e.g"};
  return std::find(k_keywords.begin(), k_keywords.end(), word) != k_keywords.end();
}

/// `DataAnalyzer`, `NoneType`, `ZeRO`: a lower-case letter and then a capital.
bool is_camel_case(std::string_view word) {
  for (std::size_t i = 1; i < word.size(); ++i) {
    if (is_upper(word[i]) && is_lower(word[i - 1])) return true;
  }
  return false;
}

bool has_inner_underscore(std::string_view word) {
  const std::size_t first = word.find('_');
  return first != std::string_view::npos && word.find_first_not_of('_') != std::string_view::npos;
}

bool is_outside_code(std::string_view file) {
  return file.find("site-packages") != std::string_view::npos ||
         file.find("dist-packages") != std::string_view::npos ||
         file.find("python3") != std::string_view::npos || file.starts_with("<");
}

class Collector {
 public:
  explicit Collector(BugReport& report) : report_(report) {}

  void read(std::string_view line, bool in_code) {
    line_ = line;
    in_code_ = in_code;
    in_ticks_ = false;
    closing_quote_ = std::string_view::npos;
    at_ = 0;
    while (at_ < line_.size()) step();
  }

  /// Functions of a traceback's frames; the machine's own libraries say nothing about the bug.
  void read_frame(std::string_view line) {
    const std::size_t in = line.rfind(", in ");
    if (in == std::string_view::npos || is_outside_code(line.substr(line.find('"') + 1))) return;
    std::string_view file = line.substr(0, line.rfind("\", line "));
    file = file.substr(file.find_last_of("/\\\"") + 1);
    add_words(file.substr(0, file.rfind('.')));
    for (const std::string_view part : split(trim(line.substr(in + 5)), '.')) {
      if (!is_identifier(part)) continue;
      add_name(part);
      add_words(part);
    }
  }

 private:
  [[nodiscard]] char before(std::size_t at) const { return at == 0 ? ' ' : line_[at - 1]; }
  [[nodiscard]] char get(std::size_t at) const { return at < line_.size() ? line_[at] : ' '; }

  void step() {
    const char c = line_[at_];
    if (line_.substr(at_).starts_with("http://") || line_.substr(at_).starts_with("https://")) {
      at_ = std::min(line_.find_first_of(" \t)>\"'", at_), line_.size());
    } else if (c == '`') {
      in_ticks_ = !in_ticks_;
      ++at_;
    } else if ((c == '\'' || c == '"') && at_ != closing_quote_ && !is_word(before(at_))) {
      read_quote();
      ++at_;
    } else if (starts_name(c)) {
      read_name();
    } else if (is_digit(c)) {
      read_number();
    } else {
      ++at_;
    }
  }

  /// A quoted string; what is in it is read as text afterwards.
  void read_quote() {
    const char quote = line_[at_];
    const std::string_view window = line_.substr(at_ + 1, k_longest_literal);
    std::size_t end = window.find(quote);
    while (end != std::string_view::npos && is_word(get(at_ + 1 + end + 1))) {
      end = window.find(quote, end + 1);  // An apostrophe, or the next literal's begin.
    }
    if (end == std::string_view::npos || end == 0) return;
    const std::string_view inside = window.substr(0, end);
    closing_quote_ = at_ + 1 + end;
    if (inside.find(quote) != std::string_view::npos || inside.ends_with('\\')) return;
    add_literal(line_.substr(at_, end + 2), inside);
    if (is_identifier(inside)) add_name(inside);
  }

  void read_name() {
    const std::size_t begin = at_;
    const bool flag = begin >= 2 && line_.substr(begin - 2, 2) == "--";
    while (at_ < line_.size()) {
      const bool joins =
          (line_[at_] == '.' || (flag && line_[at_] == '-')) && is_word(get(at_ + 1));
      if (!is_word(line_[at_]) && !joins) break;
      ++at_;
    }
    std::string name(line_.substr(begin, at_ - begin));
    if (flag) std::replace(name.begin(), name.end(), '-', '_');
    add_words(name);
    if (name.size() > k_longest_name) return;
    if (name.ends_with(".py")) name.resize(name.size() - 3);
    const bool path = before(begin) == '/' || (get(at_) == '/' && !in_ticks_);
    const bool call = get(at_) == '(';
    const bool keyword_argument = get(at_) == '=' && get(at_ + 1) != '=' && !is_word(before(begin));
    const bool dotted = name.find('.') != std::string::npos;
    if (path && !has_inner_underscore(name)) return;
    if (in_ticks_ || flag || call || keyword_argument || has_inner_underscore(name) ||
        is_camel_case(name) || (dotted && looks_dotted(name))) {
      add_dotted(name);
    }
  }

  /// Not the end of one sentence and the begin of the next: "fails.Then".
  static bool looks_dotted(std::string_view name) {
    const std::vector<std::string_view> parts = split(name, '.');
    if (!std::all_of(parts.begin(), parts.end(), [](auto part) { return is_identifier(part); })) {
      return false;
    }
    return name != "e.g" && name != "i.e" &&
           std::any_of(parts.begin(), parts.end(), [](auto part) { return part.size() > 1; });
  }

  void add_dotted(std::string_view name) {
    const std::vector<std::string_view> parts = split(name, '.');
    add_name(name);
    if (parts.size() == 1) return;
    for (const std::string_view part : parts) {
      if (part == parts.back() || is_camel_case(part)) add_name(part);
    }
  }

  void read_number() {
    const std::size_t begin = at_;
    while (is_digit(get(at_))) ++at_;
    if (get(at_) == '.' && is_digit(get(at_ + 1))) {
      ++at_;
      while (is_digit(get(at_))) ++at_;
    }
    if (get(at_) == 'e' && (is_digit(get(at_ + 1)) || is_digit(get(at_ + 2)))) {
      at_ += is_digit(get(at_ + 1)) ? 1U : 2U;
      const std::size_t exponent = at_;
      while (is_digit(get(at_))) ++at_;
      if (at_ > exponent + 2) return;  // A commit id such as 936e930.
    }
    const bool goes_on = is_word(get(at_)) || (get(at_) == '.' && is_word(get(at_ + 1)));
    const bool code = in_code_ || in_ticks_ ||
                      std::string_view("=([{,-").find(before(begin)) != std::string_view::npos ||
                      std::string_view(")]},").find(get(at_)) != std::string_view::npos;
    const std::string_view number = line_.substr(begin, at_ - begin);
    // A version or a word such as "2x": not a number of a program.
    while (is_word(get(at_)) || (goes_on && get(at_) == '.')) ++at_;
    if (!goes_on && code && number.size() <= k_longest_number) add_literal(number, number);
  }

  void add_name(std::string_view name) {
    while (name.ends_with('.')) name.remove_suffix(1);
    if (name.size() < 2 || name.size() > k_longest_name || is_keyword(name)) return;
    if (report_.names.size() >= k_most_names) return;
    if (seen_names_.emplace(name).second) report_.names.emplace_back(name);
  }

  void add_words(std::string_view text) {
    if (text.size() > 4 * k_longest_name) return;
    for (std::string& word : identifier_words(text)) {
      if (report_.words.size() >= k_most_words) return;
      report_.words.push_back(std::move(word));
    }
  }

  void add_literal(std::string_view source, std::string_view value) {
    if (report_.literals.size() >= k_most_literals) return;
    const bool number = source == value;
    if (seen_literals_.insert((number ? "n" : "s") + std::string(value)).second) {
      report_.literals.emplace_back(source);
    }
  }

  BugReport& report_;
  std::string_view line_;
  std::size_t at_ = 0;
  bool in_code_ = false;
  bool in_ticks_ = false;
  std::size_t closing_quote_ = std::string_view::npos;
  std::unordered_set<std::string> seen_names_;
  std::unordered_set<std::string> seen_literals_;
};

}  // namespace

void collect_mentions(const std::vector<LogLine>& lines, BugReport& report) {
  Collector collector(report);
  for (const LogLine& line : lines) {
    switch (line.kind) {
      case LineKind::structure:
        break;
      case LineKind::frame:
        collector.read_frame(line.text);
        break;
      case LineKind::prose:
        collector.read(line.text, false);
        break;
      case LineKind::code:
      case LineKind::error:
        collector.read(line.text, true);
        break;
    }
  }
}

}  // namespace tenline
