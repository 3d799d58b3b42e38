#include "engine/platform/fd.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>

namespace tenline {

void UniqueFd::reset(int fd) {
  if (fd_ >= 0) ::close(fd_);
  fd_ = fd;
}

Result<Pipe> make_pipe() {
  std::array<int, 2> ends{};
  if (::pipe2(ends.data(), O_CLOEXEC) != 0) return fail_errno("make a pipe");
  Pipe pipe{.read = UniqueFd(ends[0]), .write = UniqueFd(ends[1])};
  // Only our end: the status flags of the other are shared with the program that writes to it.
  if (::fcntl(ends[0], F_SETFL, O_NONBLOCK) != 0) return fail_errno("set up a pipe");
  return pipe;
}

Result<UniqueFd> memory_file(std::string_view text) {
  UniqueFd file(::memfd_create("tenline", MFD_CLOEXEC));
  if (!file) return fail_errno("make a file in memory");
  while (!text.empty()) {
    const ssize_t written = ::write(file.get(), text.data(), text.size());
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return fail_errno("fill a file in memory");
    text.remove_prefix(static_cast<std::size_t>(written));
  }
  if (::lseek(file.get(), 0, SEEK_SET) != 0) return fail_errno("rewind a file in memory");
  return file;
}

std::string read_available(int fd, std::size_t max_bytes) {
  std::string text;
  std::array<char, 16384> buffer{};
  while (text.size() < max_bytes) {
    const ssize_t n = ::read(fd, buffer.data(), std::min(buffer.size(), max_bytes - text.size()));
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) break;
    text.append(buffer.data(), static_cast<std::size_t>(n));
  }
  return text;
}

tl::unexpected<Error> fail_errno(std::string_view what) {
  const int error = errno;
  const ErrorCode code = error == ENOENT ? ErrorCode::not_found : ErrorCode::io;
  std::string reason = std::strerror(error);
  if (error == ENOSPC || error == EDQUOT) reason = "the disk is full";
  return fail(code, fmt::format("cannot {}: {}", what, reason));
}

}  // namespace tenline
