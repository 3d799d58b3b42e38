#pragma once

#include <string>

#include "engine/base/result.h"

namespace tenline {

/// Keeps a run to one process. The kernel gives the lock back when the process ends, however it
/// ends; a child that was forked (without exec) after `take` holds it too, until it ends.
class RunLock {
 public:
  /// Takes the lock `path`.lock without waiting; `unavailable`, naming the process, where another
  /// has it.
  [[nodiscard]] static Result<RunLock> take(const std::string& path);

  RunLock(RunLock&& other) noexcept;
  RunLock& operator=(RunLock&&) = delete;
  ~RunLock();

 private:
  explicit RunLock(int descriptor) : descriptor_(descriptor) {}
  int descriptor_;
};

}  // namespace tenline
