#pragma once

#include <string>
#include <string_view>

#include "engine/core/ports.h"

/// What the text that a run printed says.
namespace tenline {

/// The last line that looks like an exception (`Type: message`), first in the standard error, then
/// in the standard output; else the last line that is not blank. At most 300 bytes of valid UTF-8.
[[nodiscard]] std::string last_error(const ProcessOutput& output);

/// The same in one text; empty where there is no such line.
[[nodiscard]] std::string last_error_line(std::string_view text);

/// The same in a test's report by pytest; else its first line that is marked as the error.
[[nodiscard]] std::string test_error_line(std::string_view report);

/// The module that an import did not find, if this is such an error line; else empty.
[[nodiscard]] std::string missing_module(std::string_view error_line);

/// True if the error line says that a GPU, or more of them, would be needed.
[[nodiscard]] bool needs_gpus(std::string_view error_line);

/// True if the error is of a file that does not parse.
[[nodiscard]] bool is_syntax_error(std::string_view error_line);

/// True if the standard error ends with the traceback of an exception that nothing caught.
[[nodiscard]] bool ends_with_uncaught_exception(const ProcessOutput& output);

/// How it ended, for people: "exit 2", "signal 11", "time limit of 60 s".
[[nodiscard]] std::string end_of(const ProcessOutput& output, const ProcessLimits& limits);

/// One line of valid UTF-8, with blanks for control characters, at most `limit` bytes.
[[nodiscard]] std::string one_line(std::string_view text, std::size_t limit = 300);

}  // namespace tenline
