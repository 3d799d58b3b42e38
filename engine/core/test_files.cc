#include "engine/core/test_files.h"

#include <algorithm>

#include "engine/base/text.h"

namespace tenline {

bool is_test_file(std::string_view path) {
  const std::string_view name = path.substr(path.rfind('/') + 1);
  return name.ends_with(".py") && (name.starts_with("test_") || name.ends_with("_test.py"));
}

bool belongs_to_tests(std::string_view path) {
  const std::vector<std::string_view> parts = split(path, '/');
  return is_test_file(path) || parts.back() == "conftest.py" ||
         std::any_of(parts.begin(), parts.end() - 1,
                     [](std::string_view folder) { return folder == "test" || folder == "tests"; });
}

}  // namespace tenline
