#include <fcntl.h>
#include <git2/sys/mempack.h>
#include <git2/sys/odb_backend.h>
#include <sys/stat.h>

#include <cstdint>
#include <vector>

#include "engine/platform/git_base.h"
#include "engine/platform/git_patch.h"
#include "engine/platform/git_path.h"
#include "engine/platform/git_source.h"

// The patch is applied to the tree of HEAD, and what changed is checked out from the new tree. The
// checkout is clean, so that is the same as applying it to the files, and it honours what they need
// (line ends, executable bits). Only the changed paths are looked at: the objects of others may be
// missing.

namespace tenline {
namespace {

using git::Handle;

constexpr std::size_t k_max_patch = std::size_t{16} << 20U;

Result<std::string> changed_path(const git_diff_delta& delta) {
  const bool added = delta.status == GIT_DELTA_ADDED;
  const bool deleted = delta.status == GIT_DELTA_DELETED;
  const char* path = deleted ? delta.old_file.path : delta.new_file.path;
  const auto plain = [](std::uint16_t mode) {
    return mode == 0 || mode == GIT_FILEMODE_BLOB || mode == GIT_FILEMODE_BLOB_EXECUTABLE;
  };
  const bool mode_change = !added && !deleted && delta.old_file.mode != delta.new_file.mode;
  if ((!added && !deleted && delta.status != GIT_DELTA_MODIFIED) || path == nullptr ||
      !git::is_safe_path(path) || !plain(delta.old_file.mode) || !plain(delta.new_file.mode) ||
      mode_change || (delta.flags & GIT_DIFF_FLAG_BINARY) != 0) {
    return fail(ErrorCode::invalid_input,
                fmt::format("the patch does more than change texts: {}",
                            git::printable(path == nullptr ? "?" : path)));
  }
  return std::string(path);
}

/// A patch, its paths and what it is to be applied to.
struct Work {
  git::Source source;
  Handle<git_repository> repository;  ///< With the user's configuration.
  Handle<git_commit> head;
  Handle<git_tree> old_tree;
  Handle<git_diff> diff;
  std::vector<std::string> paths;
};

Result<Handle<git_tree>> new_tree(const Work& work) {
  git_repository* const repository = work.repository.get();
  Result<Handle<git_index>> applied =
      git::make<git_index>("the patch does not apply", git_apply_to_tree, repository,
                           work.old_tree.get(), work.diff.get(), nullptr);
  if (!applied) return fail(ErrorCode::invalid_input, applied.error().message);
  std::vector<git_tree_update> updates;
  updates.reserve(work.paths.size());
  for (const std::string& path : work.paths) {
    const git_index_entry* entry = git_index_get_bypath(applied->get(), path.c_str(), 0);
    git_tree_update update{GIT_TREE_UPDATE_REMOVE, {}, GIT_FILEMODE_BLOB, path.c_str()};
    git_tree_entry* old = nullptr;
    const bool existed = git_tree_entry_bypath(&old, work.old_tree.get(), path.c_str()) == 0;
    const git_filemode_t mode = existed ? git_tree_entry_filemode(old) : GIT_FILEMODE_BLOB;
    git_tree_entry_free(old);
    if (existed && mode != GIT_FILEMODE_BLOB && mode != GIT_FILEMODE_BLOB_EXECUTABLE) {
      return fail(ErrorCode::invalid_input,
                  fmt::format("the patch does not apply: {} is not a file", git::printable(path)));
    }
    if (entry != nullptr) {
      update.action = GIT_TREE_UPDATE_UPSERT;
      update.id = entry->id;
      // libgit2 takes the mode from the patch, and a patch of texts does not tell it.
      update.filemode = existed ? mode : static_cast<git_filemode_t>(entry->mode);
    }
    updates.push_back(update);
  }
  // Not a tree of the whole index: that would need the objects of all files.
  git_oid id;
  TENLINE_TRY_VOID(git::call("making the new tree", git_tree_create_updated, &id, repository,
                             work.old_tree.get(), updates.size(), updates.data()));
  return git::make<git_tree>("the new tree", git_tree_lookup, repository, &id);
}

enum class UpdateIndex : std::uint8_t { no, yes };

Result<void> check_out(Work& work, git_tree* tree, UpdateIndex update_index) {
  std::vector<char*> paths;
  paths.reserve(work.paths.size());
  for (std::string& path : work.paths) paths.push_back(path.data());
  git_checkout_options options = GIT_CHECKOUT_OPTIONS_INIT;
  options.checkout_strategy = GIT_CHECKOUT_SAFE | GIT_CHECKOUT_DISABLE_PATHSPEC_MATCH;
  if (update_index == UpdateIndex::no) {
    options.checkout_strategy |= GIT_CHECKOUT_DONT_UPDATE_INDEX | GIT_CHECKOUT_DONT_WRITE_INDEX;
  }
  options.baseline = work.old_tree.get();
  options.paths = {.strings = paths.data(), .count = paths.size()};
  git_object* target = nullptr;
  TENLINE_TRY_VOID(git::call("the new tree", git_object_lookup, &target, work.repository.get(),
                             git_tree_id(tree), GIT_OBJECT_TREE));
  const Handle<git_object> object(target);
  return git::call("checking the changed files out", git_checkout_tree, work.repository.get(),
                   object.get(), &options);
}

Result<void> apply_to_files(Work& work) {
  // New objects go to memory: a patch of the files leaves nothing in the repository.
  TENLINE_TRY(const Handle<git_odb> odb,
              git::make<git_odb>("the objects", git_repository_odb, work.repository.get()));
  git_odb_backend* memory = nullptr;
  TENLINE_TRY_VOID(git::call("a store in memory", git_mempack_new, &memory));
  TENLINE_TRY_VOID(git::call("a store in memory", git_odb_add_backend, odb.get(), memory, 1000));
  TENLINE_TRY(const Handle<git_tree> tree, new_tree(work));
  return check_out(work, tree.get(), UpdateIndex::no);
}

Result<void> commit_on_branch(Work& work, const ApplyOptions& options) {
  git_repository* const repository = work.repository.get();
  const std::string name = "refs/heads/" + options.branch;
  int valid = 0;
  if (git_branch_name_is_valid(&valid, options.branch.c_str()) < 0 || valid == 0) {
    return fail(ErrorCode::invalid_input,
                fmt::format("not a name for a branch: {}", git::printable(options.branch)));
  }
  git_reference* existing = nullptr;
  if (git_reference_lookup(&existing, repository, name.c_str()) == 0) {
    git_reference_free(existing);
    return fail(ErrorCode::invalid_input,
                fmt::format("branch {} exists already", git::printable(options.branch)));
  }
  Result<Handle<git_signature>> author =
      git::make<git_signature>("who commits", git_signature_default, repository);
  if (!author) {
    return fail(ErrorCode::unavailable, "git's user.name and user.email are not set");
  }
  TENLINE_TRY(const Handle<git_tree> tree, new_tree(work));
  const git_commit* parent = work.head.get();
  git_oid commit;
  TENLINE_TRY_VOID(git::call("making the commit", git_commit_create, &commit, repository, nullptr,
                             author->get(), author->get(), nullptr, options.message.c_str(),
                             tree.get(), std::size_t{1}, &parent));
  TENLINE_TRY(const Handle<git_reference> branch,
              git::make<git_reference>("making the branch", git_reference_create, repository,
                                       name.c_str(), &commit, 0, "branch: Created by tenline"));
  if (Result<void> done = check_out(work, tree.get(), UpdateIndex::yes); !done) {
    git_reference_delete(branch.get());
    return done;
  }
  return git::call("checking the branch out", git_repository_set_head, repository, name.c_str());
}

}  // namespace

Result<void> apply_patch(const ApplyOptions& options) {
  if (options.patch.size() > k_max_patch) return fail(ErrorCode::limit, "the patch is too large");
  Work work;
  TENLINE_TRY(work.source, git::find_source(options.repository));
  if (work.source.checkout.empty()) {
    return fail(ErrorCode::invalid_input,
                fmt::format("{} has no checkout to apply a patch to", work.source.named));
  }
  TENLINE_TRY(const git_oid head, git::resolve_commit(work.source, "HEAD"));
  TENLINE_TRY(const bool changed, git::has_changes(work.source));
  if (changed) {
    return fail(
        ErrorCode::invalid_input,
        fmt::format("{} has uncommitted changes; commit or stash them first", work.source.named));
  }
  TENLINE_TRY(work.repository,
              git::make<git_repository>(work.source.named, git_repository_open_ext,
                                        work.source.checkout.c_str(),
                                        unsigned{GIT_REPOSITORY_OPEN_NO_SEARCH}, nullptr));
  if (git_repository_state(work.repository.get()) != GIT_REPOSITORY_STATE_NONE) {
    return fail(ErrorCode::invalid_input,
                fmt::format("{} is in the middle of a merge, rebase or the like; end it first",
                            work.source.named));
  }
  TENLINE_TRY(work.head,
              git::make<git_commit>("HEAD", git_commit_lookup, work.repository.get(), &head));
  TENLINE_TRY(work.old_tree, git::make<git_tree>("HEAD", git_commit_tree, work.head.get()));
  Result<Handle<git_diff>> diff =
      git::make<git_diff>("the patch is not a unified diff", git_diff_from_buffer,
                          options.patch.data(), options.patch.size());
  if (!diff) return fail(ErrorCode::invalid_input, diff.error().message);
  work.diff = std::move(*diff);
  for (std::size_t i = 0; i < git_diff_num_deltas(work.diff.get()); ++i) {
    const git_diff_delta& delta = *git_diff_get_delta(work.diff.get(), i);
    TENLINE_TRY(const std::string path, changed_path(delta));
    struct stat now{};
    if (delta.status == GIT_DELTA_ADDED &&
        lstat((work.source.checkout + "/" + path).c_str(), &now) == 0) {
      return fail(ErrorCode::invalid_input,
                  fmt::format("the patch does not apply: {} exists", git::printable(path)));
    }
    work.paths.push_back(path);
  }
  if (work.paths.empty()) return fail(ErrorCode::invalid_input, "the patch changes nothing");
  return options.branch.empty() ? apply_to_files(work) : commit_on_branch(work, options);
}

}  // namespace tenline
