#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "engine/base/result.h"

namespace tenline {

/// Splits a command line into words as a shell does for blanks, quotes and backslashes; nothing is
/// expanded. Fails on an open quote, and on `;`, `|`, `&`, `<`, `>`, `$` and `` ` `` outside
/// quotes.
[[nodiscard]] Result<std::vector<std::string>> split_command(std::string_view command);

/// The arguments for pytest of `pytest ...`, `py.test ...` or `python -m pytest ...`.
[[nodiscard]] Result<std::vector<std::string>> pytest_arguments(std::string_view command);

/// The files that the arguments name: `tests/x.py::test_a` gives `tests/x.py`.
[[nodiscard]] std::vector<std::string> test_files(const std::vector<std::string>& arguments);

}  // namespace tenline
