#include "oracles/imports.h"

#include <gtest/gtest.h>

#include "tests/fakes.h"

namespace tenline {
namespace {

using Names = std::set<std::string>;
using Paths = std::vector<std::string>;

TEST(ImportedModulesTest, FindsEveryFormOfImport) {
  EXPECT_EQ(imported_modules("import a.b, c as d  # e\n"), (Names{"a.b", "c"}));
  EXPECT_EQ(imported_modules("from a.b import c as d, e\n"), (Names{"a.b", "a.b.c", "a.b.e"}));
  EXPECT_EQ(imported_modules("from a import (\n  b,  # , x\n  c as d,\n)\nimport e\n"),
            (Names{"a", "a.b", "a.c", "e"}));
  EXPECT_EQ(imported_modules("def f():\n\timport a\n    from b import *\n"), (Names{"a", "b"}));
  EXPECT_EQ(imported_modules("from . import a\nfrom .b import c\n"), Names{});
  EXPECT_EQ(imported_modules("important = 1\nfromage = 2\nx = 'from a import b'\n"), Names{});
}

TEST(ImportedModulesTest, SurvivesUnfinishedText) {
  for (const std::string_view text :
       {"", "import", "import ", "from", "from ", "from a", "from a import", "from a import (",
        "from a import (b,", "import a.b.", "from import x", "\n\n", "import ,,"}) {
    EXPECT_LE(imported_modules(text).size(), 3U) << text;
  }
}

TEST(TestImportsTest, FindsTestsOfAModuleClosestNameFirst) {
  const MemoryWorkspace workspace({
      {"pkg/module.py", ""},
      {"pkg/other.py", ""},
      {"tests/test_all.py", "from pkg import module, other\n"},
      {"tests/test_module.py", "import pkg.module\n"},
      {"tests/module_test.py", "from pkg.module import f\n"},
      {"tests/test_other.py", "from pkg.other import f\n"},
      {"tests/helper.py", "import pkg.module\n"},
      {"tests/test_data.txt", "import pkg.module\n"},
  });
  const TestImports imports(workspace);
  const Paths tests = imports.tests_of({"pkg/module.py"});
  ASSERT_EQ(tests.size(), 3U);
  EXPECT_EQ(tests.back(), "tests/test_all.py");
  EXPECT_EQ(imports.tests_of({"pkg/nothing.py"}), Paths{});
  EXPECT_EQ(imports.tests_of({"README.md"}), Paths{});
  EXPECT_EQ(imports.tests_of({"tests/test_other.py"}), Paths{"tests/test_other.py"});
}

}  // namespace
}  // namespace tenline
