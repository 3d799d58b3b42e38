#pragma once

#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "engine/core/ports.h"
#include "engine/core/test_files.h"

namespace tenline {

/// All modules that a text may import: of `from a.b import c`, both `a.b` and `a.b.c`. Found by
/// lines; relative imports are left out.
[[nodiscard]] std::set<std::string> imported_modules(std::string_view text);

/// Which test files of the base revision import a module. Reads each test file once.
class TestImports {
 public:
  explicit TestImports(const Workspace& workspace);
  /// The test files that import one of these files' modules, closest name first.
  [[nodiscard]] std::vector<std::string> tests_of(const std::vector<std::string>& files) const;

 private:
  std::vector<std::pair<std::string, std::set<std::string>>> imports_;
};

}  // namespace tenline
