#include "engine/platform/git_workspace.h"

#include <fcntl.h>
#include <sys/wait.h>

#include <algorithm>
#include <csignal>
#include <set>
#include <thread>

#include "tests/platform/git_fixture.h"

namespace tenline {
namespace {

TEST_F(GitWorkspaceTest, GivesTheBaseRevision) {
  commit({{"b.py", "b\n"}, {"a/c.py", "c\r\n"}, {"a/\xff.bin", std::string("\0\xfe", 2)}});
  spit(user + "/b.py", "changed and not committed\n");
  const auto workspace = open();
  EXPECT_EQ(workspace->revision(), git("rev-parse HEAD"));
  EXPECT_EQ(workspace->files(), (std::vector<std::string>{"a/c.py", "a/\xff.bin", "b.py"}));
  EXPECT_EQ(workspace->read("b.py").value(), "b\n");
  EXPECT_EQ(workspace->read("a").error().code, ErrorCode::not_found);
  EXPECT_EQ(workspace->read("../x").error().code, ErrorCode::not_found);
  const std::string folder = workspace->worktree(0).value();
  EXPECT_EQ(folder, run + "/worktrees/0");
  EXPECT_EQ(texts_in(folder),
            (std::map<std::string, std::string>{
                {"a/c.py", "c\r\n"}, {"a/\xff.bin", std::string("\0\xfe", 2)}, {"b.py", "b\n"}}));
  EXPECT_TRUE(workspace->left_out().empty());
}

TEST_F(GitWorkspaceTest, KeepsExecutableBitsAndLinks) {
  spit(user + "/run.sh", "#!/bin/sh\n");
  fs::permissions(user + "/run.sh", fs::perms::owner_all);
  fs::create_directories(user + "/d");
  fs::create_symlink("../run.sh", user + "/d/link");
  commit({{"x", "x"}});
  const auto workspace = open();
  const std::string folder = workspace->worktree(0).value();
  EXPECT_EQ(workspace->files(), (std::vector<std::string>{"run.sh", "x"}));
  EXPECT_EQ(access((folder + "/run.sh").c_str(), X_OK), 0);
  EXPECT_EQ(fs::read_symlink(folder + "/d/link"), "../run.sh");
  EXPECT_EQ(git_in(folder, "status --porcelain"), "");
}

TEST_F(GitWorkspaceTest, AllFilesHaveTheTimeOfTheCommit) {
  commit({{"a.py", "a"}, {"d/b.py", "b"}});
  const auto workspace = open();
  for (const int slot : {0, 1}) {
    const std::string folder = workspace->worktree(slot).value();
    EXPECT_EQ(time_of(folder + "/a.py"), 1600000000);
    EXPECT_EQ(time_of(folder + "/d/b.py"), 1600000000);
  }
}

TEST_F(GitWorkspaceTest, ACommitTimeThatNoFileCanHaveIsClamped) {
  const git_oid tree = raw_tree({{"100644", "a", raw_object("a", GIT_OBJECT_BLOB)}});
  const std::string id = git::to_hex(raw_object(
      fmt::format("tree {}\nauthor a <a@b> 0 +0000\ncommitter a <a@b> 99999999999 +0000\n\nx\n",
                  git::to_hex(tree)),
      GIT_OBJECT_COMMIT));
  const auto workspace = open(id);
  EXPECT_EQ(time_of(workspace->worktree(0).value() + "/a"), 2'130'000'000);
}

TEST_F(GitWorkspaceTest, PutReplacesAndRestores) {
  commit({{"a.py", "a\n"}, {"d/b.py", "b\n"}});
  const auto workspace = open();
  const std::string folder = workspace->worktree(0).value();
  const auto base = texts_in(folder);
  ASSERT_TRUE(workspace->put(0, {{"a.py", "patched\n"}, {"d/e/new.py", "new\n"}}).has_value());
  EXPECT_EQ(texts_in(folder),
            (std::map<std::string, std::string>{
                {"a.py", "patched\n"}, {"d/b.py", "b\n"}, {"d/e/new.py", "new\n"}}));
  ASSERT_TRUE(workspace->put(0, {{"d/b.py", "other\n"}}).has_value());
  EXPECT_EQ(texts_in(folder),
            (std::map<std::string, std::string>{{"a.py", "a\n"}, {"d/b.py", "other\n"}}));
  EXPECT_FALSE(fs::exists(folder + "/d/e"));
  ASSERT_TRUE(workspace->put(0, {}).has_value());
  EXPECT_EQ(texts_in(folder), base);
  EXPECT_EQ(time_of(folder + "/a.py"), 1600000000);
  EXPECT_EQ(time_of(folder + "/d/b.py"), 1600000000);
  EXPECT_EQ(git_in(folder, "status --porcelain"), "");
}

TEST_F(GitWorkspaceTest, SwapDoesWhatPutDoesWhereNothingElseWrote) {
  commit({{"a.py", "a\n"}, {"d/b.py", "b\n"}, {"d/c.py", "c\n"}});
  const auto workspace = open();
  const std::string folder = workspace->worktree(0).value();
  const auto base = texts_in(folder);
  std::set<std::int64_t> times = {1600000000};
  ASSERT_TRUE(workspace->swap(0, {{"a.py", "1\n"}, {"d/b.py", "2\n"}}).has_value());
  EXPECT_TRUE(times.insert(time_of(folder + "/a.py")).second);
  ASSERT_TRUE(workspace->swap(0, {{"d/b.py", "3\n"}}).has_value());
  EXPECT_TRUE(times.insert(time_of(folder + "/d/b.py")).second);
  EXPECT_EQ(texts_in(folder), (std::map<std::string, std::string>{
                                  {"a.py", "a\n"}, {"d/b.py", "3\n"}, {"d/c.py", "c\n"}}));
  EXPECT_EQ(time_of(folder + "/a.py"), 1600000000);
  ASSERT_TRUE(workspace->swap(0, {{"new.py", "n\n"}}).has_value());
  EXPECT_EQ(texts_in(folder).size(), 4U);
  ASSERT_TRUE(workspace->swap(0, {}).has_value());
  EXPECT_EQ(texts_in(folder), base);
  EXPECT_EQ(git_in(folder, "status --porcelain"), "");
  EXPECT_FALSE(workspace->swap(0, {{"../evil", "x"}}).has_value());
  EXPECT_EQ(texts_in(folder), base);
}

TEST_F(GitWorkspaceTest, APutAfterASwapTrustsNothing) {
  commit({{"a.py", "a\n"}, {"d/b.py", "b\n"}});
  const auto workspace = open();
  const std::string folder = workspace->worktree(0).value();
  const auto base = texts_in(folder);
  ASSERT_TRUE(workspace->swap(0, {{"a.py", "1\n"}}).has_value());
  spit(folder + "/d/b.py", "left\n");
  spit(folder + "/left.py", "left\n");
  ASSERT_TRUE(workspace->put(0, {}).has_value());
  EXPECT_EQ(texts_in(folder), base);
}

TEST_F(GitWorkspaceTest, EveryPutHasATimeOfItsOwnAlsoAfterARestart) {
  commit({{"a.py", "a\n"}});
  std::set<std::int64_t> times = {1600000000};
  for (int process = 0; process < 3; ++process) {
    const auto workspace = open();
    const std::string folder = workspace->worktree(0).value();
    for (int i = 0; i < 3; ++i) {
      ASSERT_TRUE(workspace->put(0, {{"a.py", "x\n"}}).has_value());
      EXPECT_TRUE(times.insert(time_of(folder + "/a.py")).second);
    }
  }
}

TEST_F(GitWorkspaceTest, APatchedFileKeepsItsExecutableBit) {
  spit(user + "/run.py", "1\n");
  fs::permissions(user + "/run.py", fs::perms::owner_all);
  commit({});
  const auto workspace = open();
  const std::string file = workspace->worktree(0).value() + "/run.py";
  ASSERT_TRUE(workspace->put(0, {{"run.py", "2\n"}}).has_value());
  EXPECT_EQ(access(file.c_str(), X_OK), 0);
}

TEST_F(GitWorkspaceTest, FilesBelongToTheOwnerOfTheWorktree) {
  commit({{"a.py", "a\n"}, {"d/b.py", "b\n"}});
  const auto workspace = open();
  const std::string folder = workspace->worktree(0).value();
  const uid_t owner = geteuid() == 0 ? 61184 : geteuid();  // As the sandbox does for its user.
  ASSERT_EQ(chown(folder.c_str(), owner, static_cast<gid_t>(-1)), 0);
  fs::remove_all(folder + "/d");
  ASSERT_TRUE(workspace->put(0, {{"a.py", "patched\n"}, {"new/c.py", "c\n"}}).has_value());
  for (const char* path : {"a.py", "d", "d/b.py", "new", "new/c.py"}) {
    struct stat now{};
    ASSERT_EQ(lstat((folder + "/" + path).c_str(), &now), 0);
    EXPECT_EQ(now.st_uid, owner) << path;
  }
}

TEST_F(GitWorkspaceTest, PutRefusesHostilePathsAndChangesNothing) {
  fs::create_symlink("d", user + "/link");
  commit({{"a.py", "a\n"}, {"d/b.py", "b\n"}});
  const auto workspace = open();
  const auto base = snapshot(workspace->worktree(0).value());
  for (const char* path : {"../evil", "/tmp/evil", ".git", ".GIT/config", "d/../../evil", "link",
                           "link/b.py", "a.py/x", "d", "", "d/__pycache__/b.cpython-311.pyc"}) {
    const Result<void> put = workspace->put(0, {{path, "evil"}, {"a.py", "patched"}});
    ASSERT_FALSE(put.has_value()) << path;
    EXPECT_EQ(put.error().code, ErrorCode::invalid_input) << path;
  }
  EXPECT_FALSE(workspace->put(0, {{"n", "1"}, {"n/m", "2"}}).has_value());
  EXPECT_EQ(snapshot(workspace->worktree(0).value()), base);
}

TEST_F(GitWorkspaceTest, PutUndoesWhateverACandidateDid) {
  commit({{"a.py", "a\n"}, {"d/b.py", "b\n"}, {"d/c.py", "c\n"}, {"e/f.py", "f\n"}});
  const auto workspace = open();
  const std::string folder = workspace->worktree(0).value();
  const auto base = texts_in(folder);
  const std::string victim = user + "/victim";
  fs::create_directories(victim);
  spit(victim + "/b.py", "mine\n");

  spit(folder + "/a.py", "A\n");  // A text of the same size,
  fs::last_write_time(folder + "/a.py", fs::last_write_time(folder + "/d/b.py"));  // and time.
  fs::remove_all(folder + "/d");
  fs::create_symlink(victim, folder + "/d");  // A folder that is a link now.
  fs::remove_all(folder + "/e");
  spit(folder + "/e", "a file\n");                // A folder that is a file now.
  fs::create_directories(folder + "/build/x/y");  // New folders, one without any rights.
  spit(folder + "/build/x/y/z", "z");
  fs::permissions(folder + "/build/x", fs::perms::none);
  ASSERT_EQ(mkfifo((folder + "/pipe").c_str(), 0600), 0);
  fs::remove(folder + "/.git");
  spit(folder + "/.git", "gitdir: /tmp/evil\n");  // The pointer to git's folder.

  ASSERT_TRUE(workspace->put(0, {{"d/b.py", "patched\n"}}).has_value());
  auto expected = base;
  expected["d/b.py"] = "patched\n";
  EXPECT_EQ(texts_in(folder), expected);
  EXPECT_EQ(slurp(victim + "/b.py"), "mine\n");
  EXPECT_EQ(git_in(folder, "rev-parse HEAD"), workspace->revision());
  ASSERT_TRUE(workspace->put(0, {}).has_value());
  EXPECT_EQ(texts_in(folder), base);
}

TEST_F(GitWorkspaceTest, PutReplacesAFolderOrPipeInThePlaceOfAFile) {
  commit({{"a.py", "a\n"}, {"b.py", "b\n"}, {"c.py", "c\n"}});
  const auto workspace = open();
  const std::string folder = workspace->worktree(0).value();
  const auto base = texts_in(folder);
  for (const char* name : {"a.py", "b.py", "c.py"}) fs::remove(folder + "/" + name);
  spit(folder + "/a.py/x", "x");
  spit(folder + "/b.py/x", "x");
  ASSERT_EQ(mkfifo((folder + "/c.py").c_str(), 0600), 0);
  ASSERT_TRUE(workspace->put(0, {{"a.py", "patched\n"}}).has_value());
  EXPECT_EQ(slurp(folder + "/a.py"), "patched\n");
  ASSERT_TRUE(workspace->put(0, {}).has_value());
  EXPECT_EQ(texts_in(folder), base);
}

TEST_F(GitWorkspaceTest, RemovesVeryDeepFolders) {
  commit({{"a.py", "a\n"}});
  const auto workspace = open();
  const std::string folder = workspace->worktree(0).value();
  int current = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY);
  for (int depth = 0; depth < 1200; ++depth) {
    ASSERT_EQ(mkdirat(current, "deep", 0755), 0);
    const int next = openat(current, "deep", O_RDONLY | O_DIRECTORY);
    close(current);
    current = next;
  }
  close(current);
  ASSERT_TRUE(workspace->put(0, {}).has_value());
  EXPECT_FALSE(fs::exists(folder + "/deep"));
}

TEST_F(GitWorkspaceTest, ByteCodeOfTheBaseIsKeptAndThatOfCandidatesRemoved) {
  commit({{"a.py", "a\n"}, {"b.py", "b\n"}});
  const auto workspace = open();
  const std::string cache = workspace->worktree(0).value() + "/__pycache__";
  spit(cache + "/a.cpython-311.pyc", "base a");
  spit(cache + "/b.cpython-311.pyc", "base b");
  spit(cache + "/notes.txt", "not byte code");
  usleep(50'000);  // A file that is younger than the clock's grain is not trusted.
  ASSERT_TRUE(workspace->put(0, {{"a.py", "patched\n"}}).has_value());
  EXPECT_FALSE(fs::exists(cache + "/a.cpython-311.pyc"));  // Of the patched file.
  EXPECT_EQ(slurp(cache + "/b.cpython-311.pyc"), "base b");
  EXPECT_FALSE(fs::exists(cache + "/notes.txt"));

  spit(cache + "/a.cpython-311.pyc", "patched a");
  spit(cache + "/c.cpython-311.pyc", "new");
  ASSERT_TRUE(workspace->put(0, {{"a.py", "again\n"}}).has_value());
  EXPECT_FALSE(fs::exists(cache + "/a.cpython-311.pyc"));
  EXPECT_FALSE(fs::exists(cache + "/c.cpython-311.pyc"));
  EXPECT_EQ(slurp(cache + "/b.cpython-311.pyc"), "base b");

  spit(cache + "/b.cpython-311.pyc", "poison");
  ASSERT_TRUE(workspace->put(0, {}).has_value());
  EXPECT_FALSE(fs::exists(cache + "/b.cpython-311.pyc"));
}

TEST_F(GitWorkspaceTest, PythonNeverRunsTheByteCodeOfAnotherPut) {
  commit({{"m.py", "x = 0\n"}});
  const auto workspace = open();
  const std::string folder = workspace->worktree(0).value();
  for (const int value : {1, 2, 3, 0, 4}) {
    const FileTexts texts =
        value == 0 ? FileTexts{} : FileTexts{{"m.py", fmt::format("x = {}\n", value)}};
    ASSERT_TRUE(workspace->put(0, texts).has_value());
    const std::string command = fmt::format(
        "cd '{}' && PYTHONPYCACHEPREFIX='{}/cache' python3 -c 'import m; exit(m.x)'", folder, run);
    EXPECT_EQ(WEXITSTATUS(std::system(command.c_str())), value);
  }
}

TEST_F(GitWorkspaceTest, LeavesTheUsersRepositoryUntouched) {
  commit({{"a.py", "a\n"}, {"d/b.py", "b\n"}});
  git("gc -q");
  commit({{"c.py", "c\n"}});
  spit(user + "/a.py", "uncommitted\n");
  spit(user + "/untracked", "u");
  git("stash -q && git stash apply -q");
  const auto before = snapshot(user);
  {
    const auto workspace = open();
    EXPECT_TRUE(workspace->dirty());
    ASSERT_TRUE(workspace->put(0, {{"a.py", "x"}}).has_value());
    ASSERT_TRUE(workspace->put(1, {{"d/b.py", "y"}}).has_value());
    EXPECT_EQ(snapshot(user), before);
    ASSERT_TRUE(workspace->remove_worktrees().has_value());
  }
  ASSERT_NE(open(), nullptr);
  EXPECT_EQ(snapshot(user), before);
}

TEST_F(GitWorkspaceTest, AKilledProcessLeavesTheUsersRepositoryAndTheRunUsable) {
  std::map<std::string, std::string> texts;
  for (int i = 0; i < 300; ++i) texts[fmt::format("d{}/f{}.py", i % 7, i)] = fmt::format("{}\n", i);
  commit(texts);
  const auto before = snapshot(user);
  for (const useconds_t delay : {3'000U, 10'000U, 20'000U, 40'000U, 80'000U, 160'000U}) {
    const pid_t child = fork();
    if (child == 0) {
      auto workspace = open_workspace({.repository = user, .revision = "HEAD", .folder = run});
      for (int i = 0; workspace; ++i) {
        const Result<void> put = (*workspace)->put(i % 2, {{"d0/f0.py", std::to_string(i)}});
        if (!put) _exit(1);
      }
      _exit(2);
    }
    usleep(delay);
    kill(child, SIGKILL);
    int status = 0;
    waitpid(child, &status, 0);
    EXPECT_TRUE(WIFSIGNALED(status)) << WEXITSTATUS(status);
    EXPECT_EQ(snapshot(user), before);
    const auto workspace = open();
    for (const int slot : {0, 1}) {
      const std::string folder = workspace->worktree(slot).value();
      EXPECT_EQ(texts_in(folder), texts);
      EXPECT_EQ(time_of(folder + "/d0/f0.py"), 1600000000);
      EXPECT_EQ(git_in(folder, "status --porcelain"), "");
    }
  }
}

TEST_F(GitWorkspaceTest, ARunKeepsItsBaseRevision) {
  commit({{"a.py", "1\n"}});
  const std::string base = open()->revision();
  commit({{"a.py", "2\n"}});
  const auto workspace = open();
  EXPECT_EQ(workspace->revision(), base);
  EXPECT_EQ(slurp(workspace->worktree(0).value() + "/a.py"), "1\n");
}

TEST_F(GitWorkspaceTest, TwoSlotsWorkFromTwoThreads) {
  std::map<std::string, std::string> texts;
  for (int i = 0; i < 50; ++i) texts[fmt::format("f{}.py", i)] = fmt::format("{}\n", i);
  commit(texts);
  const auto workspace = open();
  const auto work = [&](int slot) {
    for (int i = 0; i < 20; ++i) {
      const std::string name = fmt::format("f{}.py", i);
      ASSERT_TRUE(workspace->put(slot, {{name, fmt::format("slot {}", slot)}}).has_value());
      auto expected = texts;
      expected[name] = fmt::format("slot {}", slot);
      ASSERT_EQ(texts_in(workspace->worktree(slot).value()), expected);
      ASSERT_EQ(workspace->read(name).value(), texts[name]);
    }
  };
  std::thread first(work, 0);
  std::thread second(work, 1);
  first.join();
  second.join();
}

TEST_F(GitWorkspaceTest, SlotsCanBeMadeByManyThreadsAtOnce) {
  commit({{"a.py", "a\n"}});
  const auto workspace = open();
  std::vector<std::thread> threads;
  threads.reserve(8);
  for (int slot = 0; slot < 8; ++slot) {
    threads.emplace_back([&workspace, slot] {
      const Result<std::string> made = workspace->worktree(slot);
      ASSERT_TRUE(made.has_value()) << made.error().message;
      EXPECT_EQ(slurp(*made + "/a.py"), "a\n");
    });
  }
  for (std::thread& thread : threads) thread.join();
}

TEST_F(GitWorkspaceTest, RemoveWorktreesLeavesNoneAndTheyCanBeMadeAgain) {
  commit({{"a.py", "a\n"}});
  ASSERT_TRUE(open()->worktree(3).has_value());
  const auto workspace = open();
  ASSERT_TRUE(workspace->worktree(0).has_value());
  ASSERT_TRUE(workspace->remove_worktrees().has_value());
  EXPECT_FALSE(fs::exists(run + "/worktrees"));
  EXPECT_EQ(git_in(run + "/repo.git", "worktree list | wc -l"), "1");
  EXPECT_TRUE(workspace->worktree(0).has_value());
  EXPECT_TRUE(workspace->remove_worktrees().has_value());
  EXPECT_TRUE(workspace->remove_worktrees().has_value());
}

}  // namespace
}  // namespace tenline
