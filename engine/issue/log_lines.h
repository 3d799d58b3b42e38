#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace tenline {

/// What a line of an issue turned out to be.
enum class LineKind {
  prose,      ///< Anything that no other kind fits.
  structure,  ///< Headers, carets and joints of tracebacks.
  frame,      ///< `File "x.py", line 3, in f`.
  code,       ///< The source line below a frame.
  error,      ///< `Type: message` and the lines of the message.
};

/// A line of an issue without what quoting, loggers and launchers put before it.
struct LogLine {
  std::string_view text;    ///< Its indentation is kept.
  std::string stream = {};  ///< Lines of one process have the same; empty without a prefix.
  int rank = -1;            ///< The rank in the prefix; -1 where there was none.
  LineKind kind = LineKind::prose;
};

/// The lines of `text`, which must outlive them. Knows `> `, times, levels, `[rank3]:`,
/// `(worker pid=7)`, and learns others (`node1: `) from what stands before `File "..."`.
[[nodiscard]] std::vector<LogLine> read_log_lines(std::string_view text);

}  // namespace tenline
