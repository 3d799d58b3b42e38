#include "engine/platform/disk.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <vector>

#include "engine/base/text.h"

namespace tenline {

namespace fs = std::filesystem;

namespace {

std::string parent_of(const std::string& path) {
  const std::string parent = fs::path(path).parent_path().string();
  return parent.empty() ? "." : parent;
}

tl::unexpected<Error> fail_code(std::string_view what, const std::error_code& error) {
  errno = error.value();
  return fail_errno(what);
}

Result<void> write_all(int fd, std::string_view text, const std::string& path) {
  while (!text.empty()) {
    const ssize_t n = ::write(fd, text.data(), text.size());
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return fail_errno("write " + path);
    text.remove_prefix(static_cast<std::size_t>(n));
  }
  return {};
}

Result<void> write_and_sync(const std::string& path, std::string_view text) {
  const UniqueFd file(::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644));
  if (!file) return fail_errno("create " + path);
  TENLINE_TRY_VOID(write_all(file.get(), text, path));
  if (::fsync(file.get()) != 0) return fail_errno("write " + path);
  return {};
}

std::vector<std::string> names_in(int folder) {
  std::vector<std::string> names;
  const int copy = ::openat(folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (copy < 0) return names;
  const std::unique_ptr<DIR, int (*)(DIR*)> stream(::fdopendir(copy), ::closedir);
  if (!stream) return names;
  while (const dirent* entry = ::readdir(stream.get())) {  // NOLINT(concurrency-mt-unsafe)
    const std::string name = entry->d_name;
    if (name != "." && name != "..") names.push_back(name);
  }
  return names;
}

/// Opens a folder of `parent`, no link, with all rights on it; none where it is something else.
UniqueFd open_folder(int parent, const std::string& name) {
  struct stat status{};
  if (::fstatat(parent, name.c_str(), &status, AT_SYMLINK_NOFOLLOW) != 0 ||
      !S_ISDIR(status.st_mode)) {
    return {};
  }
  if ((status.st_mode & S_IRWXU) != S_IRWXU) ::fchmodat(parent, name.c_str(), S_IRWXU, 0);
  return UniqueFd(::openat(parent, name.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
}

/// Empties a folder without recursion: a folder found one level down is moved up to the top, and
/// has its turn there. Programs can make trees that are deeper than any path or stack.
void empty_folder(int top) {
  std::vector<std::string> names = names_in(top);
  std::size_t moved = 0;
  while (!names.empty()) {
    const std::string name = std::move(names.back());
    names.pop_back();
    if (::unlinkat(top, name.c_str(), 0) == 0) continue;
    const UniqueFd folder = open_folder(top, name);
    if (!folder) continue;
    for (const std::string& inner : names_in(folder.get())) {
      if (::unlinkat(folder.get(), inner.c_str(), 0) == 0) continue;
      open_folder(folder.get(), inner);  // Moving a folder needs rights on it.
      const std::string fresh = fmt::format(".tenline-removed-{}-{}", ::getpid(), ++moved);
      if (::renameat(folder.get(), inner.c_str(), top, fresh.c_str()) == 0) names.push_back(fresh);
    }
    ::unlinkat(top, name.c_str(), AT_REMOVEDIR);
  }
}

bool is_program(const std::string& path) {
  struct stat status{};
  return ::stat(path.c_str(), &status) == 0 && S_ISREG(status.st_mode) &&
         ::access(path.c_str(), X_OK) == 0;
}

}  // namespace

Result<std::string> read_file(const std::string& path, std::size_t max_bytes) {
  // Not to hang on a named pipe.
  const UniqueFd file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  if (!file) return fail_errno("read " + path);
  struct stat status{};
  if (::fstat(file.get(), &status) != 0) return fail_errno("read " + path);
  if (S_ISDIR(status.st_mode)) {
    return fail(ErrorCode::invalid_input, fmt::format("cannot read {}: it is a folder", path));
  }
  if (!S_ISREG(status.st_mode)) {
    return fail(ErrorCode::limit, fmt::format("cannot read {}: it is no regular file", path));
  }
  std::string text = read_available(file.get(), max_bytes + 1);
  if (text.size() > max_bytes) {
    return fail(ErrorCode::limit,
                fmt::format("cannot read {}: it is larger than {} bytes", path, max_bytes));
  }
  char next = 0;  // Told apart from the end: a disk that fails in the middle.
  if (::read(file.get(), &next, 1) < 0) return fail_errno("read " + path);
  return text;
}

Result<void> write_file_durably(const std::string& path, std::string_view text) {
  static std::atomic<unsigned> count = 0;
  const std::string temporary = fmt::format("{}.{}-{}.tmp", path, ::getpid(), ++count);
  if (auto written = write_and_sync(temporary, text); !written) {
    ::unlink(temporary.c_str());
    return written;
  }
  if (::rename(temporary.c_str(), path.c_str()) != 0) {
    auto failed = fail_errno("replace " + path);
    ::unlink(temporary.c_str());
    return failed;
  }
  const std::string parent = parent_of(path);
  const UniqueFd folder(::open(parent.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (!folder || ::fsync(folder.get()) != 0) return fail_errno("sync the folder " + parent);
  return {};
}

Result<void> make_folders(const std::string& path) {
  std::error_code error;
  fs::create_directories(path, error);
  if (error) return fail_code("make the folder " + path, error);
  return {};
}

Result<void> remove_tree(const std::string& path) {
  if (const UniqueFd folder = open_folder(AT_FDCWD, path); folder) empty_folder(folder.get());
  if (::unlink(path.c_str()) == 0 || ::rmdir(path.c_str()) == 0 || errno == ENOENT) return {};
  return fail_errno("remove " + path);
}

Result<void> copy_file(const std::string& from, const std::string& to) {
  std::error_code error;
  fs::copy_file(from, to, fs::copy_options::overwrite_existing, error);
  if (error) return fail_code(fmt::format("copy {} to {}", from, to), error);
  return {};
}

Result<std::string> find_program(std::string_view name, std::string_view path,
                                 const std::string& cwd) {
  if (name.find('/') != std::string_view::npos) {
    std::string direct = (fs::path(cwd) / name).lexically_normal().string();
    if (direct.starts_with('/') && is_program(direct)) return direct;
    return fail(ErrorCode::not_found, fmt::format("there is no program {}", name));
  }
  for (const std::string_view folder : split(path, ':')) {
    if (!folder.starts_with('/') || name.empty()) continue;
    std::string candidate = (fs::path(folder) / name).string();
    if (is_program(candidate)) return candidate;
  }
  return fail(ErrorCode::not_found, fmt::format("there is no program {} in {}", name, path));
}

Result<std::string> find_program(std::string_view name) {
  const char* path = std::getenv("PATH");  // NOLINT(concurrency-mt-unsafe): never set by us.
  std::error_code error;
  return find_program(name, path == nullptr ? "/usr/bin:/bin" : path,
                      fs::current_path(error).string());
}

Result<TemporaryFolder> TemporaryFolder::make(std::string_view prefix) {
  std::error_code error;
  const fs::path base = fs::temp_directory_path(error);
  std::string path = fmt::format("{}/{}-XXXXXX", error ? "/tmp" : base.string(), prefix);
  if (::mkdtemp(path.data()) == nullptr) return fail_errno("make a temporary folder " + path);
  return TemporaryFolder(std::move(path));
}

TemporaryFolder::~TemporaryFolder() {
  if (path_.empty()) return;
  if (const Result<void> removed = remove_tree(path_); !removed)
    path_.clear();  // Left to the user.
}

Result<FileLock> FileLock::lock(const std::string& path, int operation) {
  UniqueFd file(::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0644));
  if (!file) return fail_errno("open the lock " + path);
  int locked = 0;
  do {
    locked = ::flock(file.get(), operation);
  } while (locked != 0 && errno == EINTR);
  if (locked != 0 && errno == EWOULDBLOCK) {
    return fail(ErrorCode::unavailable, fmt::format("{} is locked by another process", path));
  }
  if (locked != 0) return fail_errno("lock " + path);
  return FileLock(std::move(file));
}

Result<FileLock> FileLock::acquire(const std::string& path) { return lock(path, LOCK_EX); }

Result<FileLock> FileLock::try_acquire(const std::string& path) {
  return lock(path, LOCK_EX | LOCK_NB);
}

}  // namespace tenline
