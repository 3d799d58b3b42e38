#include "engine/platform/git_workspace.h"

#include "engine/platform/git_private.h"
#include "engine/platform/git_slot.h"
#include "engine/platform/git_source.h"

namespace tenline {

struct GitWorkspace::SlotState {
  std::mutex mutex;
  std::unique_ptr<git::Slot> slot;  ///< Set when the worktree is there and was brought to the base.
  std::string folder;
};

struct GitWorkspace::State {
  git::Source source;
  git::PrivateRepository repository;
  std::string revision;
  git::BaseTree tree;

  /// libgit2's objects are not for several threads; reading one is short.
  mutable std::mutex objects_mutex;
  std::mutex slots_mutex;
  std::map<int, std::unique_ptr<SlotState>> slots;

  Result<std::string> read(const git_oid& id) const {
    const std::lock_guard lock(objects_mutex);
    return git::read_blob(repository.handle.get(), id);
  }
};

GitWorkspace::GitWorkspace(std::unique_ptr<State> state) : state_(std::move(state)) {}
GitWorkspace::~GitWorkspace() = default;

const std::string& GitWorkspace::revision() const { return state_->revision; }
const std::vector<std::string>& GitWorkspace::files() const { return state_->tree.files; }
const std::vector<std::string>& GitWorkspace::left_out() const { return state_->tree.left_out; }

const std::vector<std::string>& GitWorkspace::git_folders() const {
  return state_->repository.folders;
}

Result<std::string> GitWorkspace::read(const std::string& path) const {
  const git::TreeEntry* entry = state_->tree.find(path);
  if (entry == nullptr ||
      (entry->kind != git::EntryKind::file && entry->kind != git::EntryKind::executable)) {
    return fail(ErrorCode::not_found,
                fmt::format("no file {} in the base revision", git::printable(path)));
  }
  return state_->read(entry->id);
}

bool GitWorkspace::dirty() const {
  const std::lock_guard lock(state_->objects_mutex);
  return git::has_changes(state_->source).value_or(false);
}

/// The slot, locked in nothing: each slot has one thread. Makes its worktree the base at first use.
Result<GitWorkspace::SlotState*> GitWorkspace::ready(int number) {
  SlotState* slot = nullptr;
  {
    const std::lock_guard lock(state_->slots_mutex);
    std::unique_ptr<SlotState>& place = state_->slots[number];
    if (!place) place = std::make_unique<SlotState>();
    slot = place.get();
  }
  const std::lock_guard lock(slot->mutex);
  if (slot->slot) return slot;
  git::PrivateWorktree made;
  {
    const std::lock_guard objects(state_->objects_mutex);
    TENLINE_TRY(
        made, git::open_worktree(state_->repository, number,
                                 state_->tree.is_whole ? git::WithIndex::yes : git::WithIndex::no));
  }
  auto files = std::make_unique<git::Slot>(
      git::Slot::Places{
          .folder = made.folder, .counter = made.counter, .bin = made.bin, .pointer = made.pointer},
      state_->tree, state_->repository.base_time,
      [state = state_.get()](const git_oid& id) { return state->read(id); });
  TENLINE_TRY_VOID(files->put({}));
  TENLINE_TRY_VOID(git::finish_worktree(made));
  slot->folder = made.folder;
  slot->slot = std::move(files);
  return slot;
}

Result<std::string> GitWorkspace::worktree(int slot) {
  TENLINE_TRY(const SlotState* made, ready(slot));
  return made->folder;
}

Result<void> GitWorkspace::put(int slot, const FileTexts& texts) {
  TENLINE_TRY(SlotState * made, ready(slot));
  const std::lock_guard lock(made->mutex);
  return made->slot->put(texts);
}

Result<void> GitWorkspace::swap(int slot, const FileTexts& texts) {
  TENLINE_TRY(SlotState * made, ready(slot));
  const std::lock_guard lock(made->mutex);
  return made->slot->swap(texts);
}

Result<void> GitWorkspace::remove_worktrees() {
  const std::lock_guard lock(state_->slots_mutex);
  state_->slots.clear();
  return git::remove_worktrees(state_->repository);
}

Result<std::unique_ptr<GitWorkspace>> open_workspace(const WorkspaceOptions& options) {
  auto state = std::make_unique<GitWorkspace::State>();
  TENLINE_TRY(state->source, git::find_source(options.repository));
  TENLINE_TRY(state->repository,
              git::open_private_repository(state->source, options.revision, options.folder));
  state->revision = git::to_hex(state->repository.base);
  TENLINE_TRY(state->tree,
              git::read_base_tree(state->repository.handle.get(), state->repository.base));
  return std::unique_ptr<GitWorkspace>(new GitWorkspace(std::move(state)));
}

}  // namespace tenline
