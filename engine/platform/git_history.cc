#include "engine/platform/git_history.h"

#include <mutex>

#include "engine/platform/git_source.h"
#include "engine/platform/git_tree.h"

namespace tenline {

namespace {

class History final : public GitHistory {
 public:
  explicit History(git::Source source) : source_(std::move(source)) {}

  Result<std::vector<File>> files(const std::string& revision) override {
    const std::lock_guard lock(mutex_);
    TENLINE_TRY(const git_oid id, git::resolve_commit(source_, revision));
    TENLINE_TRY(const git::Handle<git_commit> commit,
                git::make<git_commit>(revision, git_commit_lookup, source_.repository.get(), &id));
    TENLINE_TRY(const git::Handle<git_tree> tree,
                git::make<git_tree>(revision, git_commit_tree, commit.get()));
    std::vector<File> files;
    const auto visit = [](const char* folder, const git_tree_entry* entry, void* list) {
      const bool regular = git_tree_entry_filemode(entry) == GIT_FILEMODE_BLOB ||
                           git_tree_entry_filemode(entry) == GIT_FILEMODE_BLOB_EXECUTABLE;
      if (regular) {
        static_cast<std::vector<File>*>(list)->push_back(
            {std::string(folder) + git_tree_entry_name(entry),
             git::to_hex(*git_tree_entry_id(entry))});
      }
      return 0;
    };
    TENLINE_TRY_VOID(git::call(revision, git_tree_walk, tree.get(), GIT_TREEWALK_PRE,
                               static_cast<git_treewalk_cb>(visit), static_cast<void*>(&files)));
    return files;
  }

  Result<std::string> blob(const std::string& id) override {
    const std::lock_guard lock(mutex_);
    git_oid oid;
    TENLINE_TRY_VOID(git::call(git::printable(id), git_oid_fromstr, &oid, id.c_str()));
    return git::read_blob(source_.repository.get(), oid);
  }

 private:
  std::mutex mutex_;  // libgit2's objects are not for several threads.
  git::Source source_;
};

}  // namespace

Result<std::unique_ptr<GitHistory>> GitHistory::open(const std::string& folder) {
  TENLINE_TRY(git::Source source, git::find_source(folder));
  return std::make_unique<History>(std::move(source));
}

Result<std::vector<LineChange>> line_changes(std::string_view before, std::string_view after) {
  git::start_library();
  git_diff_options options = GIT_DIFF_OPTIONS_INIT;
  options.context_lines = 0;
  options.flags = GIT_DIFF_FORCE_TEXT;
  TENLINE_TRY(const git::Handle<git_patch> patch,
              git::make<git_patch>("diff", git_patch_from_buffers, before.data(), before.size(),
                                   nullptr, after.data(), after.size(), nullptr, &options));
  std::vector<LineChange> changes;
  for (std::size_t i = 0; i < git_patch_num_hunks(patch.get()); ++i) {
    const git_diff_hunk* hunk = nullptr;
    TENLINE_TRY_VOID(git::call("diff", git_patch_get_hunk, &hunk, nullptr, patch.get(), i));
    changes.push_back({.before = {hunk->old_start, hunk->old_lines},
                       .after = {hunk->new_start, hunk->new_lines}});
  }
  return changes;
}

}  // namespace tenline
