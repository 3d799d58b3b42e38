#include "oracles/files.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <fstream>
#include <system_error>

namespace tenline {

namespace {

std::string reason() { return std::generic_category().message(errno); }

}  // namespace

Result<std::string> read_untrusted_file(const std::string& path, std::size_t limit) {
  const int file = ::open(path.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
  if (file < 0) {
    return fail(errno == ENOENT ? ErrorCode::not_found : ErrorCode::io,
                fmt::format("{}: {}", path, reason()));
  }
  std::string text;
  struct stat status = {};
  if (::fstat(file, &status) != 0 || !S_ISREG(status.st_mode)) {
    ::close(file);
    return fail(ErrorCode::invalid_input, fmt::format("{}: not a regular file", path));
  }
  for (;;) {
    const std::size_t before = text.size();
    constexpr std::size_t k_block = 64U << 10U;
    text.resize(before + k_block);
    const ssize_t got = ::read(file, text.data() + before, k_block);
    text.resize(before + static_cast<std::size_t>(std::max<ssize_t>(got, 0)));
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0 || text.size() > limit) break;
  }
  ::close(file);
  if (text.size() > limit) {
    return fail(ErrorCode::limit, fmt::format("{}: more than {} bytes", path, limit));
  }
  return text;
}

Result<void> write_file(const std::string& path, std::string_view text) {
  std::error_code error;
  std::filesystem::create_directories(std::filesystem::path(path).parent_path(), error);
  std::ofstream file(path, std::ios::binary | std::ios::trunc);
  file << text;
  file.close();
  if (error || !file) return fail(ErrorCode::io, fmt::format("{}: cannot be written", path));
  return {};
}

Result<void> make_drop_folder(const std::string& path) {
  remove_folder(path);
  std::error_code error;
  std::filesystem::create_directories(path, error);
  if (!error) {
    std::filesystem::permissions(path, std::filesystem::perms::all, error);
  }
  if (error) return fail(ErrorCode::io, fmt::format("{}: {}", path, error.message()));
  return {};
}

void remove_folder(const std::string& path) {
  std::error_code ignored;
  std::filesystem::remove_all(path, ignored);
}

}  // namespace tenline
