#include "engine/platform/git_path.h"

#include <gtest/gtest.h>

#include <string>

namespace tenline::git {
namespace {

TEST(GitPathTest, AcceptsOrdinaryPaths) {
  for (const char* path : {"a", "a/b.py", ".github/x.yml", ".gitignore", "a/.gitmodules", "git",
                           "x.git", "a b/c", "\xff\xfe.txt", "..a", "a..", "git~2", ".gitx"}) {
    EXPECT_TRUE(is_safe_path(path)) << path;
  }
}

TEST(GitPathTest, RefusesPathsThatLeaveTheWorktreeOrNameDotGit) {
  for (const char* path : {"",
                           "/",
                           "/etc/passwd",
                           "..",
                           "../x",
                           "a/../b",
                           "a/..",
                           ".",
                           "./a",
                           "a/./b",
                           "a//b",
                           "a/",
                           ".git",
                           ".git/config",
                           "a/.git",
                           ".GIT/x",
                           ".Git",
                           ".git ",
                           ".git.",
                           ".git. . /x",
                           "git~1",
                           "GIT~1/x",
                           ".git::$INDEX_ALLOCATION/x",
                           ".git\\x",
                           ".g\u200cit/x",
                           "\ufeff.git"}) {
    EXPECT_FALSE(is_safe_path(path)) << path;
  }
}

TEST(GitPathTest, RefusesNulAndTooLongAndTooDeepPaths) {
  EXPECT_FALSE(is_safe_path(std::string_view("a\0b", 3)));
  EXPECT_FALSE(is_safe_path(std::string(256, 'x')));
  std::string deep = "a";
  for (int i = 0; i < 200; ++i) deep += "/a";
  EXPECT_FALSE(is_safe_path(deep));
}

TEST(GitPathTest, AcceptsLinksThatStayInTheWorktree) {
  EXPECT_TRUE(is_safe_link("a", "b"));
  EXPECT_TRUE(is_safe_link("a/b", "../c/d"));
  EXPECT_TRUE(is_safe_link("a/b/c", "../../README.md"));
  EXPECT_TRUE(is_safe_link("a/b", "./c/"));
}

TEST(GitPathTest, RefusesLinksThatLeaveTheWorktree) {
  EXPECT_FALSE(is_safe_link("a", "/etc/passwd"));
  EXPECT_FALSE(is_safe_link("a", "../x"));
  EXPECT_FALSE(is_safe_link("a/b", "../../x"));
  EXPECT_FALSE(is_safe_link("a/b", "c/../../../x"));
  EXPECT_FALSE(is_safe_link("a/b", "c/.."));
  EXPECT_FALSE(is_safe_link("a", ""));
  EXPECT_FALSE(is_safe_link("a", ".git/config"));
  EXPECT_FALSE(is_safe_link("a/b", "../.GIT"));
}

}  // namespace
}  // namespace tenline::git
