#include "engine/platform/git_patch.h"
#include "tests/platform/git_fixture.h"

namespace tenline {
namespace {

class GitApplyTest : public GitTest {
 protected:
  void SetUp() override {
    GitTest::SetUp();
    commit({{"a.py", "1\n2\n3\n"}, {"d/b.py", "b\n"}});
    diff = unified_diff({{"a.py", "1\n2\n3\n"}}, {{"a.py", "1\ntwo\n3\n"}}).value();
  }

  Error refusal(const ApplyOptions& options) {
    const auto before = texts_in(user);
    const std::string refs = git("show-ref --head");
    const Result<void> applied = apply_patch(options);
    EXPECT_FALSE(applied.has_value());
    EXPECT_EQ(texts_in(user), before);
    EXPECT_EQ(git("show-ref --head"), refs);
    return applied ? Error{} : applied.error();
  }

  [[nodiscard]] ApplyOptions plain(const std::string& patch) const {
    return {.repository = user, .patch = patch, .branch = "", .message = ""};
  }
  [[nodiscard]] ApplyOptions branch(const std::string& name) const {
    return {.repository = user, .patch = diff, .branch = name, .message = "engine: Fix it\n"};
  }

  std::string diff;
};

TEST_F(GitApplyTest, ChangesOnlyTheFiles) {
  const std::string objects = git("count-objects");
  const Result<void> applied = apply_patch(plain(diff));
  ASSERT_TRUE(applied.has_value()) << applied.error().message;
  EXPECT_EQ(slurp(user + "/a.py"), "1\ntwo\n3\n");
  EXPECT_EQ(git("status --porcelain"), " M a.py");
  EXPECT_EQ(git("rev-list --count HEAD"), "1");
  EXPECT_EQ(git("count-objects"), objects);
}

TEST_F(GitApplyTest, MakesAndDeletesFiles) {
  const std::string patch = unified_diff({{"d/b.py", "b\n"}}, {{"e/f/new.py", "n\n"}}).value();
  const Result<void> applied = apply_patch(plain(patch));
  ASSERT_TRUE(applied.has_value()) << applied.error().message;
  EXPECT_EQ(texts_in(user),
            (std::map<std::string, std::string>{{"a.py", "1\n2\n3\n"}, {"e/f/new.py", "n\n"}}));
}

TEST_F(GitApplyTest, CommitsOnANewBranch) {
  const std::string main = git("rev-parse main");
  spit(user + "/untracked", "u");
  const Result<void> applied = apply_patch(branch("fix/it"));
  ASSERT_TRUE(applied.has_value()) << applied.error().message;
  EXPECT_EQ(git("symbolic-ref HEAD"), "refs/heads/fix/it");
  EXPECT_EQ(git("rev-parse main"), main);
  EXPECT_EQ(git("rev-parse HEAD~1"), main);
  EXPECT_EQ(git("log -1 --format='%an|%ae|%cn|%s'"), "Jo Doe|jo@example.org|Jo Doe|engine: Fix it");
  EXPECT_EQ(git("status --porcelain"), "?? untracked");
  EXPECT_EQ(git("show --format= --name-status HEAD"), "M\ta.py");
  EXPECT_EQ(slurp(user + "/a.py"), "1\ntwo\n3\n");
  EXPECT_EQ(git("fsck --strict"), "");
}

TEST_F(GitApplyTest, WorksInSubfoldersAndLinkedWorktreesAndOnADetachedHead) {
  git("worktree add -q --detach ../linked");
  ApplyOptions options = branch("one");
  options.repository = user + "/../linked/d";
  Result<void> applied = apply_patch(options);
  ASSERT_TRUE(applied.has_value()) << applied.error().message;
  EXPECT_EQ(slurp(user + "/../linked/a.py"), "1\ntwo\n3\n");
  EXPECT_EQ(git_in(user + "/../linked", "symbolic-ref HEAD"), "refs/heads/one");
  EXPECT_EQ(git("symbolic-ref HEAD"), "refs/heads/main");
  EXPECT_EQ(slurp(user + "/a.py"), "1\n2\n3\n");
  options = plain(diff);
  options.repository = user + "/d";
  ASSERT_TRUE(apply_patch(options).has_value());
  EXPECT_EQ(slurp(user + "/a.py"), "1\ntwo\n3\n");
}

TEST_F(GitApplyTest, KeepsExecutableBits) {
  spit(user + "/run.sh", "1\n");
  fs::permissions(user + "/run.sh", fs::perms::owner_all);
  commit({});
  diff = unified_diff({{"run.sh", "1\n"}}, {{"run.sh", "2\n"}}).value();
  ASSERT_TRUE(apply_patch(branch("fix")).has_value());
  EXPECT_EQ(access((user + "/run.sh").c_str(), X_OK), 0);
  EXPECT_EQ(git("status --porcelain"), "");
  EXPECT_TRUE(git("ls-tree HEAD run.sh").starts_with("100755"));
}

TEST_F(GitApplyTest, MissingObjectsAndSubmodulesDoNotMatter) {
  commit({{"big.gif", "GIF"}, {"d/big.gif", "GIF2"}});
  git("update-index --add --cacheinfo 160000,1234567890123456789012345678901234567890,third/y");
  git("commit -q -m submodule && mkdir -p third/y");
  for (const char* name : {"HEAD:big.gif", "HEAD:d/big.gif"}) {
    const std::string id = git(std::string("rev-parse ") + name);
    fs::remove(user + "/.git/objects/" + id.substr(0, 2) + "/" + id.substr(2));
  }
  const Result<void> applied = apply_patch(branch("fix"));
  ASSERT_TRUE(applied.has_value()) << applied.error().message;
  EXPECT_EQ(git("ls-tree -r --name-only HEAD"), "a.py\nbig.gif\nd/b.py\nd/big.gif\nthird/y");
  git("reset -q --hard HEAD~1");
  EXPECT_TRUE(apply_patch(plain(diff)).has_value());
}

TEST_F(GitApplyTest, RunsNoHooksAndNoFilters) {
  const std::string evil = "touch " + user + "/../evil";
  for (const char* hook : {"pre-commit", "post-commit", "post-checkout", "commit-msg",
                           "reference-transaction", "pre-applypatch"}) {
    spit(user + "/.git/hooks/" + hook, "#!/bin/sh\n" + evil + "\n");
    fs::permissions(user + "/.git/hooks/" + hook, fs::perms::owner_all);
  }
  git("config filter.evil.smudge '" + evil + "' && git config filter.evil.clean '" + evil + "'");
  git("config core.fsmonitor '" + evil + "'");
  spit(user + "/.git/info/attributes", "*.py filter=evil\n");
  ASSERT_TRUE(apply_patch(branch("fix")).has_value());
  EXPECT_FALSE(fs::exists(user + "/../evil"));
}

TEST_F(GitApplyTest, RefusesChangesInTrackedFiles) {
  spit(user + "/d/b.py", "uncommitted\n");
  const Error error = refusal(plain(diff));
  EXPECT_EQ(error.code, ErrorCode::invalid_input);
  EXPECT_EQ(error.message, user + " has uncommitted changes; commit or stash them first");
  refusal(branch("fix"));
  git("add -A");
  refusal(branch("fix"));
}

TEST_F(GitApplyTest, RefusesAPatchThatDoesNotApply) {
  const std::string other = unified_diff({{"a.py", "x\ny\nz\n"}}, {{"a.py", "x\nY\nz\n"}}).value();
  const Error error = refusal(plain(other));
  EXPECT_EQ(error.code, ErrorCode::invalid_input);
  EXPECT_TRUE(error.message.starts_with("the patch does not apply")) << error.message;
  refusal(plain(unified_diff({{"none.py", "x\n"}}, {{"none.py", "y\n"}}).value()));
  refusal(plain(unified_diff({}, {{"a.py", "y\n"}}).value()));
  refusal(plain(unified_diff({{"none.py", "y\n"}}, {}).value()));
}

TEST_F(GitApplyTest, RefusesToOverwriteAnUntrackedFile) {
  spit(user + "/new.py", "precious\n");
  const std::string patch = unified_diff({}, {{"new.py", "n\n"}}).value();
  EXPECT_EQ(refusal(plain(patch)).code, ErrorCode::invalid_input);
}

TEST_F(GitApplyTest, RefusesWhatIsNoChangeOfTexts) {
  const auto patch = [](std::string_view path, std::string_view extra) {
    return fmt::format("diff --git a/{0} b/{0}\n{1}--- /dev/null\n+++ b/{0}\n@@ -0,0 +1 @@\n+x\n",
                       path, extra);
  };
  for (const std::string& text :
       {std::string(), std::string("hello\n"), std::string("\0\xff", 2), diff.substr(0, 100),
        patch("../evil", "new file mode 100644\n"), patch(".git/hooks/x", "new file mode 100755\n"),
        patch("link", "new file mode 120000\n"), patch("sub", "new file mode 160000\n"),
        std::string("diff --git a/a.py b/a.py\nold mode 100644\nnew mode 100755\n"),
        std::string("diff --git a/a.py b/c.py\nsimilarity index 100%\nrename from a.py\n"
                    "rename to c.py\n")}) {
    EXPECT_EQ(refusal(plain(text)).code, ErrorCode::invalid_input) << text;
  }
  EXPECT_FALSE(fs::exists(user + "/../evil"));
  EXPECT_EQ(refusal(plain(std::string(20U << 20U, 'x'))).code, ErrorCode::limit);
}

TEST_F(GitApplyTest, RefusesBranchesThatExistOrHaveNoGoodName) {
  git("branch taken");
  EXPECT_EQ(refusal(branch("taken")).message, "branch taken exists already");
  for (const char* name : {"HEAD", "-x", "a..b", "a b", "x.lock", "/x"}) {
    EXPECT_EQ(refusal(branch(name)).code, ErrorCode::invalid_input) << name;
  }
}

TEST_F(GitApplyTest, RefusesBareRepositoriesAndThoseInAMerge) {
  git("clone -q --bare . ../bare.git");
  ApplyOptions options = plain(diff);
  options.repository = user + "/../bare.git";
  EXPECT_EQ(refusal(options).code, ErrorCode::invalid_input);
  spit(user + "/.git/MERGE_HEAD", git("rev-parse HEAD") + "\n");
  EXPECT_EQ(refusal(plain(diff)).code, ErrorCode::invalid_input);
}

}  // namespace
}  // namespace tenline
