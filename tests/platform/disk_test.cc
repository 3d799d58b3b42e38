#include "engine/platform/disk.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include <atomic>
#include <filesystem>
#include <thread>

namespace tenline {
namespace {

namespace fs = std::filesystem;

class DiskTest : public testing::Test {
 protected:
  std::string at(const std::string& name) { return folder_.path() + "/" + name; }
  TemporaryFolder folder_ = *TemporaryFolder::make("tenline-disk-test");
};

TEST_F(DiskTest, ReadsBackWhatItWrote) {
  const std::string text("a\0\xff\n", 4);
  ASSERT_TRUE(write_file_durably(at("f"), text));
  EXPECT_EQ(*read_file(at("f")), text);
  ASSERT_TRUE(write_file_durably(at("f"), ""));
  EXPECT_EQ(*read_file(at("f")), "");
  EXPECT_EQ(std::distance(fs::directory_iterator(folder_.path()), fs::directory_iterator()), 1);
}

TEST_F(DiskTest, RefusesAFileThatIsTooLarge) {
  ASSERT_TRUE(write_file_durably(at("f"), "12345"));
  EXPECT_TRUE(read_file(at("f"), 5));
  const Result<std::string> large = read_file(at("f"), 4);
  ASSERT_FALSE(large);
  EXPECT_EQ(large.error().code, ErrorCode::limit);
  EXPECT_NE(large.error().message.find("larger than 4 bytes"), std::string::npos);
}

TEST_F(DiskTest, NamesWhatCannotBeRead) {
  EXPECT_EQ(read_file(at("none")).error().code, ErrorCode::not_found);
  EXPECT_NE(read_file(at("none")).error().message.find(at("none")), std::string::npos);
  EXPECT_EQ(read_file(folder_.path()).error().code, ErrorCode::invalid_input);
  ASSERT_EQ(::mkfifo(at("pipe").c_str(), 0600), 0);
  EXPECT_EQ(read_file(at("pipe")).error().code, ErrorCode::limit);
  EXPECT_EQ(read_file("/dev/zero").error().code, ErrorCode::limit);
}

TEST_F(DiskTest, SaysThatTheDiskIsFull) {
  const UniqueFd full(::open("/dev/full", O_WRONLY | O_CLOEXEC));
  ASSERT_LT(::write(full.get(), "x", 1), 0);
  EXPECT_EQ(fail_errno("write f").value().message, "cannot write f: the disk is full");
}

TEST_F(DiskTest, KeepsTheOldTextWhenWritingFails) {
  ASSERT_TRUE(make_folders(at("folder")));
  ASSERT_FALSE(write_file_durably(at("folder"), "text"));
  ASSERT_FALSE(write_file_durably(at("none/f"), "text"));
  EXPECT_TRUE(fs::is_directory(at("folder")));
  EXPECT_EQ(std::distance(fs::directory_iterator(folder_.path()), fs::directory_iterator()), 1);
}

TEST_F(DiskTest, WritesOfManyThreadsDoNotMix) {
  const auto many = [&](char letter) {
    for (int i = 0; i < 20; ++i) {
      EXPECT_TRUE(write_file_durably(at("f"), std::string(5000, letter)));
    }
  };
  std::thread other(many, 'a');
  many('b');
  other.join();
  const std::string text = *read_file(at("f"));
  EXPECT_EQ(text, std::string(5000, text.front()));
}

TEST_F(DiskTest, RemovesFoldersWithoutRightsAndFollowsNoLink) {
  ASSERT_TRUE(make_folders(at("keep")));
  ASSERT_TRUE(write_file_durably(at("keep/f"), "text"));
  ASSERT_TRUE(make_folders(at("gone/deep/er/and")));
  ASSERT_TRUE(write_file_durably(at("gone/deep/er/f"), "text"));
  fs::create_symlink(at("keep"), at("gone/deep/er/link"));
  ASSERT_EQ(::chmod(at("gone/deep/er").c_str(), 0), 0);
  fs::create_symlink(at("keep"), at("gone/deep/link"));
  ASSERT_EQ(::chmod(at("gone/deep").c_str(), 0), 0);
  ASSERT_TRUE(remove_tree(at("gone")));
  EXPECT_FALSE(fs::exists(at("gone")));
  EXPECT_EQ(*read_file(at("keep/f")), "text");
  EXPECT_TRUE(remove_tree(at("gone")));
  fs::create_symlink(at("keep"), at("link"));
  ASSERT_TRUE(remove_tree(at("link")));
  EXPECT_EQ(*read_file(at("keep/f")), "text");
}

TEST_F(DiskTest, RemovesATreeDeeperThanAPath) {
  const std::string name = "a-folder-in-a-folder";
  UniqueFd here(::open(folder_.path().c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  ASSERT_TRUE(here);
  for (int i = 0; i < 500; ++i) {
    ASSERT_EQ(::mkdirat(here.get(), name.c_str(), 0700), 0);
    here.reset(::openat(here.get(), name.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    ASSERT_TRUE(here);
  }
  const Result<void> removed = remove_tree(at(name));
  ASSERT_TRUE(removed) << removed.error().message;
  EXPECT_FALSE(fs::exists(at(name)));
}

TEST_F(DiskTest, CopiesTextAndPermissions) {
  ASSERT_TRUE(write_file_durably(at("a"), "text"));
  ASSERT_EQ(::chmod(at("a").c_str(), 0750), 0);
  ASSERT_TRUE(copy_file(at("a"), at("b")));
  ASSERT_TRUE(copy_file(at("a"), at("b")));
  EXPECT_EQ(*read_file(at("b")), "text");
  EXPECT_EQ(fs::status(at("b")).permissions(),
            fs::perms::owner_all | fs::perms::group_read | fs::perms::group_exec);
  EXPECT_EQ(copy_file(at("none"), at("c")).error().code, ErrorCode::not_found);
}

TEST_F(DiskTest, FindsPrograms) {
  EXPECT_EQ(*find_program("sh", "relative:/nowhere:/bin"), "/bin/sh");
  EXPECT_EQ(*find_program("/bin/sh", ""), "/bin/sh");
  EXPECT_EQ(*find_program("./sh", "", "/bin"), "/bin/sh");
  EXPECT_TRUE(find_program("sh"));
  for (const char* none : {"", "no-such-program", "/etc/passwd", "/etc", "./sh"}) {
    EXPECT_EQ(find_program(none, "/bin").error().code, ErrorCode::not_found) << none;
  }
}

TEST_F(DiskTest, ALockKeepsOthersOut) {
  {
    const Result<FileLock> held = FileLock::acquire(at("lock"));
    ASSERT_TRUE(held);
    EXPECT_EQ(FileLock::try_acquire(at("lock")).error().code, ErrorCode::unavailable);
  }
  EXPECT_TRUE(FileLock::try_acquire(at("lock")));
  EXPECT_EQ(FileLock::acquire(at("none/lock")).error().code, ErrorCode::not_found);
}

TEST_F(DiskTest, ALockHoldsBetweenThreads) {
  std::atomic<int> inside = 0;
  const auto many = [&] {
    for (int i = 0; i < 100; ++i) {
      const Result<FileLock> held = FileLock::acquire(at("lock"));
      ASSERT_TRUE(held);
      EXPECT_EQ(++inside, 1);
      --inside;
    }
  };
  std::thread other(many);
  many();
  other.join();
}

TEST_F(DiskTest, ALockEndsWithItsProcess) {
  const pid_t other = ::fork();
  if (other == 0) {
    const Result<FileLock> held = FileLock::acquire(at("lock"));
    ::_exit(held ? 0 : 1);
  }
  int status = 0;
  ::waitpid(other, &status, 0);
  EXPECT_EQ(status, 0);
  EXPECT_TRUE(FileLock::try_acquire(at("lock")));
}

}  // namespace
}  // namespace tenline
