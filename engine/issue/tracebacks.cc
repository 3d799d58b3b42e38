#include "engine/issue/tracebacks.h"

// A small state machine per process: idle -> frames -> message -> idle. It goes by indentation
// where there is any and else by form, since pasting often loses the indentation.

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>
#include <set>
#include <unordered_map>
#include <utility>

#include "engine/base/text.h"

namespace tenline {

namespace {

constexpr int k_most_strangers = 8;  ///< Lines of something else that a traceback survives.
constexpr std::size_t k_longest_message = 8192;
constexpr std::size_t k_longest_type = 128;

bool is_word(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}
bool is_upper(char c) { return c >= 'A' && c <= 'Z'; }

std::size_t indent_of(std::string_view text) {
  return std::min(text.find_first_not_of(" \t"), text.size());
}

/// `File "x.py", line 3, in f`; a syntax error's has no function.
std::optional<Frame> parse_frame(std::string_view text) {
  constexpr std::string_view k_begin = "File \"";
  constexpr std::string_view k_line = "\", line ";
  if (!text.starts_with(k_begin)) return std::nullopt;
  text.remove_prefix(k_begin.size());
  const std::size_t quote = text.find(k_line);
  if (quote == std::string_view::npos) return std::nullopt;
  Frame frame;
  frame.file = text.substr(0, quote);
  text.remove_prefix(quote + k_line.size());
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), frame.line);
  if (error != std::errc{} || frame.line < 0) return std::nullopt;
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  if (text.starts_with(", in ")) frame.function = trim(text.substr(5));
  return frame;
}

/// A name that only exceptions have: `ValueError`, `queue.Empty` is not sure enough.
bool is_exception_name(std::string_view type) {
  constexpr std::array<std::string_view, 5> k_ends = {"Error", "Exception", "Interrupt",
                                                      "StopIteration", "SystemExit"};
  const std::string_view name = last_part(type);
  if (name == type && name == "Error") return false;
  if (name != type && (name == "error" || name.ends_with("error"))) return true;
  return !name.empty() && (is_upper(name.front()) || name.front() == '_') &&
         std::any_of(k_ends.begin(), k_ends.end(), [&](auto end) { return name.ends_with(end); });
}

/// What may stand below frames: also `socket.gaierror`, `Killed`, `__main__.f.<locals>.Stop`.
bool may_be_exception(std::string_view type) {
  const std::string_view name = last_part(type);
  if (name.empty()) return false;
  return is_exception_name(type) || is_upper(name.front()) || name != type;
}

struct ErrorLine {
  std::string_view type;
  std::string_view message;
};

/// `Type` or `Type: message` as a whole line, no matter which type.
std::optional<ErrorLine> parse_error(std::string_view text) {
  constexpr std::string_view k_locals = "<locals>";
  std::size_t end = 0;
  while (end < text.size() && end <= k_longest_type) {
    if (text.substr(end).starts_with(k_locals)) {
      end += k_locals.size();
    } else if (is_word(text[end]) || (text[end] == '.' && end > 0 && text[end - 1] != '.')) {
      ++end;
    } else {
      break;
    }
  }
  const std::string_view type = text.substr(0, end);
  if (type.empty() || end > k_longest_type || type.ends_with('.')) return std::nullopt;
  if (type.front() >= '0' && type.front() <= '9') return std::nullopt;
  const std::string_view rest = text.substr(end);
  if (rest.empty()) return ErrorLine{type, {}};
  if (rest != ":" && !rest.starts_with(": ")) return std::nullopt;
  return ErrorLine{type, trim(rest.substr(1))};
}

std::optional<ErrorLine> parse_sure_error(std::string_view text) {
  const std::optional<ErrorLine> error = parse_error(text);
  return error && is_exception_name(error->type) ? error : std::nullopt;
}

bool is_caret_line(std::string_view trimmed) {
  return trimmed.find_first_not_of("^~ ") == std::string_view::npos &&
         trimmed.find('^') != std::string_view::npos;
}

std::optional<Chain> joint(std::string_view text) {
  if (text.find("direct cause of the following exception") != std::string_view::npos) {
    return Chain::cause;
  }
  if (text.find("uring handling of the above exception") != std::string_view::npos) {
    return Chain::context;
  }
  return std::nullopt;
}

struct Placed {
  std::size_t place;
  Traceback traceback;
};

/// The lines of one process.
class Stream {
 public:
  void read(LogLine& line, std::size_t place) {
    const std::string_view text = trim(line.text);
    if (const std::optional<Chain> chain = joint(text)) {
      close();
      next_chain_ = *chain;
      line.kind = LineKind::structure;
      return;
    }
    if (text.ends_with("Traceback (most recent call last):")) {
      open(line, place);
      line.kind = LineKind::structure;
      return;
    }
    if (std::optional<Frame> frame = parse_frame(text)) {
      if (state_ != State::frames) open(line, place);
      frame_indent_ = indent_of(line.text);
      current_.frames.push_back(std::move(*frame));
      want_code_ = true;
      strangers_ = 0;
      line.kind = LineKind::frame;
      return;
    }
    if (state_ == State::frames && read_in_frames(line, text)) return;
    if (state_ == State::message && read_in_message(line, text)) return;
    if (state_ != State::idle) return;
    if (const std::optional<ErrorLine> error = parse_sure_error(text)) {
      open(line, place);
      take_error(line, *error);
    }
  }

  /// Ends what is open; the results are complete then.
  void close() {
    if (state_ == State::idle) return;
    state_ = State::idle;
    if (current_.frames.empty() && !header_) {
      errors.push_back({place_, std::move(current_)});
    } else if (!current_.frames.empty() || !current_.exception_type.empty()) {
      tracebacks.push_back({place_, std::move(current_)});
    }
    current_ = {};
  }

  std::vector<Placed> tracebacks;
  std::vector<Placed> errors;

 private:
  enum class State { idle, frames, message };

  void open(const LogLine& line, std::size_t place) {
    close();
    state_ = State::frames;
    current_ = {};
    current_.rank = line.rank;
    current_.chain = std::exchange(next_chain_, Chain::none);
    place_ = place;
    header_ = trim(line.text).ends_with("last):");
    frame_indent_ = indent_of(line.text);
    want_code_ = false;
    strangers_ = 0;
  }

  void take_error(LogLine& line, const ErrorLine& error) {
    current_.exception_type = error.type;
    current_.message = error.message;
    message_indent_ = indent_of(line.text);
    state_ = State::message;
    held_ = {};
    line.kind = LineKind::error;
  }

  /// False where the traceback has ended before this line.
  bool read_in_frames(LogLine& line, std::string_view text) {
    const std::size_t indent = indent_of(line.text);
    const bool indented = indent > frame_indent_;
    const bool no_indent = frame_indent_ == 0;  // Pasting lost it.
    if (text.starts_with("```")) {
      close();
      return false;
    }
    if (is_caret_line(text) || text.starts_with("[Previous line repeated")) {
      line.kind = LineKind::structure;
      return true;
    }
    const std::optional<ErrorLine> error = parse_error(text);
    if (error && !indented && !text.empty() &&
        (is_exception_name(error->type) ||
         (may_be_exception(error->type) && strangers_ == 0 && !(no_indent && want_code_)))) {
      take_error(line, *error);
      return true;
    }
    if (!text.empty() && !current_.frames.empty() && (indented || (no_indent && want_code_))) {
      if (want_code_) current_.frames.back().code = text;
      want_code_ = false;
      line.kind = LineKind::code;
      return true;
    }
    if (++strangers_ <= k_most_strangers) return true;
    close();
    return false;
  }

  /// Indented lines go on with the message, and one that is not when an indented one follows it.
  bool read_in_message(LogLine& line, std::string_view text) {
    if (text.empty() || text.starts_with("```")) {
      close();
      return false;
    }
    const bool indented = indent_of(line.text) > message_indent_;
    if (!indented && !current_.message.empty()) {
      if (!held_.empty() || parse_sure_error(text)) {
        close();
        return false;
      }
      held_ = line.text;
      return true;
    }
    if (!held_.empty()) add_to_message(std::exchange(held_, {}));
    add_to_message(line.text);
    line.kind = LineKind::error;
    return true;
  }

  void add_to_message(std::string_view text) {
    text = text.substr(std::min(message_indent_, indent_of(text)));
    if (current_.message.size() + text.size() > k_longest_message) return;
    if (!current_.message.empty()) current_.message += '\n';
    current_.message += text.substr(0, text.find_last_not_of(" \t") + 1);
  }

  State state_ = State::idle;
  Traceback current_;
  Chain next_chain_ = Chain::none;
  std::size_t place_ = 0;
  bool header_ = false;
  std::size_t frame_indent_ = 0;
  std::size_t message_indent_ = 0;
  bool want_code_ = false;
  int strangers_ = 0;
  std::string_view held_;  ///< A line that belongs to the message if the next one is indented.
};

/// Where the message of an error inside a sentence ends.
std::size_t message_end(std::string_view text, char opened_by) {
  // Python's own messages end with a quoted name; what follows is the user's.
  constexpr std::array<std::string_view, 5> k_before_last_name = {
      "has no attribute '", "unexpected keyword argument '", "required positional argument: '",
      "No module named '", "cannot import name '"};
  std::size_t end = text.size();
  for (const std::string_view before : k_before_last_name) {
    const std::size_t at = text.find(before);
    if (at == std::string_view::npos) continue;
    const std::size_t quote = text.find('\'', at + before.size());
    if (quote != std::string_view::npos) end = std::min(end, quote + 1);
  }
  if (opened_by != '\0') end = std::min(end, text.find(opened_by));
  for (std::size_t at = text.find(". "); at < end; at = text.find(". ", at + 1)) {
    const std::size_t next = text.find_first_not_of(' ', at + 2);
    if (next != std::string_view::npos && is_upper(text[next])) end = at;
  }
  std::string_view message = text.substr(0, end);
  while (message.ends_with('.') || message.ends_with(' ') || message.ends_with('`')) {
    message.remove_suffix(1);
  }
  return message.size();
}

/// `... fails with AttributeError: 'X' object has no attribute 'y' in f ...`
void find_in_sentence(const LogLine& line, std::size_t place, std::vector<Placed>& errors,
                      std::vector<Placed>& mentions) {
  const std::string_view text = line.text;
  for (std::size_t at = 0; at < text.size();) {
    if (!is_word(text[at])) {
      ++at;
      continue;
    }
    std::size_t end = at;
    while (end < text.size() && (is_word(text[end]) || (text[end] == '.' && end + 1 < text.size() &&
                                                        is_word(text[end + 1])))) {
      ++end;
    }
    const std::string_view type = text.substr(at, end - at);
    const std::string_view before = trim(text.substr(at > 8 ? at - 8 : 0, at > 8 ? 8 : at));
    const char opened = at > 0 ? text[at - 1] : ' ';
    at = end;
    if (type.size() > k_longest_type || !is_exception_name(type) || opened == '/') continue;
    if (before.ends_with("except") || before.ends_with("raise") ||
        text.substr(end).starts_with("("))
      continue;
    std::string_view rest = text.substr(end);
    if (rest.starts_with("`")) rest.remove_prefix(1);
    Traceback error;
    error.exception_type = type;
    error.rank = line.rank;
    const bool quoted = rest.starts_with(" '") || rest.starts_with(" \"");
    if (rest.starts_with(": ") || quoted) {
      rest = rest.substr(quoted ? 1 : 2).substr(0, k_longest_message);
      char closer = '\0';
      if (opened == '(') closer = ')';
      if (opened == '`') closer = '`';
      const std::size_t length = quoted ? std::min(rest.find(rest.front(), 1), rest.size() - 1) + 1
                                        : message_end(rest, closer);
      error.message = trim(rest.substr(0, length));
      errors.push_back({place, std::move(error)});
      at = static_cast<std::size_t>(rest.data() - text.data()) + length;
    } else {
      mentions.push_back({place, std::move(error)});
    }
  }
}

std::vector<Traceback> in_order(std::vector<Placed>& found) {
  std::stable_sort(found.begin(), found.end(),
                   [](const Placed& a, const Placed& b) { return a.place < b.place; });
  std::vector<Traceback> result;
  result.reserve(found.size());
  for (Placed& placed : found) result.push_back(std::move(placed.traceback));
  return result;
}

std::vector<Traceback> unique_errors(std::vector<Traceback> errors) {
  std::set<std::pair<std::string, std::string>> seen;
  std::vector<Traceback> result;
  for (Traceback& error : errors) {
    if (seen.emplace(error.exception_type, error.message).second)
      result.push_back(std::move(error));
  }
  return result;
}

}  // namespace

FoundTracebacks find_tracebacks(std::vector<LogLine>& lines) {
  std::unordered_map<std::string, Stream> streams;  // Never iterated for results without a sort.
  const std::string* name_before = nullptr;
  Stream* stream_before = nullptr;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    // Neighbours mostly come from the same process.
    if (name_before == nullptr || *name_before != lines[i].stream) {
      name_before = &lines[i].stream;
      stream_before = &streams[lines[i].stream];
    }
    stream_before->read(lines[i], i);
  }
  std::vector<Placed> tracebacks;
  std::vector<Placed> errors;
  std::vector<Placed> mentions;
  for (auto& [name, stream] : streams) {
    stream.close();
    std::move(stream.tracebacks.begin(), stream.tracebacks.end(), std::back_inserter(tracebacks));
    std::move(stream.errors.begin(), stream.errors.end(), std::back_inserter(errors));
  }
  for (std::size_t i = 0; i < lines.size(); ++i) {
    if (lines[i].kind == LineKind::prose) find_in_sentence(lines[i], i, errors, mentions);
  }
  FoundTracebacks found;
  found.tracebacks = in_order(tracebacks);
  found.errors = unique_errors(in_order(errors));
  // "It raises a TypeError" is all that some reports say.
  if (found.errors.empty()) found.errors = unique_errors(in_order(mentions));
  return found;
}

}  // namespace tenline
