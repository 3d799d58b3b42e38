#include "engine/journal/run_lock.h"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <charconv>
#include <filesystem>
#include <system_error>
#include <utility>

namespace tenline {
namespace {

std::string error_text(int code) { return std::generic_category().message(code); }

int try_lock(int descriptor) {
  while (::flock(descriptor, LOCK_EX | LOCK_NB) != 0) {
    if (errno != EINTR) return errno;
  }
  return 0;
}

/// The process that wrote its number into the lock file; 0 where there is none.
long holder(int descriptor) {
  std::array<char, 32> text{};
  const ssize_t size = ::pread(descriptor, text.data(), text.size(), 0);
  long process = 0;
  if (size > 0) std::from_chars(text.data(), text.data() + size, process);
  return process > 0 ? process : 0;
}

/// The folder of a run carries its id.
std::string run_name(const std::string& path) {
  const std::string folder = std::filesystem::path(path).parent_path().filename().string();
  return folder.empty() || folder == "." || folder == ".." ? path : folder;
}

}  // namespace

Result<RunLock> RunLock::take(const std::string& path) {
  const std::string file = path + ".lock";
  RunLock lock(::open(file.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0644));
  if (lock.descriptor_ < 0) {
    const ErrorCode code = errno == ENOENT ? ErrorCode::not_found : ErrorCode::io;
    return fail(code, fmt::format("cannot open {}: {}", file, error_text(errno)));
  }
  const int error = try_lock(lock.descriptor_);
  if (error == EWOULDBLOCK) {
    const long process = holder(lock.descriptor_);
    const std::string who = process > 0 ? fmt::format("process {}", process) : "another process";
    return fail(ErrorCode::unavailable, fmt::format("run {} is in use by {}", run_name(path), who));
  }
  if (error != 0)
    return fail(ErrorCode::io, fmt::format("cannot lock {}: {}", file, error_text(error)));

  // The number is for the message above only, so a full disk does not matter here.
  const std::string process = fmt::format("{}\n", ::getpid());
  if (::pwrite(lock.descriptor_, process.data(), process.size(), 0) > 0) {
    static_cast<void>(::ftruncate(lock.descriptor_, static_cast<off_t>(process.size())) == 0);
  }
  return lock;
}

RunLock::RunLock(RunLock&& other) noexcept : descriptor_(std::exchange(other.descriptor_, -1)) {}

RunLock::~RunLock() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

}  // namespace tenline
