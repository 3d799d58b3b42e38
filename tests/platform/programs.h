#pragma once

// Programs for the tests of processes and of the sandbox, and ways to see what is left of them.

#include <dirent.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <chrono>
#include <string>
#include <thread>

#include "engine/core/ports.h"
#include "engine/platform/disk.h"
#include "engine/platform/spawner.h"

namespace tenline {

/// One spawner per test program, started before the first thread.
inline const Spawner& spawner() {
  static const Spawner instance = [] {
    Result<Spawner> started = Spawner::start();
    TENLINE_CHECK(started.has_value(), "the tests need a spawner");
    return *std::move(started);
  }();
  return instance;
}

inline Command python(const std::string& code) {
  Command command;
  command.argv = {"/usr/bin/python3", "-c", code};
  return command;
}

inline Command shell(const std::string& code) {
  Command command;
  command.argv = {"/bin/sh", "-c", code};
  return command;
}

/// A word that no other process has in its arguments.
inline std::string unique_word() {
  static int count = 0;
  const auto now = std::chrono::steady_clock::now().time_since_epoch().count();
  return fmt::format("tenline-mark-{}-{}-{}", ::getpid(), now, ++count);
}

/// How many processes of the machine have `word` in their arguments.
inline int processes_with(const std::string& word) {
  int found = 0;
  DIR* proc = ::opendir("/proc");
  while (const dirent* entry = ::readdir(proc)) {
    const std::string pid = entry->d_name;
    if (pid.find_first_not_of("0123456789") != std::string::npos) continue;
    if (pid == std::to_string(::getpid())) continue;
    const Result<std::string> arguments = read_file("/proc/" + pid + "/cmdline");
    if (arguments && arguments->find(word) != std::string::npos) ++found;
  }
  ::closedir(proc);
  return found;
}

/// Waits up to `limit` until exactly `count` processes have the word.
inline bool wait_for_processes(const std::string& word, int count,
                               std::chrono::milliseconds limit = std::chrono::seconds{5}) {
  const auto end = std::chrono::steady_clock::now() + limit;
  while (processes_with(word) != count) {
    if (std::chrono::steady_clock::now() > end) return false;
    std::this_thread::sleep_for(std::chrono::milliseconds{10});
  }
  return true;
}

inline ProcessOutput run(ProcessRunner& runner, const Command& command) {
  Result<ProcessOutput> output = runner.run(command);
  if (!output) {
    ADD_FAILURE() << output.error().message;
    return {};
  }
  return *std::move(output);
}

}  // namespace tenline
