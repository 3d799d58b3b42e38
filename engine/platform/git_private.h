#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "engine/platform/git_source.h"

namespace tenline::git {

/// The bare repository of a run.
///
/// It holds no objects of the user's but names their folder in `objects/info/alternates`. So it is
/// there at once for a repository of gigabytes, takes no disk, and works for a partial clone, which
/// cannot be copied whole. What is lost: if the user deletes the base commit from all branches and
/// collects garbage while the run is on, objects may go, and reading them fails with a clear error.
///
/// Nothing may be written to its object store while the alternates are there: libgit2 touches the
/// times of files that hold an object already, and those may be the user's.
struct PrivateRepository {
  Handle<git_repository> handle;
  std::string folder;                ///< The run's folder, absolute.
  std::vector<std::string> folders;  ///< Its own folder and the object folders that it reads.
  git_oid base{};
  std::int64_t base_time = 0;  ///< The base commit's time, within what all file formats can hold.
};

/// A worktree of a slot.
struct PrivateWorktree {
  std::string folder;
  std::string counter;  ///< Outlives the process; see Slot::Places.
  std::string bin;
  std::string pointer;  ///< Text of its `.git` file.
  std::string marker;   ///< A file that says that git's side of the worktree is complete.
};

/// Opens `folder`/repo.git, or makes it with the base that the revision names.
[[nodiscard]] Result<PrivateRepository> open_private_repository(const Source& source,
                                                                const std::string& revision,
                                                                const std::string& folder);

enum class WithIndex : std::uint8_t { no, yes };

/// Opens the worktree of a slot, or adds an empty one with a detached HEAD at the base. What a
/// killed process left half made is made anew. An index serves git commands that run in the
/// worktree, such as "git describe --dirty"; a tree that is not whole cannot have one.
[[nodiscard]] Result<PrivateWorktree> open_worktree(const PrivateRepository& repository, int slot,
                                                    WithIndex with_index);

/// Notes that the worktree may be opened again. To be called when its files are there.
[[nodiscard]] Result<void> finish_worktree(const PrivateWorktree& worktree);

[[nodiscard]] Result<void> remove_worktrees(const PrivateRepository& repository);

}  // namespace tenline::git
