#include "engine/platform/git_tree.h"

#include <algorithm>
#include <utility>

#include "engine/platform/git_path.h"

namespace tenline::git {
namespace {

constexpr std::size_t k_max_entries = 500'000;
constexpr std::size_t k_max_left_out = 10'000;
constexpr std::uint64_t k_max_blob = std::uint64_t{256} << 20U;
constexpr std::uint64_t k_max_bytes = std::uint64_t{16} << 30U;

class TreeReader {
 public:
  TreeReader(git_repository* repository, git_odb* odb) : repository_(repository), odb_(odb) {}

  Result<BaseTree> read(const git_oid& root) {
    TENLINE_TRY(const Handle<git_tree> tree,
                make<git_tree>("the tree of the revision", git_tree_lookup, repository_, &root));
    TENLINE_TRY_VOID(read_folder("", tree.get()));
    while (!waiting_.empty()) {
      const auto [path, id] = std::move(waiting_.back());
      waiting_.pop_back();
      git_tree* raw = nullptr;
      const int code = git_tree_lookup(&raw, repository_, &id);
      const Handle<git_tree> folder(raw);
      if (code < 0) {
        out_.is_whole = false;
        leave_out(path + "/", missing(id));
        continue;
      }
      TENLINE_TRY_VOID(read_folder(path, folder.get()));
    }
    std::ranges::sort(out_.files);
    std::ranges::sort(out_.left_out);
    return std::move(out_);
  }

 private:
  Result<void> read_folder(const std::string& folder, const git_tree* tree) {
    auto& children = out_.folders[folder];
    const std::size_t count = git_tree_entrycount(tree);
    // Folders in folders that share their trees grow without bound: entries are counted as visited.
    entries_ += count + 1;
    if (entries_ > k_max_entries) {
      return fail(ErrorCode::limit, fmt::format("more than {} files and folders", k_max_entries));
    }
    for (std::size_t i = 0; i < count; ++i) {
      const git_tree_entry* entry = git_tree_entry_byindex(tree, i);
      const std::string name = git_tree_entry_name(entry);
      const std::string path = join_path(folder, name);
      if (name.find('/') != std::string::npos || !is_safe_path(path)) {
        out_.is_whole = false;
        leave_out(path, "refused path");
        continue;
      }
      // A second entry of the same name could turn a folder into a link after it was checked.
      if (children.contains(name)) {
        out_.is_whole = false;
        leave_out(path, "a second entry of this name");
        continue;
      }
      TENLINE_TRY_VOID(read_entry(path, name, *entry, children));
    }
    return {};
  }

  Result<void> read_entry(const std::string& path, const std::string& name,
                          const git_tree_entry& entry, std::map<std::string, TreeEntry>& children) {
    const git_oid id = *git_tree_entry_id(&entry);
    switch (git_tree_entry_filemode(&entry)) {
      case GIT_FILEMODE_TREE:
        children[name] = {.kind = EntryKind::folder, .id = id};
        waiting_.emplace_back(path, id);
        return {};
      case GIT_FILEMODE_COMMIT:
        children[name] = {.kind = EntryKind::folder, .id = id};  // An empty one, as git makes it.
        leave_out(path, "submodule, not checked out");
        return {};
      case GIT_FILEMODE_LINK:
        add_link(path, name, id, children);
        return {};
      case GIT_FILEMODE_BLOB:
      case GIT_FILEMODE_BLOB_EXECUTABLE:
        break;
      default:
        leave_out(path, "unknown kind of entry");
        return {};
    }
    std::size_t size = 0;
    git_object_t type = GIT_OBJECT_INVALID;
    // Asking a missing object for its header looks for new packs each time.
    if (git_odb_exists_ext(odb_, &id, GIT_ODB_LOOKUP_NO_REFRESH) == 0 ||
        git_odb_read_header(&size, &type, odb_, &id) < 0 || type != GIT_OBJECT_BLOB) {
      leave_out(path, missing(id));
      return {};
    }
    if (size > k_max_blob) {
      leave_out(path, fmt::format("larger than {} MiB", k_max_blob >> 20U));
      return {};
    }
    bytes_ += size;
    if (bytes_ > k_max_bytes) {
      return fail(ErrorCode::limit, fmt::format("more than {} GiB of files", k_max_bytes >> 30U));
    }
    const bool executable = git_tree_entry_filemode(&entry) == GIT_FILEMODE_BLOB_EXECUTABLE;
    children[name] = {.kind = executable ? EntryKind::executable : EntryKind::file, .id = id};
    out_.files.push_back(path);
    return {};
  }

  void add_link(const std::string& path, const std::string& name, const git_oid& id,
                std::map<std::string, TreeEntry>& children) {
    const Result<std::string> target = read_blob(repository_, id);
    if (!target) {
      leave_out(path, missing(id));
    } else if (!is_safe_link(path, *target)) {
      leave_out(path, "link that leaves the repository");
    } else {
      children[name] = {.kind = EntryKind::link, .id = id};
    }
  }

  void leave_out(const std::string& path, std::string_view why) {
    if (out_.left_out.size() < k_max_left_out) {
      out_.left_out.push_back(fmt::format("{}: {}", printable(path), why));
    }
  }

  static std::string missing(const git_oid& id) {
    return fmt::format("missing object {} (partial clone)", to_hex(id).substr(0, 8));
  }

  git_repository* repository_;
  git_odb* odb_;
  BaseTree out_;
  std::vector<std::pair<std::string, git_oid>> waiting_;
  std::size_t entries_ = 0;
  std::uint64_t bytes_ = 0;
};

}  // namespace

const TreeEntry* BaseTree::find(const std::string& path) const {
  const PathParts parts = split_path(path);
  const auto folder = folders.find(parts.folder);
  if (folder == folders.end()) return nullptr;
  const auto entry = folder->second.find(parts.name);
  return entry == folder->second.end() ? nullptr : &entry->second;
}

Result<BaseTree> read_base_tree(git_repository* repository, const git_oid& commit) {
  TENLINE_TRY(const Handle<git_commit> base,
              make<git_commit>("the base commit", git_commit_lookup, repository, &commit));
  TENLINE_TRY(const Handle<git_odb> odb,
              make<git_odb>("the objects", git_repository_odb, repository));
  return TreeReader(repository, odb.get()).read(*git_commit_tree_id(base.get()));
}

Result<std::string> read_blob(git_repository* repository, const git_oid& id) {
  TENLINE_TRY(const Handle<git_odb> odb,
              make<git_odb>("the objects", git_repository_odb, repository));
  std::size_t size = 0;
  git_object_t type = GIT_OBJECT_INVALID;
  TENLINE_TRY_VOID(call("reading an object", git_odb_read_header, &size, &type, odb.get(), &id));
  if (type != GIT_OBJECT_BLOB || size > k_max_blob) {
    return fail(ErrorCode::limit, fmt::format("object {} is not a file of at most {} MiB",
                                              to_hex(id), k_max_blob >> 20U));
  }
  TENLINE_TRY(const Handle<git_odb_object> object,
              make<git_odb_object>("reading an object", git_odb_read, odb.get(), &id));
  return std::string(static_cast<const char*>(git_odb_object_data(object.get())),
                     git_odb_object_size(object.get()));
}

PathParts split_path(const std::string& path) {
  const std::size_t slash = path.rfind('/');
  if (slash == std::string::npos) return {.folder = "", .name = path};
  return {.folder = path.substr(0, slash), .name = path.substr(slash + 1)};
}

std::string join_path(const std::string& folder, const std::string& name) {
  return folder.empty() ? name : folder + "/" + name;
}

}  // namespace tenline::git
