#pragma once

#include <string>
#include <string_view>

#include "engine/base/result.h"
#include "engine/platform/fd.h"

namespace tenline {

/// The whole file; `limit` where it is larger than `max_bytes` or no regular file.
[[nodiscard]] Result<std::string> read_file(const std::string& path,
                                            std::size_t max_bytes = std::size_t{64} << 20U);

/// Replaces the file at once: after a crash it has its old text or the new one. Durable on return.
[[nodiscard]] Result<void> write_file_durably(const std::string& path, std::string_view text);

/// Makes the folder and its parents where they are missing.
[[nodiscard]] Result<void> make_folders(const std::string& path);

/// Removes a file, or a folder with all in it, also where a program took away the rights on it.
/// Links are not followed; nothing there is fine.
[[nodiscard]] Result<void> remove_tree(const std::string& path);

/// Copies text and permissions of a regular file over `to`.
[[nodiscard]] Result<void> copy_file(const std::string& from, const std::string& to);

/// Absolute path of a program: as it stands, below `cwd` where it holds a slash, else in the
/// folders of `path` ("a:b:c").
[[nodiscard]] Result<std::string> find_program(std::string_view name, std::string_view path,
                                               const std::string& cwd = {});
/// The same with the engine's own PATH.
[[nodiscard]] Result<std::string> find_program(std::string_view name);

/// A fresh folder of our own in TMPDIR, removed with this value.
class TemporaryFolder {
 public:
  [[nodiscard]] static Result<TemporaryFolder> make(std::string_view prefix);
  TemporaryFolder(TemporaryFolder&& other) noexcept : path_(std::exchange(other.path_, {})) {}
  TemporaryFolder& operator=(TemporaryFolder&&) = delete;
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  ~TemporaryFolder();
  [[nodiscard]] const std::string& path() const { return path_; }

 private:
  explicit TemporaryFolder(std::string path) : path_(std::move(path)) {}
  std::string path_;
};

/// An exclusive lock between processes, and between threads, until this value ends or the process
/// dies. The file stays.
class FileLock {
 public:
  /// Waits for it.
  [[nodiscard]] static Result<FileLock> acquire(const std::string& path);
  /// `unavailable` where somebody else has it.
  [[nodiscard]] static Result<FileLock> try_acquire(const std::string& path);

 private:
  explicit FileLock(UniqueFd file) : file_(std::move(file)) {}
  static Result<FileLock> lock(const std::string& path, int operation);
  UniqueFd file_;
};

}  // namespace tenline
