#pragma once

#include <cstddef>
#include <string_view>

#include "engine/base/result.h"
#include "engine/core/bug_report.h"

namespace tenline {

/// Larger issues are refused; no one reads more than a megabyte of log.
inline constexpr std::size_t k_max_issue_bytes = std::size_t{1} << 20U;

/// Reads an issue text or log: tracebacks, error lines, names, words and literals. Takes linear
/// time on any bytes; invalid UTF-8 is repaired. Fails with `limit` on a text over
/// k_max_issue_bytes and with `invalid_input` on a blank or binary one.
[[nodiscard]] Result<BugReport> read_issue(std::string_view text);

}  // namespace tenline
