#pragma once

#include <string_view>
#include <vector>

#include "engine/core/bug_report.h"
#include "engine/issue/log_lines.h"

namespace tenline {

struct FoundTracebacks {
  std::vector<Traceback> tracebacks;  ///< In the order of their first lines.
  std::vector<Traceback> errors;      ///< Error lines and errors in sentences, in order, unique.
};

/// Finds the tracebacks and error lines, each process's lines apart, and sets the kinds of the
/// lines.
[[nodiscard]] FoundTracebacks find_tracebacks(std::vector<LogLine>& lines);

}  // namespace tenline
