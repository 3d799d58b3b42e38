#pragma once

#include <string>
#include <vector>

#include "engine/platform/git_base.h"

namespace tenline::git {

/// The user's repository. Only read: nothing here writes below its folders, and its configuration
/// is not looked at.
struct Source {
  std::string named;       ///< As the user called it, for messages.
  std::string git_folder;  ///< The `.git` folder, a linked worktree's, or the bare repository.
  std::string checkout;    ///< Root of the checkout; empty for a bare repository.
  Handle<git_repository> repository;
};

/// Finds the repository of a folder: a checkout or a subfolder of one, a linked worktree, a bare
/// repository. not_found for a missing folder, invalid_input for one outside of any repository.
[[nodiscard]] Result<Source> find_source(const std::string& folder);

/// The commit that a revision names. not_found if there is none, or no commit at all.
[[nodiscard]] Result<git_oid> resolve_commit(const Source& source, const std::string& revision);

/// The folders that hold its objects: its own and its alternates, absolute, the own one first.
[[nodiscard]] Result<std::vector<std::string>> object_folders(const Source& source);

/// Do tracked files of the checkout or its index differ from HEAD? Executable bits, submodules and
/// untracked files are not looked at. Always false for a bare repository.
[[nodiscard]] Result<bool> has_changes(const Source& source);

}  // namespace tenline::git
