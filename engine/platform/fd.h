#pragma once

#include <string>
#include <string_view>
#include <utility>

#include "engine/base/result.h"

namespace tenline {

/// Owns a file descriptor; -1 is none.
class UniqueFd {
 public:
  UniqueFd() = default;
  explicit UniqueFd(int fd) : fd_(fd) {}
  UniqueFd(UniqueFd&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}
  UniqueFd& operator=(UniqueFd&& other) noexcept {
    if (this != &other) reset(std::exchange(other.fd_, -1));
    return *this;
  }
  UniqueFd(const UniqueFd&) = delete;
  UniqueFd& operator=(const UniqueFd&) = delete;
  ~UniqueFd() { reset(); }

  [[nodiscard]] int get() const { return fd_; }
  [[nodiscard]] explicit operator bool() const { return fd_ >= 0; }
  void reset(int fd = -1);

 private:
  int fd_ = -1;
};

struct Pipe {
  UniqueFd read;  ///< Never blocks.
  UniqueFd write;
};

/// A pipe that programs do not inherit.
[[nodiscard]] Result<Pipe> make_pipe();

/// An unnamed file in memory that holds `text`, read from its start.
[[nodiscard]] Result<UniqueFd> memory_file(std::string_view text);

/// Everything that can be read now: stops at the end, at `max_bytes`, or where it would block.
[[nodiscard]] std::string read_available(int fd, std::size_t max_bytes);

/// "cannot <what>: <text of errno>", as not_found where errno says so, else as io.
[[nodiscard]] tl::unexpected<Error> fail_errno(std::string_view what);

}  // namespace tenline
