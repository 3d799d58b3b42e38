// Which repositories a workspace can be opened on, and what of them it leaves out.

#include "engine/platform/git_workspace.h"
#include "tests/platform/git_fixture.h"

namespace tenline {
namespace {

class GitSourceTest : public GitWorkspaceTest {};

TEST_F(GitSourceTest, AMissingObjectIsLeftOutAndListed) {
  commit({{"a.py", "a\n"}, {"big.gif", "GIF"}});
  const std::string id = git("rev-parse HEAD:big.gif");
  fs::remove(user + "/.git/objects/" + id.substr(0, 2) + "/" + id.substr(2));
  const auto workspace = open();
  EXPECT_EQ(workspace->left_out(),
            std::vector<std::string>{
                fmt::format("big.gif: missing object {} (partial clone)", id.substr(0, 8))});
  EXPECT_EQ(workspace->files(), std::vector<std::string>{"a.py"});
  const std::string folder = workspace->worktree(0).value();
  EXPECT_EQ(texts_in(folder), (std::map<std::string, std::string>{{"a.py", "a\n"}}));
  EXPECT_EQ(workspace->read("big.gif").error().code, ErrorCode::not_found);
  EXPECT_TRUE(workspace->put(0, {{"a.py", "b\n"}}).has_value());
}

TEST_F(GitSourceTest, AMissingFolderIsLeftOutAndAMissingTreeIsAnError) {
  commit({{"a.py", "a\n"}, {"d/b.py", "b\n"}});
  const std::string folder = git("rev-parse HEAD:d");
  const std::string root = git("rev-parse HEAD^{tree}");
  fs::remove(user + "/.git/objects/" + folder.substr(0, 2) + "/" + folder.substr(2));
  const auto workspace = open();
  ASSERT_EQ(workspace->left_out().size(), 1U);
  EXPECT_TRUE(workspace->left_out()[0].starts_with("d/: missing object"));
  EXPECT_TRUE(workspace->worktree(0).has_value());
  fs::remove(user + "/.git/objects/" + root.substr(0, 2) + "/" + root.substr(2));
  EXPECT_EQ(error_of(user).code, ErrorCode::not_found);
}

TEST_F(GitSourceTest, PartialClonesWork) {
  commit({{"a.py", "a\n"}, {"big.bin", std::string(100'000, 'x')}});
  git("config uploadpack.allowfilter true");
  git("clone -q --no-checkout --filter=blob:limit=1k 'file://" + user + "' ../partial");
  const auto workspace = open_at(user + "/../partial");
  ASSERT_EQ(workspace->left_out().size(), 1U);
  EXPECT_TRUE(workspace->left_out()[0].starts_with("big.bin: missing object"));
  EXPECT_EQ(slurp(workspace->worktree(0).value() + "/a.py"), "a\n");
}

TEST_F(GitSourceTest, ShallowClonesWork) {
  commit({{"a.py", "1\n"}});
  commit({{"a.py", "2\n"}});
  git("clone -q --depth 1 'file://" + user + "' ../shallow");
  const auto workspace = open_at(user + "/../shallow");
  const std::string folder = workspace->worktree(0).value();
  EXPECT_EQ(slurp(folder + "/a.py"), "2\n");
  EXPECT_EQ(git_in(folder, "log --format=%s"), "change");
}

TEST_F(GitSourceTest, AlternatesOfTheUserAreHonoured) {
  commit({{"a.py", "a\n"}});
  git("clone -q --shared . ../second && git -C ../second -c user.name=x -c user.email=x commit -q "
      "--allow-empty -m x "
      "&& git clone -q --shared ../second ../third");
  const auto workspace = open_at(user + "/../third");
  EXPECT_EQ(slurp(workspace->worktree(0).value() + "/a.py"), "a\n");
  EXPECT_EQ(workspace->git_folders().size(), 4U);
}

TEST_F(GitSourceTest, RelativeAlternatesAreHonoured) {
  commit({{"a.py", "a\n"}});
  git("clone -q --shared . ../second");
  spit(user + "/../second/.git/objects/info/alternates", "../../../user/.git/objects\n# x\n\n");
  const auto workspace = open_at(user + "/../second");
  EXPECT_EQ(slurp(workspace->worktree(0).value() + "/a.py"), "a\n");
}

TEST_F(GitSourceTest, ASubmoduleIsAnEmptyFolderAndListed) {
  commit({{"a.py", "a\n"}});
  git("update-index --add --cacheinfo 160000,1234567890123456789012345678901234567890,third/y");
  git("commit -q -m submodule");
  const auto workspace = open();
  EXPECT_EQ(workspace->left_out(), std::vector<std::string>{"third/y: submodule, not checked out"});
  const std::string folder = workspace->worktree(0).value();
  EXPECT_TRUE(fs::is_directory(folder + "/third/y"));
  EXPECT_TRUE(fs::is_empty(folder + "/third/y"));
  EXPECT_EQ(git_in(folder, "status --porcelain"), "");
  EXPECT_FALSE(workspace->dirty());
}

TEST_F(GitSourceTest, LinksThatLeaveTheRepositoryAreLeftOut) {
  fs::create_symlink("/etc/passwd", user + "/absolute");
  fs::create_symlink("../outside", user + "/up");
  fs::create_symlink("a.py", user + "/good");
  commit({{"a.py", "a\n"}});
  const auto workspace = open();
  EXPECT_EQ(workspace->left_out(),
            (std::vector<std::string>{"absolute: link that leaves the repository",
                                      "up: link that leaves the repository"}));
  EXPECT_EQ(texts_in(workspace->worktree(0).value()),
            (std::map<std::string, std::string>{{"a.py", "a\n"}, {"good", "-> a.py"}}));
}

TEST_F(GitSourceTest, HostileTreesWriteNothingOutside) {
  commit({{"a.py", "a\n"}});
  const git_oid evil = raw_object("evil", GIT_OBJECT_BLOB);
  const git_oid target = raw_object(user, GIT_OBJECT_BLOB);
  const git_oid config = raw_tree({{"100644", "config", evil}});
  const std::string id = raw_commit(raw_tree({
      {"100644", "..", evil},
      {"40000", ".GIT", config},
      {"40000", ".git", config},
      {"100644", "a/b", evil},
      {"120000", "dir", target},
      {"40000", "dir", config},
      {"100644", "good", evil},
      {"120000", "good", raw_object("/tmp", GIT_OBJECT_BLOB)},
      {"100644", "../../x", evil},
  }));
  const auto before = snapshot(user);
  const auto workspace = open(id);
  const std::string folder = workspace->worktree(0).value();
  EXPECT_EQ(workspace->files(), (std::vector<std::string>{"dir/config", "good"}));
  EXPECT_EQ(texts_in(folder),
            (std::map<std::string, std::string>{{"dir/config", "evil"}, {"good", "evil"}}));
  EXPECT_EQ(workspace->left_out().size(), 7U);
  EXPECT_EQ(git_in(folder, "rev-parse HEAD"), id);
  EXPECT_EQ(snapshot(user), before);
}

TEST_F(GitSourceTest, ATreeThatGrowsWithoutBoundIsRefused) {
  git_oid tree = raw_tree({{"100644", "f", raw_object("", GIT_OBJECT_BLOB)}});
  for (int level = 0; level < 12; ++level) {
    std::vector<RawEntry> entries;
    for (const char* name : {"0", "1", "2", "3", "4", "5", "6", "7", "8", "9"}) {
      entries.push_back({"40000", name, tree});
    }
    tree = raw_tree(entries);
  }
  EXPECT_EQ(error_of(user, raw_commit(tree)).code, ErrorCode::limit);
}

TEST_F(GitSourceTest, HostileConfigurationHasNoEffect) {
  spit(user + "/.gitattributes", "*.py filter=evil text eol=crlf ident\n");
  commit({{"a.py", "a $Id$\n"}});
  const std::string evil = "touch " + user + "/../evil";
  git("config core.fsmonitor '" + evil + "' && git config filter.evil.smudge '" + evil + "'");
  git("config core.hooksPath ../hooks && git config core.worktree /nowhere");
  git("config extensions.unknown true && git config core.repositoryformatversion 1");
  spit(user + "/.git/config",
       slurp(user + "/.git/config") + "[include]\n\tpath = /dev/zero\n[broken");
  spit(user + "/../hooks/post-checkout", "#!/bin/sh\n" + evil + "\n");
  fs::permissions(user + "/../hooks/post-checkout", fs::perms::owner_all);
  const auto workspace = open();
  EXPECT_EQ(slurp(workspace->worktree(0).value() + "/a.py"), "a $Id$\n");
  EXPECT_FALSE(workspace->dirty());
  EXPECT_FALSE(fs::exists(user + "/../evil"));
}

TEST_F(GitSourceTest, SubfoldersAndLinkedWorktreesAndBareRepositoriesWork) {
  commit({{"a.py", "a\n"}, {"d/b.py", "b\n"}});
  git("worktree add -q ../linked && git clone -q --bare . ../bare.git");
  commit({{"a.py", "newer\n"}});
  for (const auto& [path, text] : std::map<std::string, std::string>{
           {"user/d", "newer\n"}, {"linked", "a\n"}, {"linked/d", "a\n"}, {"bare.git", "a\n"}}) {
    const std::string repository = user + "/../" + path;
    fs::remove_all(run);
    fs::create_directories(run);
    const auto before = snapshot(user);
    const auto workspace = open_at(repository);
    EXPECT_EQ(slurp(workspace->worktree(0).value() + "/a.py"), text) << path;
    EXPECT_FALSE(workspace->dirty()) << path;
    EXPECT_EQ(snapshot(user), before);
  }
}

TEST_F(GitSourceTest, AMirrorWithoutConfigurationWorks) {
  commit({{"a.py", "a\n"}});
  git("clone -q --mirror . ../mirror && rm -r ../mirror/config ../mirror/hooks ../mirror/info");
  const auto workspace = open_at(user + "/../mirror");
  EXPECT_EQ(slurp(workspace->worktree(0).value() + "/a.py"), "a\n");
}

TEST_F(GitSourceTest, RevisionsAreNamedAsInGit) {
  commit({{"a.py", "1\n"}});
  git("tag old && git tag -a -m x annotated && git branch side");
  const std::string first = git("rev-parse HEAD");
  commit({{"a.py", "2\n"}});
  for (const std::string& revision :
       {std::string("old"), std::string("annotated"), std::string("side"), std::string("HEAD~1"),
        std::string("main^"), first, first.substr(0, 10), std::string("refs/heads/side")}) {
    fs::remove_all(run);
    fs::create_directories(run);
    EXPECT_EQ(open(revision)->revision(), first) << revision;
  }
}

TEST_F(GitSourceTest, DirtyMeansTrackedChanges) {
  commit({{"a.py", "a\n"}, {"d/b.py", "b\n"}});
  const auto workspace = open();
  EXPECT_FALSE(workspace->dirty());
  spit(user + "/untracked", "x");
  EXPECT_FALSE(workspace->dirty());
  spit(user + "/a.py", "a\n");  // Written again with the same text.
  EXPECT_FALSE(workspace->dirty());
  spit(user + "/a.py", "b\n");
  EXPECT_TRUE(workspace->dirty());
  git("add a.py");
  EXPECT_TRUE(workspace->dirty());
  git("reset -q --hard");
  EXPECT_FALSE(workspace->dirty());
  fs::remove(user + "/d/b.py");
  EXPECT_TRUE(workspace->dirty());
  git("reset -q --hard");
  fs::rename(user + "/d", user + "/e");
  fs::create_symlink("e", user + "/d");
  EXPECT_TRUE(workspace->dirty());
}

TEST_F(GitSourceTest, BadInputGetsOneClearLine) {
  EXPECT_EQ(error_of(user).message, "no commits in " + user);
  EXPECT_EQ(error_of(user).code, ErrorCode::not_found);
  commit({{"a.py", "a\n"}});
  EXPECT_EQ(error_of(user, "nothing\nhere").message, "no revision nothing here in " + user);
  EXPECT_EQ(error_of(user, "nothing").code, ErrorCode::not_found);
  EXPECT_EQ(error_of(user, "HEAD:a.py").code, ErrorCode::invalid_input);
  EXPECT_EQ(error_of(user, std::string(40, '1')).code, ErrorCode::not_found);
  EXPECT_EQ(error_of(user, "").code, ErrorCode::not_found);
  EXPECT_EQ(error_of(user + "/missing").message, "no such folder: " + user + "/missing");
  EXPECT_EQ(error_of(user + "/missing").code, ErrorCode::not_found);
  EXPECT_EQ(error_of(user + "/a.py").code, ErrorCode::invalid_input);
  EXPECT_EQ(error_of(run).message, "not a git repository: " + run);
  EXPECT_EQ(error_of(run).code, ErrorCode::invalid_input);
  spit(run + "/linked/.git", "gitdir: /nowhere/else\n");
  EXPECT_EQ(error_of(run + "/linked").code, ErrorCode::invalid_input);
  EXPECT_EQ(
      open_workspace({.repository = user, .revision = "HEAD", .folder = run + "/no"}).error().code,
      ErrorCode::not_found);
  EXPECT_FALSE(fs::exists(run + "/repo.git"));
}

}  // namespace
}  // namespace tenline
