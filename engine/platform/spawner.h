#pragma once

#include <sys/resource.h>
#include <sys/types.h>

#include <string>
#include <utility>
#include <vector>

#include "engine/base/result.h"
#include "engine/platform/fd.h"

namespace tenline {

/// A program to start. Nothing is inherited from the engine but what stands here.
struct SpawnRequest {
  std::vector<std::string> argv;         ///< The first is an absolute path.
  std::vector<std::string> environment;  ///< NAME=value.
  std::string cwd = "/";
  std::vector<std::pair<int, rlim_t>> limits;  ///< RLIMIT_..., for soft and hard.
  std::vector<int> fds;                        ///< Become 0, 1, 2, ... of the program.
  int user_namespace = -1;                     ///< Entered first, where given.
};

/// How a tree ended: the wait status of its first program, CPU time of all that was waited for.
struct SpawnEnd {
  int status = 0;
  double cpu_seconds = 0;
};

/// A running tree of processes. Destroying it kills the tree without waiting for its end.
class SpawnedTree {
 public:
  explicit SpawnedTree(UniqueFd control) : control_(std::move(control)) {}
  /// Can be read when the tree has ended: its first program, and all that descends from it.
  [[nodiscard]] int control() const { return control_.get(); }
  /// Asks for the end of the tree; comes back at once.
  void kill() const;
  /// Waits for the end.
  [[nodiscard]] Result<SpawnEnd> end() const;

 private:
  UniqueFd control_;
};

/// A small process that starts all programs. A fork of an engine with threads is unsafe, and the
/// parent-death signal belongs to the thread that forked; this process has one thread and lives as
/// long as the engine. When the engine ends, by kill -9 too, all that was started is killed.
class Spawner {
 public:
  /// Call from the main thread, before any other thread exists.
  [[nodiscard]] static Result<Spawner> start();
  Spawner(Spawner&& other) noexcept;
  Spawner& operator=(Spawner&&) = delete;
  Spawner(const Spawner&) = delete;
  Spawner& operator=(const Spawner&) = delete;
  ~Spawner();

  /// Starts a program; not_found where there is none. May be called from several threads at once.
  [[nodiscard]] Result<SpawnedTree> spawn(const SpawnRequest& request) const;

 private:
  Spawner(UniqueFd socket, pid_t pid) : socket_(std::move(socket)), pid_(pid) {}
  UniqueFd socket_;
  pid_t pid_ = -1;
};

}  // namespace tenline
