#include "oracles/files.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include "tests/fakes.h"

namespace tenline {
namespace {

TEST(UntrustedFileTest, ReadsARegularFileUpToItsLimit) {
  const TemporaryFolder folder;
  const std::string file = folder.write("x", std::string(100'000, 'a'));
  EXPECT_EQ(read_untrusted_file(file, 100'000).value().size(), 100'000U);
  EXPECT_EQ(read_untrusted_file(file, 99'999).error().code, ErrorCode::limit);
  EXPECT_EQ(read_untrusted_file(folder.path() + "/y", 10).error().code, ErrorCode::not_found);
}

TEST(UntrustedFileTest, FollowsNoLinkAndWaitsForNoPipe) {
  const TemporaryFolder folder;
  folder.write("secret", "s");
  std::filesystem::create_symlink(folder.path() + "/secret", folder.path() + "/link");
  ASSERT_EQ(::mkfifo((folder.path() + "/pipe").c_str(), 0600), 0);
  EXPECT_FALSE(read_untrusted_file(folder.path() + "/link", 10));
  EXPECT_FALSE(read_untrusted_file(folder.path() + "/pipe", 10));
  EXPECT_FALSE(read_untrusted_file(folder.path(), 10));
}

TEST(DropFolderTest, IsEmptyAndForEveryUser) {
  const TemporaryFolder folder;
  const std::string drop = folder.path() + "/a/drop";
  ASSERT_TRUE(make_drop_folder(drop));
  folder.write("a/drop/old", "x");
  ASSERT_TRUE(make_drop_folder(drop));
  EXPECT_TRUE(std::filesystem::is_empty(drop));
  EXPECT_EQ(std::filesystem::status(drop).permissions(), std::filesystem::perms::all);
}

TEST(DropFolderTest, ReplacesALinkAndLeavesItsTargetAlone) {
  const TemporaryFolder folder;
  folder.write("target/keep", "x");
  std::filesystem::create_symlink(folder.path() + "/target", folder.path() + "/drop");
  ASSERT_TRUE(make_drop_folder(folder.path() + "/drop"));
  EXPECT_FALSE(std::filesystem::is_symlink(folder.path() + "/drop"));
  EXPECT_TRUE(std::filesystem::exists(folder.path() + "/target/keep"));
}

TEST(WriteFileTest, SaysWhatCouldNotBeWritten) {
  const TemporaryFolder folder;
  folder.write("file", "x");
  const Result<void> written = write_file(folder.path() + "/file/below", "y");
  ASSERT_FALSE(written);
  EXPECT_NE(written.error().message.find("below"), std::string::npos);
}

}  // namespace
}  // namespace tenline
