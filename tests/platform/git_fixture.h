#pragma once

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/text.h"
#include "engine/platform/disk.h"
#include "engine/platform/git_base.h"
#include "engine/platform/git_workspace.h"

namespace tenline {

namespace fs = std::filesystem;

inline std::string slurp(const std::string& path) {
  std::ifstream stream(path, std::ios::binary);
  return std::string(std::istreambuf_iterator<char>(stream), {});
}

inline void spit(const std::string& path, std::string_view text) {
  fs::create_directories(fs::path(path).parent_path());
  std::ofstream(path, std::ios::binary) << text;
}

inline std::int64_t time_of(const std::string& path) {
  struct stat now{};
  return lstat(path.c_str(), &now) == 0 ? now.st_mtime : -1;
}

/// Everything that can be seen of a folder: kinds, modes, times, texts, link targets.
inline std::map<std::string, std::string> snapshot(const std::string& folder) {
  std::map<std::string, std::string> out;
  const auto add = [&out](const std::string& path) {
    struct stat now{};
    ASSERT_EQ(lstat(path.c_str(), &now), 0) << path;
    const std::string text = S_ISREG(now.st_mode)   ? slurp(path)
                             : S_ISLNK(now.st_mode) ? fs::read_symlink(path).string()
                                                    : "";
    out[path] =
        fmt::format("{:o} {}.{} {}.{} {} {}", now.st_mode, now.st_mtim.tv_sec, now.st_mtim.tv_nsec,
                    now.st_ctim.tv_sec, now.st_ctim.tv_nsec, text.size(), digest(text));
  };
  add(folder);
  for (const auto& entry : fs::recursive_directory_iterator(folder)) add(entry.path().string());
  return out;
}

/// The texts of the regular files of a worktree, by path; without `.git`.
inline std::map<std::string, std::string> texts_in(const std::string& folder) {
  std::map<std::string, std::string> out;
  for (const auto& entry : fs::recursive_directory_iterator(folder)) {
    const std::string path = entry.path().lexically_relative(folder).string();
    if (path == ".git" || path.starts_with(".git/")) continue;
    if (entry.is_symlink()) {
      out[path] = "-> " + fs::read_symlink(entry.path()).string();
    } else if (entry.is_regular_file()) {
      out[path] = slurp(entry.path().string());
    }
  }
  return out;
}

/// A user's repository in a temporary folder, made with the git program, and a folder for a run.
class GitTest : public ::testing::Test {
 protected:
  void SetUp() override {
    git::start_library();
    Result<TemporaryFolder> made = TemporaryFolder::make("tenline-git-test");
    ASSERT_TRUE(made.has_value());
    folder_ = std::make_unique<TemporaryFolder>(std::move(*made));
    user = fs::canonical(folder_->path()).string() + "/user";
    run = fs::canonical(folder_->path()).string() + "/run";
    fs::create_directories(user);
    fs::create_directories(run);
    git("init -q -b main .");
    configure();
  }

  void configure() { git("config user.name 'Jo Doe' && git config user.email jo@example.org"); }

  /// Runs `git <arguments>` by a shell in the user's repository; the output without its last line
  /// end.
  std::string git(const std::string& arguments) { return git_in(user, arguments); }

  static std::string git_in(const std::string& folder, const std::string& arguments) {
    const std::string command = fmt::format(
        "cd '{}' && export GIT_CONFIG_GLOBAL=/dev/null GIT_CONFIG_NOSYSTEM=1 "
        "GIT_AUTHOR_DATE='1600000000 +0000' GIT_COMMITTER_DATE='1600000000 +0000' && git {} 2>&1",
        folder, arguments);
    std::string out;
    FILE* pipe = popen(command.c_str(), "r");
    if (pipe == nullptr) {
      ADD_FAILURE() << "cannot start: " << command;
      return out;
    }
    std::array<char, 4096> buffer{};
    while (const std::size_t got = fread(buffer.data(), 1, buffer.size(), pipe)) {
      out.append(buffer.data(), got);
    }
    const int status = pclose(pipe);
    EXPECT_EQ(status, 0) << "git " << arguments << "\n" << out;
    while (out.ends_with('\n')) out.pop_back();
    return out;
  }

  void commit(const std::map<std::string, std::string>& texts) {
    for (const auto& [path, text] : texts) spit(user + "/" + path, text);
    git("add -A && git commit -q -m change");
  }

  struct RawEntry {
    std::string mode;
    std::string name;
    git_oid id;
  };

  git_oid raw_object(std::string_view text, git_object_t type) const {
    const auto repository =
        git::make<git_repository>("test", git_repository_open, user.c_str()).value();
    const auto odb = git::make<git_odb>("test", git_repository_odb, repository.get()).value();
    git_oid id{};
    EXPECT_EQ(git_odb_write(&id, odb.get(), text.data(), text.size(), type), 0);
    return id;
  }

  /// A tree that git itself would not make.
  git_oid raw_tree(const std::vector<RawEntry>& entries) const {
    std::string bytes;
    for (const RawEntry& entry : entries) {
      bytes += entry.mode + " " + entry.name + '\0';
      bytes.append(reinterpret_cast<const char*>(entry.id.id), GIT_OID_RAWSZ);
    }
    return raw_object(bytes, GIT_OBJECT_TREE);
  }

  std::string raw_commit(const git_oid& tree) const {
    return git::to_hex(raw_object(
        fmt::format(
            "tree {}\nauthor a <a@b> 1600000000 +0000\ncommitter a <a@b> 1600000000 +0000\n\nx\n",
            git::to_hex(tree)),
        GIT_OBJECT_COMMIT));
  }

  std::string user;
  std::string run;

 private:
  std::unique_ptr<TemporaryFolder> folder_;
};

/// Opens workspaces on it.
class GitWorkspaceTest : public GitTest {
 protected:
  std::unique_ptr<GitWorkspace> open(const std::string& revision = "HEAD") {
    return open_at(user, revision);
  }

  std::unique_ptr<GitWorkspace> open_at(const std::string& repository,
                                        const std::string& revision = "HEAD") {
    auto opened = open_workspace({.repository = repository, .revision = revision, .folder = run});
    EXPECT_TRUE(opened.has_value()) << opened.error().message;
    return opened ? std::move(*opened) : nullptr;
  }

  Error error_of(const std::string& repository, const std::string& revision = "HEAD") {
    auto opened = open_workspace({.repository = repository, .revision = revision, .folder = run});
    EXPECT_FALSE(opened.has_value());
    return opened ? Error{} : opened.error();
  }
};

}  // namespace tenline
