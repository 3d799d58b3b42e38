#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "engine/platform/git_base.h"

namespace tenline::git {

enum class EntryKind : std::uint8_t { folder, file, executable, link };

struct TreeEntry {
  EntryKind kind = EntryKind::file;
  git_oid id{};
};

/// What of a commit's tree is checked out: every entry can be read and is safe to write.
struct BaseTree {
  /// The entries of a folder by name, for each folder by path; the root is "".
  std::map<std::string, std::map<std::string, TreeEntry>> folders;
  std::vector<std::string> files;     ///< Paths of the regular files, sorted.
  std::vector<std::string> left_out;  ///< One line for people for each thing that is not.
  /// No folder is missing and no path was refused, so that an index can hold it.
  bool is_whole = true;

  /// The entry at a path, or nullptr.
  [[nodiscard]] const TreeEntry* find(const std::string& path) const;
};

/// Reads the tree of a commit. What is missing, hostile, too large or a submodule is left out and
/// listed; a tree with more entries or bytes than anybody's repository is an Error (limit).
[[nodiscard]] Result<BaseTree> read_base_tree(git_repository* repository, const git_oid& commit);

/// The text of a blob; not_found if the repository lacks it.
[[nodiscard]] Result<std::string> read_blob(git_repository* repository, const git_oid& id);

/// Parts of a path: "a/b/c" gives "a/b" and "c"; "c" gives "" and "c".
struct PathParts {
  std::string folder;
  std::string name;
};
[[nodiscard]] PathParts split_path(const std::string& path);
[[nodiscard]] std::string join_path(const std::string& folder, const std::string& name);

}  // namespace tenline::git
