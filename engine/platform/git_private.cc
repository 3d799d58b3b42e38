#include "engine/platform/git_private.h"

#include <unistd.h>

#include <algorithm>
#include <filesystem>

#include "engine/platform/disk.h"
#include "engine/platform/git_files.h"

namespace tenline::git {
namespace {

namespace fs = std::filesystem;

/// Where new worktrees start: a commit without files. libgit2 checks a new worktree out by itself,
/// which fails on missing objects and runs filters; there it has nothing to do.
constexpr const char* k_empty_branch = "refs/heads/tenline/empty";
constexpr const char* k_base_ref = "refs/heads/tenline/base";

/// After 1980 (zip files), with room for the times of puts before 2038.
constexpr std::int64_t k_earliest = 315'619'200;
constexpr std::int64_t k_latest = 2'130'000'000;

FileForm own_form() {
  return {.mode = 0644, .time = k_earliest, .user = geteuid(), .group = getegid()};
}

Result<void> write_file(const fs::path& path, std::string_view text) {
  TENLINE_TRY(const UniqueFd folder, open_folder(path.parent_path().string()));
  return write_file_at(folder.get(), path.filename().string(), text, own_form());
}

/// Adding worktrees at the same time fails now and then, in one process or in several.
Result<FileLock> lock_worktrees(const PrivateRepository& repository) {
  return FileLock::acquire(repository.folder + "/repo.git/tenline.lock");
}

Result<void> add_empty_commit(git_repository* repository) {
  TENLINE_TRY(const Handle<git_odb> odb,
              make<git_odb>("the objects", git_repository_odb, repository));
  git_oid tree_id;
  TENLINE_TRY_VOID(
      call("an empty tree", git_odb_write, &tree_id, odb.get(), "", 0U, GIT_OBJECT_TREE));
  constexpr std::string_view k_who = "tenline <tenline@localhost> 315619200 +0000";
  const std::string text =
      fmt::format("tree {}\nauthor {}\ncommitter {}\n\nno files\n", to_hex(tree_id), k_who, k_who);
  git_oid commit_id;
  TENLINE_TRY_VOID(call("an empty commit", git_odb_write, &commit_id, odb.get(), text.data(),
                        text.size(), GIT_OBJECT_COMMIT));
  return make<git_reference>("the empty branch", git_reference_create, repository, k_empty_branch,
                             &commit_id, 0, nullptr)
      .map([](const auto&) {});
}

/// Made under another name and renamed: what has the name is complete.
Result<void> make_private_repository(const git_oid& base, const std::vector<std::string>& objects,
                                     const std::string& place) {
  const std::string unfinished = place + ".new";
  TENLINE_TRY_VOID(remove_tree(unfinished, place + ".bin"));
  git_repository_init_options options = GIT_REPOSITORY_INIT_OPTIONS_INIT;
  options.flags = GIT_REPOSITORY_INIT_BARE | GIT_REPOSITORY_INIT_MKPATH;
  options.initial_head = "tenline/base";
  TENLINE_TRY_VOID(make<git_repository>("making the private repository", git_repository_init_ext,
                                        unfinished.c_str(), &options));
  TENLINE_TRY(const Handle<git_repository> fresh, open_bare(unfinished));
  TENLINE_TRY_VOID(add_empty_commit(fresh.get()));

  std::string alternates;
  for (const std::string& path : objects) {
    if (path.find('\n') != std::string::npos) {
      return fail(ErrorCode::invalid_input,
                  fmt::format("a path with a line break: {}", printable(path)));
    }
    alternates += path + "\n";
  }
  TENLINE_TRY_VOID(write_file(unfinished + "/objects/info/alternates", alternates));
  // Without it git in a worktree would miss the parents of a shallow clone's last commits.
  std::error_code ignored;
  fs::copy_file(fs::path(objects.front()).parent_path() / "shallow", unfinished + "/shallow",
                ignored);
  TENLINE_TRY_VOID(write_file(unfinished + "/" + k_base_ref, to_hex(base) + "\n"));
  std::error_code error;
  fs::rename(unfinished, place, error);
  if (error) return fail(ErrorCode::io, fmt::format("{}: {}", place, error.message()));
  return {};
}

Result<void> add_worktree(const PrivateRepository& repository, const std::string& name,
                          const std::string& folder, WithIndex with_index) {
  git_repository* const bare = repository.handle.get();
  TENLINE_TRY(const Handle<git_reference> empty,
              make<git_reference>("the empty branch", git_reference_lookup, bare, k_empty_branch));
  git_worktree_add_options options = GIT_WORKTREE_ADD_OPTIONS_INIT;
  options.ref = empty.get();
  options.checkout_options.checkout_strategy = GIT_CHECKOUT_NONE;
  TENLINE_TRY(const Handle<git_worktree> added,
              make<git_worktree>("adding a worktree", git_worktree_add, bare, name.c_str(),
                                 folder.c_str(), &options));
  // Nothing of others ran there yet: the one moment when it may be opened as a repository.
  TENLINE_TRY(
      const Handle<git_repository> opened,
      make<git_repository>("opening a worktree", git_repository_open_from_worktree, added.get()));
  TENLINE_TRY_VOID(call("setting a worktree's HEAD", git_repository_set_head_detached, opened.get(),
                        &repository.base));
  if (with_index == WithIndex::no) return {};
  TENLINE_TRY(const Handle<git_index> index,
              make<git_index>("a worktree's index", git_repository_index, opened.get()));
  TENLINE_TRY(const Handle<git_commit> commit,
              make<git_commit>("the base commit", git_commit_lookup, bare, &repository.base));
  TENLINE_TRY(const Handle<git_tree> tree,
              make<git_tree>("the base tree", git_commit_tree, commit.get()));
  TENLINE_TRY_VOID(call("a worktree's index", git_index_read_tree, index.get(), tree.get()));
  return call("a worktree's index", git_index_write, index.get());
}

}  // namespace

Result<PrivateRepository> open_private_repository(const Source& source, const std::string& revision,
                                                  const std::string& folder) {
  std::error_code error;
  const std::string absolute = fs::canonical(folder, error).string();
  if (error)
    return fail(ErrorCode::not_found, fmt::format("no such folder: {}", printable(folder)));
  const std::string place = absolute + "/repo.git";
  TENLINE_TRY(const std::vector<std::string> objects, object_folders(source));
  if (!fs::exists(place, error)) {
    TENLINE_TRY(const git_oid base, resolve_commit(source, revision));
    TENLINE_TRY_VOID(make_private_repository(base, objects, place));
  }
  TENLINE_TRY(Handle<git_repository> handle, open_bare(place));
  PrivateRepository out{.handle = std::move(handle), .folder = absolute, .folders = {place}};
  out.folders.insert(out.folders.end(), objects.begin(), objects.end());
  TENLINE_TRY_VOID(call("the base revision of the run", git_reference_name_to_id, &out.base,
                        out.handle.get(), k_base_ref));
  TENLINE_TRY(const Handle<git_commit> commit,
              make<git_commit>("the base revision of the run", git_commit_lookup, out.handle.get(),
                               &out.base));
  out.base_time = std::clamp<std::int64_t>(git_commit_time(commit.get()), k_earliest, k_latest);
  return out;
}

Result<PrivateWorktree> open_worktree(const PrivateRepository& repository, int slot,
                                      WithIndex with_index) {
  const std::string name = std::to_string(slot);
  const std::string above = repository.folder + "/worktrees";
  const std::string admin = repository.folder + "/repo.git/worktrees/" + name;
  PrivateWorktree out{.folder = above + "/" + name,
                      .counter = above + "/" + name + ".puts",
                      .bin = above + "/" + name + ".bin",
                      .pointer = "gitdir: " + admin + "/\n",
                      .marker = above + "/" + name + ".ready"};
  TENLINE_TRY(const FileLock lock, lock_worktrees(repository));
  std::error_code error;
  fs::create_directories(above, error);
  if (error) return fail(ErrorCode::io, fmt::format("{}: {}", above, error.message()));
  const bool complete = fs::exists(out.marker, error) && fs::is_directory(admin, error) &&
                        fs::symlink_status(out.folder, error).type() == fs::file_type::directory;
  if (complete) return out;
  TENLINE_TRY_VOID(remove_tree(out.marker, out.bin));
  TENLINE_TRY_VOID(remove_tree(out.folder, out.bin));
  TENLINE_TRY_VOID(remove_tree(admin, out.bin));
  TENLINE_TRY_VOID(add_worktree(repository, name, out.folder, with_index));
  return out;
}

Result<void> finish_worktree(const PrivateWorktree& worktree) {
  return write_file(worktree.marker, "");
}

Result<void> remove_worktrees(const PrivateRepository& repository) {
  TENLINE_TRY(const FileLock lock, lock_worktrees(repository));
  // The folder first: git prunes an entry without a folder, but would miss a folder without entry.
  const std::string bin = repository.folder + "/worktrees.bin";
  TENLINE_TRY_VOID(remove_tree(repository.folder + "/worktrees", bin));
  TENLINE_TRY_VOID(remove_tree(repository.folder + "/repo.git/worktrees", bin));
  std::error_code ignored;
  fs::remove(bin, ignored);
  return {};
}

}  // namespace tenline::git
