#include "engine/core/test_files.h"

#include <gtest/gtest.h>

namespace tenline {
namespace {

TEST(TestFilesTest, KnowsWhatPytestCollects) {
  EXPECT_TRUE(is_test_file("tests/unit/test_comm.py"));
  EXPECT_TRUE(is_test_file("comm_test.py"));
  EXPECT_FALSE(is_test_file("pkg/testing.py"));
  EXPECT_FALSE(is_test_file("test_data.json"));
  EXPECT_FALSE(is_test_file(""));
}

TEST(TestFilesTest, TellsTestsFromTheCodeUnderTest) {
  for (const char* path : {"tests/unit/common.py", "a/test/b.py", "pkg/conftest.py", "test_a.py"}) {
    EXPECT_TRUE(belongs_to_tests(path)) << path;
  }
  for (const char* path : {"pkg/testing/utils.py", "tests.py", "pkg/latest/a.py", "a.py", ""}) {
    EXPECT_FALSE(belongs_to_tests(path)) << path;
  }
}

}  // namespace
}  // namespace tenline
