#include "engine/platform/git_source.h"

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <optional>

#include "engine/base/text.h"

namespace tenline::git {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t k_max_alternates = 64;
constexpr int k_max_alternate_depth = 5;  // As git's.
constexpr std::uintmax_t k_max_small_file = std::uintmax_t{1} << 20U;

/// The folder whose `.git` the search found; empty if the search ended at a bare repository.
std::string checkout_root(const fs::path& start, const fs::path& git_folder) {
  std::error_code error;
  for (fs::path folder = start;; folder = folder.parent_path()) {
    if (fs::exists(folder / ".git", error) && !fs::equivalent(folder, git_folder, error)) {
      return folder.string();
    }
    if (fs::equivalent(folder, git_folder, error) || folder == folder.root_path()) return {};
  }
}

Result<std::string> read_small_file(const fs::path& path) {
  std::error_code error;
  if (!fs::is_regular_file(path, error) || fs::file_size(path, error) > k_max_small_file) {
    return fail(ErrorCode::invalid_input,
                fmt::format("{}: not a file, or too large", printable(path.string())));
  }
  std::ifstream stream(path, std::ios::binary);
  return std::string(std::istreambuf_iterator<char>(stream), {});
}

void add_alternates(const fs::path& objects, int depth, std::vector<std::string>& out) {
  const Result<std::string> text = read_small_file(objects / "info" / "alternates");
  if (!text) return;
  for (const std::string_view line : split_lines(*text)) {
    if (line.empty() || line.front() == '#') continue;
    std::error_code error;
    const fs::path folder = fs::canonical(objects / fs::path(line), error);
    if (error || std::ranges::find(out, folder.string()) != out.end()) continue;
    if (out.size() >= k_max_alternates) return;
    out.push_back(folder.string());
    if (depth < k_max_alternate_depth) add_alternates(folder, depth + 1, out);
  }
}

std::string link_target(const std::string& path) {
  std::array<char, 4096> target{};
  const ssize_t size = readlink(path.c_str(), target.data(), target.size());
  return size < 0 ? std::string() : std::string(target.data(), static_cast<std::size_t>(size));
}

/// Like git's: a file that has the size and time that the index noted, and is older than the index,
/// is unchanged; else its text decides.
class ChangeFinder {
 public:
  ChangeFinder(std::string root, std::int64_t index_time)
      : root_(std::move(root)), index_time_(index_time) {}

  bool differs(const git_index_entry& entry) {
    if (git_index_entry_stage(&entry) != 0 ||
        (entry.flags_extended & GIT_INDEX_ENTRY_INTENT_TO_ADD) != 0) {
      return true;
    }
    if ((entry.flags & GIT_INDEX_ENTRY_VALID) != 0 ||
        (entry.flags_extended & GIT_INDEX_ENTRY_SKIP_WORKTREE) != 0 ||
        entry.mode == GIT_FILEMODE_COMMIT) {
      return false;
    }
    const std::string path = fmt::format("{}/{}", root_, entry.path);
    struct stat now{};
    if (!in_real_folder(entry.path) || lstat(path.c_str(), &now) != 0) return true;
    if (entry.mode == GIT_FILEMODE_LINK) return !S_ISLNK(now.st_mode) || link_differs(path, entry);
    if (!S_ISREG(now.st_mode)) return true;
    if (now.st_mtime == entry.mtime.seconds && now.st_mtime < index_time_ &&
        static_cast<std::uint32_t>(now.st_size) == entry.file_size) {
      return false;
    }
    git_oid id;
    if (git_odb_hashfile(&id, path.c_str(), GIT_OBJECT_BLOB) < 0) return true;
    return git_oid_equal(&id, &entry.id) == 0 && without_carriage_returns_differs(path, entry);
  }

 private:
  static bool link_differs(const std::string& path, const git_index_entry& entry) {
    const std::string target = link_target(path);
    git_oid id;
    return git_odb_hash(&id, target.data(), target.size(), GIT_OBJECT_BLOB) < 0 ||
           git_oid_equal(&id, &entry.id) == 0;
  }

  /// A checkout with core.autocrlf has "\r\n" where the repository has "\n".
  static bool without_carriage_returns_differs(const std::string& path,
                                               const git_index_entry& entry) {
    const Result<std::string> text = read_small_file(path);
    if (!text) return true;
    std::string plain;
    for (std::size_t i = 0; i < text->size(); ++i) {
      if ((*text)[i] != '\r' || i + 1 == text->size() || (*text)[i + 1] != '\n')
        plain += (*text)[i];
    }
    git_oid id;
    return git_odb_hash(&id, plain.data(), plain.size(), GIT_OBJECT_BLOB) < 0 ||
           git_oid_equal(&id, &entry.id) == 0;
  }

  /// A file behind a linked folder is not the file that is tracked.
  bool in_real_folder(std::string_view path) {
    const std::size_t slash = path.rfind('/');
    if (slash == std::string_view::npos) return true;
    const std::string_view folder = path.substr(0, slash);
    if (folder == known_folder_) return true;
    struct stat now{};
    for (std::size_t end = folder.find('/');; end = folder.find('/', end + 1)) {
      const std::string part = fmt::format("{}/{}", root_, folder.substr(0, end));
      if (lstat(part.c_str(), &now) != 0 || !S_ISDIR(now.st_mode)) return false;
      if (end == std::string_view::npos) break;
    }
    known_folder_ = folder;
    return true;
  }

  std::string root_;
  std::int64_t index_time_;
  std::string known_folder_;
};

}  // namespace

Result<Source> find_source(const std::string& folder) {
  start_library();
  Source source{.named = printable(folder), .git_folder = {}, .checkout = {}, .repository = {}};
  std::error_code error;
  const fs::path start = fs::canonical(folder, error);
  if (error) return fail(ErrorCode::not_found, fmt::format("no such folder: {}", source.named));
  if (!fs::is_directory(start, error)) {
    return fail(ErrorCode::invalid_input, fmt::format("not a folder: {}", source.named));
  }
  git_buf found = GIT_BUF_INIT;
  const int code = git_repository_discover(&found, start.c_str(), 0, nullptr);
  if (code == 0) source.git_folder = found.ptr;
  git_buf_dispose(&found);
  if (code != 0) {
    return fail(ErrorCode::invalid_input, fmt::format("not a git repository: {}", source.named));
  }
  source.checkout = checkout_root(start, source.git_folder);
  TENLINE_TRY(source.repository, open_bare(source.git_folder));
  return source;
}

Result<git_oid> resolve_commit(const Source& source, const std::string& revision) {
  git_repository* repository = source.repository.get();
  git_object* raw = nullptr;
  const int code = git_revparse_single(&raw, repository, revision.c_str());
  const Handle<git_object> object(raw);
  if (code < 0 && git_repository_head_unborn(repository) == 1 &&
      (revision == "HEAD" || revision == "@")) {
    return fail(ErrorCode::not_found, fmt::format("no commits in {}", source.named));
  }
  if (code == GIT_EAMBIGUOUS) {
    return fail(ErrorCode::invalid_input,
                fmt::format("revision {} of {} is ambiguous", printable(revision), source.named));
  }
  if (code < 0) {
    return fail(ErrorCode::not_found,
                fmt::format("no revision {} in {}", printable(revision), source.named));
  }
  git_object* peeled = nullptr;
  if (git_object_peel(&peeled, object.get(), GIT_OBJECT_COMMIT) < 0) {
    return fail(ErrorCode::invalid_input, fmt::format("revision {} of {} is not a commit",
                                                      printable(revision), source.named));
  }
  const Handle<git_object> commit(peeled);
  return *git_object_id(commit.get());
}

Result<std::vector<std::string>> object_folders(const Source& source) {
  git_buf path = GIT_BUF_INIT;
  const int code =
      git_repository_item_path(&path, source.repository.get(), GIT_REPOSITORY_ITEM_OBJECTS);
  const fs::path found = code == 0 ? fs::path(path.ptr) : fs::path();
  git_buf_dispose(&path);
  std::error_code error;
  const fs::path own = fs::canonical(found, error);
  if (code < 0 || error) {
    return fail(ErrorCode::invalid_input, fmt::format("{} has no objects", source.named));
  }
  std::vector<std::string> folders = {own.string()};
  add_alternates(own, 1, folders);
  return folders;
}

Result<bool> has_changes(const Source& source) {
  if (source.checkout.empty()) return false;
  git_repository* repository = source.repository.get();
  const std::string index_path = (fs::path(source.git_folder) / "index").string();
  TENLINE_TRY(const Handle<git_index> index,
              make<git_index>("the index of the checkout", git_index_open, index_path.c_str()));
  TENLINE_TRY(const git_oid head, resolve_commit(source, "HEAD"));
  TENLINE_TRY(const Handle<git_commit> commit,
              make<git_commit>("HEAD", git_commit_lookup, repository, &head));
  TENLINE_TRY(const Handle<git_tree> tree, make<git_tree>("HEAD", git_commit_tree, commit.get()));
  TENLINE_TRY(const Handle<git_diff> staged,
              make<git_diff>("comparing the index with HEAD", git_diff_tree_to_index, repository,
                             tree.get(), index.get(), nullptr));
  if (git_diff_num_deltas(staged.get()) != 0) return true;

  struct stat index_stat{};
  const bool has_index = stat(index_path.c_str(), &index_stat) == 0;
  ChangeFinder finder(source.checkout, has_index ? index_stat.st_mtime : 0);
  for (std::size_t i = 0; i < git_index_entrycount(index.get()); ++i) {
    if (finder.differs(*git_index_get_byindex(index.get(), i))) return true;
  }
  return false;
}

}  // namespace tenline::git
