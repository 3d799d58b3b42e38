#pragma once

#include <algorithm>
#include <map>
#include <string>
#include <vector>

namespace tenline {

/// What one variable or attribute held in a frame of the failing run.
struct SeenValue {
  std::string type;  ///< Name of the Python type: `NoneType`, `list`, `Tensor`.
  long length = -1;  ///< `len()` of builtin containers and strings, else -1.
  std::string repr;  ///< Short repr of None, bool, int, float, str; else empty.
};

/// A function of the repository that the failing run executed.
struct ExecutedFunction {
  std::string file;    ///< Path in the repository.
  std::string name;    ///< Qualified: `Class.method`, `f`, `f.<locals>.g`, `<module>`.
  int first_line = 0;  ///< Of `def` or the first decorator.
  int depth = 0;       ///< Calls between the reproduction and it; 1 is called by it directly.
  int calls = 0;
  int last_event = 0;      ///< Order of its last executed line; larger is nearer to the end.
  std::vector<int> lines;  ///< Executed lines, sorted.
};

/// A frame of the repository that an exception passed through.
struct FailureFrame {
  std::string file;  ///< Path in the repository.
  int line = 0;
  std::string function;                     ///< Qualified name.
  std::map<std::string, SeenValue> values;  ///< Locals, and attributes as `self.name`.
};

/// An exception seen in the failing run, whether or not it was caught later.
struct FailureException {
  std::string type;
  std::string message;
  std::vector<FailureFrame> frames;  ///< Of the repository only, outermost first.
  bool escaped = false;              ///< It left the repository's code.
};

/// What one traced run of the failing check showed.
struct FailureTrace {
  std::vector<ExecutedFunction> functions;   ///< Sorted by file and line.
  std::vector<FailureException> exceptions;  ///< In order; the last that escaped is the failure.
  std::vector<std::string> files;            ///< Repository files that were imported, sorted.

  /// The exception that made the check fail; null where the check failed by a wrong result.
  [[nodiscard]] const FailureException* main_exception() const {
    const auto left = [](const FailureException& raised) {
      return raised.escaped && !raised.frames.empty();
    };
    const auto it = std::find_if(exceptions.rbegin(), exceptions.rend(), left);
    return it == exceptions.rend() ? nullptr : &*it;
  }
};

}  // namespace tenline
