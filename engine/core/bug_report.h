#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace tenline {

/// One line `File "x.py", line 3, in f` of a traceback.
struct Frame {
  std::string file;      ///< As printed.
  int line = 0;          ///< From 1; 0 where unknown.
  std::string function;  ///< As printed: `f`, `Class.f`, `<module>`.
  std::string code;      ///< The source line below it, trimmed; may be empty.
};

/// How a traceback hangs together with the one printed before it.
enum class Chain { none, cause, context };

/// One Python traceback, outermost frame first.
struct Traceback {
  std::vector<Frame> frames;
  std::string exception_type;  ///< `RuntimeError`, `torch.cuda.OutOfMemoryError`; may be empty.
  std::string message;         ///< May have several lines.
  Chain chain = Chain::none;
  int rank = -1;  ///< The rank whose prefix the lines carried; -1 where there was none.
};

/// What an issue says, as facts; everything in it is untrusted text.
struct BugReport {
  std::string text;                   ///< The issue, valid UTF-8.
  std::vector<Traceback> tracebacks;  ///< In the order of the text.
  std::vector<Traceback> errors;      ///< `Type: message` lines outside tracebacks, without frames.
  std::vector<std::string> names;     ///< Identifiers and dotted names of code, by first place.
  std::vector<std::string> words;     ///< Lower-case words of prose and identifiers, with repeats.
  std::vector<std::string> literals;  ///< Quoted strings and numbers, as Python source.

  [[nodiscard]] bool empty() const {
    return tracebacks.empty() && errors.empty() && names.empty() && words.empty();
  }
  /// The exception that the issue is about: the last of the last traceback, else the last error
  /// line; null where there is none.
  [[nodiscard]] const Traceback* main_error() const {
    if (!tracebacks.empty()) return &tracebacks.back();
    return errors.empty() ? nullptr : &errors.back();
  }
};

}  // namespace tenline
