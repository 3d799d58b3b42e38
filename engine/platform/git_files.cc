#include "engine/platform/git_files.h"

#include <dirent.h>
#include <fcntl.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <memory>

#include "engine/platform/git_base.h"

namespace tenline::git {
namespace {

constexpr int k_folder_flags = O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC;

struct DirectoryCloser {
  void operator()(DIR* directory) const { closedir(directory); }
};

/// A name that is free in the folder, by making something of it.
template <class Make>
Result<std::string> make_temporary(const std::string& name, Make make) {
  for (int i = 0; i < 1000; ++i) {
    std::string temporary = fmt::format(".tenline-{}", i);
    if (make(temporary) == 0) return temporary;
    if (errno != EEXIST) break;
  }
  return fail_errno("use " + printable(name));
}

std::array<timespec, 2> times_of(const FileForm& form) {
  const timespec time{.tv_sec = form.time, .tv_nsec = 0};
  return {time, time};
}

Result<void> set_form(int file, const std::string& name, const FileForm& form) {
  const std::array<timespec, 2> times = times_of(form);
  if (fchmod(file, form.mode) != 0 || futimens(file, times.data()) != 0)
    return fail_errno("use " + printable(name));
  // Only root may give files away; anybody else's already have the one possible owner.
  if (geteuid() == 0 && fchown(file, form.user, form.group) != 0)
    return fail_errno("use " + printable(name));
  return {};
}

Result<void> write_all(int file, const std::string& name, std::string_view text) {
  while (!text.empty()) {
    const ssize_t written = write(file, text.data(), text.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return fail_errno("use " + printable(name));
    text.remove_prefix(static_cast<std::size_t>(written));
  }
  return {};
}

Result<void> replace(int folder, const std::string& name, const std::string& temporary) {
  if (renameat(folder, temporary.c_str(), folder, name.c_str()) == 0) return {};
  auto error = fail_errno("use " + printable(name));
  unlinkat(folder, temporary.c_str(), 0);
  return error;
}

/// Removes what is no folder; moves a folder into the bin.
Result<void> unlink_or_move(int folder, const std::string& name, int bin, std::size_t& next) {
  if (unlinkat(folder, name.c_str(), 0) == 0 || errno == ENOENT) return {};
  if (errno != EISDIR && errno != EPERM) return fail_errno("use " + printable(name));
  fchmodat(folder, name.c_str(), 0700, 0);  // Without it the owner could not move or open it.
  for (;; ++next) {
    if (renameat(folder, name.c_str(), bin, std::to_string(next).c_str()) == 0) break;
    if (errno != ENOTEMPTY && errno != EEXIST && errno != ENOTDIR)
      return fail_errno("use " + printable(name));
  }
  ++next;
  return {};
}

/// Empties the bin: a folder's folders move up into the bin, so that depth needs neither recursion
/// nor many open folders.
Result<void> empty_bin(int bin, std::size_t& next) {
  for (;;) {
    TENLINE_TRY(const std::vector<std::string> doomed, names_in(bin));
    if (doomed.empty()) return {};
    for (const std::string& name : doomed) {
      if (unlinkat(bin, name.c_str(), 0) == 0) continue;
      TENLINE_TRY(const UniqueFd folder, open_folder_at(bin, name));
      TENLINE_TRY(const std::vector<std::string> children, names_in(folder.get()));
      for (const std::string& child : children) {
        TENLINE_TRY_VOID(unlink_or_move(folder.get(), child, bin, next));
      }
      if (unlinkat(bin, name.c_str(), AT_REMOVEDIR) != 0)
        return fail_errno("use " + printable(name));
    }
  }
}

}  // namespace

Result<UniqueFd> open_folder(const std::string& path) { return open_folder_at(AT_FDCWD, path); }

Result<UniqueFd> open_folder_at(int folder, const std::string& name) {
  UniqueFd opened(openat(folder, name.c_str(), k_folder_flags));
  if (opened.get() < 0) return fail_errno("use " + printable(name));
  return opened;
}

Result<UniqueFd> make_folder_at(int folder, const std::string& name, const FileForm& form) {
  UniqueFd opened(openat(folder, name.c_str(), k_folder_flags));
  const int problem = opened ? 0 : errno;
  const bool made = problem == ENOENT && mkdirat(folder, name.c_str(), 0755) == 0;
  // A link would have failed otherwise: this is a folder whose rights were taken away.
  if (problem == EACCES) fchmodat(folder, name.c_str(), 0755, 0);
  if (!opened) opened = UniqueFd(openat(folder, name.c_str(), k_folder_flags));
  if (!opened) return fail_errno("use " + printable(name));
  struct stat now{};
  if (fstat(opened.get(), &now) != 0) return fail_errno("use " + printable(name));
  if ((now.st_mode & 07777U) != 0755U && fchmod(opened.get(), 0755) != 0)
    return fail_errno("use " + printable(name));
  if (made && geteuid() == 0 && fchown(opened.get(), form.user, form.group) != 0) {
    return fail_errno("use " + printable(name));
  }
  return opened;
}

Result<std::vector<std::string>> names_in(int folder) {
  const int copy = openat(folder, ".", k_folder_flags);
  if (copy < 0) return fail_errno("list a folder");
  const std::unique_ptr<DIR, DirectoryCloser> directory(fdopendir(copy));
  if (!directory) {
    close(copy);
    return fail_errno("list a folder");
  }
  std::vector<std::string> names;
  errno = 0;
  while (const dirent* entry = readdir(directory.get())) {
    const std::string_view name = entry->d_name;
    if (name != "." && name != "..") names.emplace_back(name);
  }
  if (errno != 0) return fail_errno("list a folder");
  return names;
}

Result<std::string> read_file_at(int folder, const std::string& name, std::size_t limit) {
  // O_NONBLOCK: a named pipe in its place must not stop us.
  const UniqueFd file(openat(folder, name.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC));
  struct stat now{};
  if (file.get() < 0 || fstat(file.get(), &now) != 0) return fail_errno("use " + printable(name));
  if (!S_ISREG(now.st_mode) || static_cast<std::size_t>(now.st_size) > limit) {
    return fail(ErrorCode::limit, fmt::format("{}: not a file, or too large", printable(name)));
  }
  std::string text(static_cast<std::size_t>(now.st_size), '\0');
  std::size_t done = 0;
  while (done < text.size()) {
    const ssize_t got = read(file.get(), text.data() + done, text.size() - done);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return fail_errno("use " + printable(name));
    if (got == 0) break;
    done += static_cast<std::size_t>(got);
  }
  text.resize(done);
  return text;
}

Result<std::string> read_link_at(int folder, const std::string& name) {
  std::array<char, 4096> target{};
  const ssize_t size = readlinkat(folder, name.c_str(), target.data(), target.size());
  if (size < 0) return fail_errno("use " + printable(name));
  return std::string(target.data(), static_cast<std::size_t>(size));
}

Result<void> write_file_at(int folder, const std::string& name, std::string_view text,
                           const FileForm& form) {
  UniqueFd file;
  TENLINE_TRY(const std::string temporary, make_temporary(name, [&](const std::string& free) {
                file = UniqueFd(openat(folder, free.c_str(),
                                       O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600));
                return file.get() < 0 ? -1 : 0;
              }));
  Result<void> written = write_all(file.get(), name, text);
  if (written) written = set_form(file.get(), name, form);
  if (!written) {
    unlinkat(folder, temporary.c_str(), 0);
    return written;
  }
  return replace(folder, name, temporary);
}

Result<void> write_link_at(int folder, const std::string& name, const std::string& target,
                           const FileForm& form) {
  TENLINE_TRY(const std::string temporary, make_temporary(name, [&](const std::string& free) {
                return symlinkat(target.c_str(), folder, free.c_str());
              }));
  const std::array<timespec, 2> times = times_of(form);
  if (utimensat(folder, temporary.c_str(), times.data(), AT_SYMLINK_NOFOLLOW) != 0 ||
      (geteuid() == 0 &&
       fchownat(folder, temporary.c_str(), form.user, form.group, AT_SYMLINK_NOFOLLOW) != 0)) {
    auto error = fail_errno("use " + printable(name));
    unlinkat(folder, temporary.c_str(), 0);
    return error;
  }
  return replace(folder, name, temporary);
}

Result<void> remove_at(int folder, const std::string& name, const std::string& bin) {
  if (unlinkat(folder, name.c_str(), 0) == 0 || errno == ENOENT) return {};
  if (mkdir(bin.c_str(), 0700) != 0 && errno != EEXIST) return fail_errno("use " + printable(bin));
  TENLINE_TRY(const UniqueFd opened, open_folder(bin));
  std::size_t next = 0;
  TENLINE_TRY_VOID(unlink_or_move(folder, name, opened.get(), next));
  return empty_bin(opened.get(), next);
}

Result<void> remove_tree(const std::string& path, const std::string& bin) {
  const std::filesystem::path whole(path);
  Result<UniqueFd> parent = open_folder(whole.parent_path().string());
  if (!parent && parent.error().code == ErrorCode::not_found) return {};
  if (!parent) return tl::unexpected(std::move(parent).error());
  return remove_at(parent->get(), whole.filename().string(), bin);
}

}  // namespace tenline::git
