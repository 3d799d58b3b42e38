#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "engine/core/ports.h"

namespace tenline {

struct WorkspaceOptions {
  std::string repository;  ///< A checkout, a folder in one, a linked worktree or a bare repository.
  std::string revision = "HEAD";  ///< What it means is decided once, when the folder is new.
  std::string folder;  ///< The run's folder; exists, and nobody but the run writes there.
};

/// The workspace in git, by libgit2. The user's repository is only read, and its configuration,
/// hooks and filters have no effect: files are the bytes of the objects.
class GitWorkspace final : public Workspace {
 public:
  ~GitWorkspace() override;

  [[nodiscard]] const std::string& revision() const override;
  [[nodiscard]] const std::vector<std::string>& files() const override;
  [[nodiscard]] Result<std::string> read(const std::string& path) const override;
  [[nodiscard]] Result<std::string> worktree(int slot) override;

  /// All files of the base revision have its commit's time, for ever and in every worktree; the
  /// files of a put have a time of their own, which no other put has. Everything else that lies in
  /// the worktree is removed, but for byte code that was written while it held the base. No program
  /// may be running there. Refuses paths that would leave the worktree (invalid_input).
  [[nodiscard]] Result<void> put(int slot, const FileTexts& texts) override;
  [[nodiscard]] Result<void> swap(int slot, const FileTexts& texts) override;

  /// What of the base revision the worktrees lack, a line each: "x.gif: missing object 6505194f
  /// (partial clone)", "third_party/y: submodule, not checked out".
  [[nodiscard]] const std::vector<std::string>& left_out() const;

  /// Does the user's checkout differ from its HEAD in tracked files? For a warning: false if that
  /// cannot be told.
  [[nodiscard]] bool dirty() const;

  /// The folders that git commands in a worktree read: the private repository, the user's objects.
  [[nodiscard]] const std::vector<std::string>& git_folders() const;

  /// Removes all worktrees, also those of an earlier process. The private repository stays.
  [[nodiscard]] Result<void> remove_worktrees();

 private:
  friend Result<std::unique_ptr<GitWorkspace>> open_workspace(const WorkspaceOptions& options);
  struct State;
  struct SlotState;

  explicit GitWorkspace(std::unique_ptr<State> state);
  [[nodiscard]] Result<SlotState*> ready(int number);

  std::unique_ptr<State> state_;
};

/// Opens the workspace of a run, and makes it if the folder has none: a private bare repository in
/// `folder`/repo.git; worktrees come to `folder`/worktrees/<slot>. One that is there keeps its base
/// revision. not_found for a missing folder, revision or first commit; invalid_input for a folder
/// outside of any repository.
[[nodiscard]] Result<std::unique_ptr<GitWorkspace>> open_workspace(const WorkspaceOptions& options);

}  // namespace tenline
