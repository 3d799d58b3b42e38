#pragma once

#include <vector>

#include "engine/core/bug_report.h"
#include "engine/issue/log_lines.h"

namespace tenline {

/// Collects the names, words and literals of the lines, whose kinds are known, into the report.
void collect_mentions(const std::vector<LogLine>& lines, BugReport& report);

}  // namespace tenline
