#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>

#include "engine/core/edit.h"
#include "engine/platform/git_tree.h"

namespace tenline::git {

/// The files of one worktree. What runs in it between two calls may leave anything there; a call
/// trusts nothing but what it wrote itself and finds untouched.
class Slot {
 public:
  struct Places {
    std::string folder;   ///< The worktree; exists and holds its `.git` pointer.
    std::string counter;  ///< A file that keeps how many puts there were, over the life of the run.
    std::string bin;      ///< A folder for what is being removed.
    std::string pointer;  ///< Text of the `.git` file.
  };
  using ReadBlob = std::function<Result<std::string>(const git_oid&)>;

  /// `tree` must outlive the slot.
  Slot(Places places, const BaseTree& tree, std::int64_t base_time, ReadBlob read_blob);

  /// Makes the worktree the base with these files replaced. Refuses hostile paths before it touches
  /// anything. After a failure the next call repairs what is left.
  [[nodiscard]] Result<void> put(const FileTexts& texts);
  /// The same where nothing but put and swap has written since the last of them.
  [[nodiscard]] Result<void> swap(const FileTexts& texts);

 private:
  class Writer;

  /// How a file looked when its content was last known. The change time cannot be set by programs.
  struct Stamp {
    std::uint64_t inode = 0;
    std::int64_t size = 0;
    std::int64_t modified = 0;
    std::int64_t changed = 0;
    std::uint32_t mode = 0;
    bool operator==(const Stamp&) const = default;
  };

  [[nodiscard]] Result<void> write(const FileTexts& texts, bool all);
  [[nodiscard]] Result<std::int64_t> next_time() const;

  Places places_;
  const BaseTree& tree_;
  std::int64_t base_time_;
  ReadBlob read_blob_;
  std::map<std::string, Stamp> stamps_;
  std::optional<std::set<std::string>>
      held_;  ///< The candidate's files; not known after a restart.
};

}  // namespace tenline::git
