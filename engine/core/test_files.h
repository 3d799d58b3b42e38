#pragma once

#include <string_view>

namespace tenline {

/// True for a Python file that pytest collects: `test_x.py`, `x_test.py`.
[[nodiscard]] bool is_test_file(std::string_view path);

/// True for files that belong to tests: those, `conftest.py`, and all below a folder `test` or
/// `tests`. They say what is right and are never repaired.
[[nodiscard]] bool belongs_to_tests(std::string_view path);

}  // namespace tenline
