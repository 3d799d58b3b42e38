#include "engine/platform/git_history.h"

#include <algorithm>
#include <thread>

#include "tests/platform/git_fixture.h"

namespace tenline {
namespace {

/// The changes as `-first,count +first,count`, as a diff writes them.
std::string changes(std::string_view before, std::string_view after) {
  const Result<std::vector<LineChange>> made = line_changes(before, after);
  if (!made) return made.error().message;
  std::string text;
  for (const LineChange& change : *made) {
    text += fmt::format("{}-{},{} +{},{}", text.empty() ? "" : "; ", change.before.first,
                        change.before.count, change.after.first, change.after.count);
  }
  return text;
}

TEST(LineChangesTest, EqualTextsHaveNone) {
  EXPECT_EQ(changes("a\nb\n", "a\nb\n"), "");
  EXPECT_EQ(changes("", ""), "");
}

TEST(LineChangesTest, ReplacedLinesAreNamedOnBothSides) {
  EXPECT_EQ(changes("a\nb\nc\n", "a\nB\nc\n"), "-2,1 +2,1");
  EXPECT_EQ(changes("a\nb\nc\nd\n", "a\nX\nY\nZ\nd\n"), "-2,2 +2,3");
}

TEST(LineChangesTest, InsertedLinesStandBehindALine) {
  EXPECT_EQ(changes("a\nb\n", "a\nx\nb\n"), "-1,0 +2,1");
  EXPECT_EQ(changes("a\nb\n", "x\ny\na\nb\n"), "-0,0 +1,2");
  EXPECT_EQ(changes("a\nb\n", "a\nb\nx\n"), "-2,0 +3,1");
}

TEST(LineChangesTest, DeletedLinesLeaveAPlaceBehindALine) {
  EXPECT_EQ(changes("a\nx\nb\n", "a\nb\n"), "-2,1 +1,0");
  EXPECT_EQ(changes("x\na\n", "a\n"), "-1,1 +0,0");
}

TEST(LineChangesTest, NeighboursAreOneChangeAndOthersAreApart) {
  EXPECT_EQ(changes("a\nb\nc\nd\ne\n", "A\nb\nc\nd\nE\n"), "-1,1 +1,1; -5,1 +5,1");
  EXPECT_EQ(changes("a\nb\nc\n", "A\nb\nC\n"), "-1,1 +1,1; -3,1 +3,1");
  EXPECT_EQ(changes("a\nb\nc\n", "A\nB\nc\n"), "-1,2 +1,2");
}

TEST(LineChangesTest, AMissingFinalLineEndIsAChangeOfTheLine) {
  EXPECT_EQ(changes("a\nb", "a\nc"), "-2,1 +2,1");
  EXPECT_EQ(changes("a\nb", "a\nb\n"), "-2,1 +2,1");
  EXPECT_EQ(changes("a\nb", "a\nb"), "");
}

TEST(LineChangesTest, AnEmptyTextIsReplacedAsAWhole) {
  EXPECT_EQ(changes("", "a\nb\n"), "-0,0 +1,2");
  EXPECT_EQ(changes("a\nb\n", ""), "-1,2 +0,0");
}

TEST(LineChangesTest, BytesThatAreNoTextAreComparedAsLines) {
  using std::string_view_literals::operator""sv;
  EXPECT_EQ(changes("a\0b\n\xff\n"sv, "a\0b\n\xfe\n"sv), "-2,1 +2,1");
  EXPECT_EQ(changes("a\r\nb\r\n", "a\r\nc\r\n"), "-2,1 +2,1");
}

class GitHistoryTest : public GitTest {
 protected:
  void SetUp() override {
    GitTest::SetUp();
    commit({{"a.py", "one\n"}, {"d/b.py", "same\n"}, {"empty.py", ""}});
    first = git("rev-parse HEAD");
    commit({{"a.py", "two\n"}, {"new.py", "same\n"}});
    second = git("rev-parse HEAD");
  }

  std::unique_ptr<GitHistory> open() {
    auto opened = GitHistory::open(user);
    EXPECT_TRUE(opened.has_value());
    return opened ? *std::move(opened) : nullptr;
  }

  /// The files of a revision with their texts.
  static std::vector<std::pair<std::string, std::string>> texts(GitHistory& history,
                                                                const std::string& revision) {
    std::vector<std::pair<std::string, std::string>> out;
    const auto files = history.files(revision);
    EXPECT_TRUE(files.has_value()) << revision;
    if (!files) return out;
    for (const GitHistory::File& file : *files) {
      out.emplace_back(file.path, history.blob(file.blob).value_or("unreadable"));
    }
    return out;
  }

  std::string first;
  std::string second;
};

using Texts = std::vector<std::pair<std::string, std::string>>;

TEST_F(GitHistoryTest, ReadsTheFilesOfBothRevisionsInTheOrderOfGit) {
  const auto history = open();
  EXPECT_EQ(texts(*history, first),
            (Texts{{"a.py", "one\n"}, {"d/b.py", "same\n"}, {"empty.py", ""}}));
  EXPECT_EQ(
      texts(*history, second),
      (Texts{{"a.py", "two\n"}, {"d/b.py", "same\n"}, {"empty.py", ""}, {"new.py", "same\n"}}));
}

TEST_F(GitHistoryTest, EqualTextsHaveEqualBlobs) {
  const auto history = open();
  const auto before = history->files(first).value();
  const auto after = history->files(second).value();
  EXPECT_NE(before[0].blob, after[0].blob);
  EXPECT_EQ(before[1].blob, after[1].blob);
  EXPECT_EQ(after[1].blob, after[3].blob);
  EXPECT_EQ(after[0].blob, git("rev-parse HEAD:a.py"));
}

TEST_F(GitHistoryTest, ReadsWhatIsCommittedAndNotTheWorktree) {
  spit(user + "/a.py", "uncommitted\n");
  spit(user + "/untracked.py", "u\n");
  const auto history = open();
  const Texts seen = texts(*history, "HEAD");
  EXPECT_EQ(seen.size(), 4U);
  EXPECT_EQ(seen[0].second, "two\n");
}

TEST_F(GitHistoryTest, LinksAndSubmodulesAreNoFiles) {
  fs::create_symlink("a.py", user + "/link.py");
  spit(user + "/run.sh", "x\n");
  fs::permissions(user + "/run.sh", fs::perms::owner_all);
  git("add -A && git update-index --add --cacheinfo "
      "160000,1234567890123456789012345678901234567890,third && git commit -q -m more");
  const auto history = open();
  std::vector<std::string> paths;
  for (const auto& [path, text] : texts(*history, "HEAD")) paths.push_back(path);
  EXPECT_EQ(paths, (std::vector<std::string>{"a.py", "d/b.py", "empty.py", "new.py", "run.sh"}));
}

TEST_F(GitHistoryTest, AMissingCommitIsNotFound) {
  const auto history = open();
  for (const std::string& revision : {std::string(40, 'a'), std::string("absent")}) {
    const auto files = history->files(revision);
    ASSERT_FALSE(files.has_value()) << revision;
    EXPECT_EQ(files.error().code, ErrorCode::not_found) << revision;
  }
}

TEST_F(GitHistoryTest, WhatIsNoCommitFails) {
  const auto history = open();
  const std::string blob = git("rev-parse HEAD:a.py");
  for (const std::string& revision : {blob, std::string(), std::string("HEAD~9"),
                                      std::string("a\nb"), std::string(100'000, '^')}) {
    EXPECT_FALSE(history->files(revision).has_value()) << revision.substr(0, 50);
  }
}

TEST_F(GitHistoryTest, AMissingBlobIsNotFound) {
  const auto history = open();
  const std::string id = history->files(second).value()[0].blob;
  fs::remove(user + "/.git/objects/" + id.substr(0, 2) + "/" + id.substr(2));
  const auto missing = open()->blob(id);
  ASSERT_FALSE(missing.has_value());
  EXPECT_EQ(missing.error().code, ErrorCode::not_found);
  EXPECT_EQ(open()->files(second).value().size(), 4U);
}

TEST_F(GitHistoryTest, WhatIsNoBlobFails) {
  const auto history = open();
  for (const std::string& id : {first, git("rev-parse HEAD:d"), std::string(), std::string("x\n"),
                                std::string(40, 'z'), std::string(100'000, 'a')}) {
    EXPECT_FALSE(history->blob(id).has_value()) << id.substr(0, 50);
  }
}

TEST_F(GitHistoryTest, AMissingFolderIsRefused) {
  const auto missing = GitHistory::open(user + "/absent");
  ASSERT_FALSE(missing.has_value());
  EXPECT_EQ(missing.error().message.find('\n'), std::string::npos);
  EXPECT_TRUE(missing.error().code == ErrorCode::not_found ||
              missing.error().code == ErrorCode::invalid_input);
}

TEST_F(GitHistoryTest, AFolderWithoutARepositoryIsRefused) {
  const auto none = GitHistory::open(run);
  ASSERT_FALSE(none.has_value());
  EXPECT_TRUE(none.error().code == ErrorCode::not_found ||
              none.error().code == ErrorCode::invalid_input);
}

TEST_F(GitHistoryTest, TheConfigurationHasNoEffect) {
  git("config core.autocrlf true && git config filter.evil.smudge 'touch " + user + "/evil'");
  spit(user + "/.git/info/attributes", "*.py filter=evil\n");
  EXPECT_EQ(texts(*open(), second)[0].second, "two\n");
  EXPECT_FALSE(fs::exists(user + "/evil"));
}

TEST_F(GitHistoryTest, SeveralThreadsReadTheSame) {
  const auto history = open();
  const Texts expected = texts(*history, second);
  std::vector<int> equal(4);
  {
    std::vector<std::jthread> threads;
    threads.reserve(equal.size());
    for (int& count : equal) {
      threads.emplace_back([&] {
        for (int i = 0; i < 50; ++i) count += texts(*history, second) == expected ? 1 : 0;
      });
    }
  }
  EXPECT_EQ(equal, std::vector<int>(4, 50));
}

}  // namespace
}  // namespace tenline
