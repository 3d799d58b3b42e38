#pragma once

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <mutex>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

#include "tests/fakes.h"

namespace tenline {

/// Runs commands for real, but with no more containment than a time limit.
class TestProcessRunner : public ProcessRunner {
 public:
  [[nodiscard]] Result<ProcessOutput> run(const Command& command) override {
    {
      const std::scoped_lock lock(mutex_);
      commands.push_back(command);
    }
    const TemporaryFolder folder;
    const std::string out = folder.path() + "/out";
    const std::string err = folder.path() + "/err";
    const std::string scratch = command.cwd.empty() ? folder.path() : command.cwd;

    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_addopen(&actions, 1, out.c_str(), O_WRONLY | O_CREAT, 0600);
    posix_spawn_file_actions_addopen(&actions, 2, err.c_str(), O_WRONLY | O_CREAT, 0600);
    posix_spawn_file_actions_addchdir_np(&actions, scratch.c_str());
    std::vector<std::string> environment = {"PATH=/usr/bin:/bin", "HOME=" + folder.path(),
                                            "LANG=C.UTF-8"};
    for (const auto& [name, value] : command.environment) environment.push_back(name + "=" + value);
    pid_t child = 0;
    const auto start = std::chrono::steady_clock::now();
    const int failed = posix_spawn(&child, command.argv[0].c_str(), &actions, nullptr,
                                   pointers(command.argv).data(), pointers(environment).data());
    posix_spawn_file_actions_destroy(&actions);
    if (failed != 0) return fail(ErrorCode::not_found, command.argv[0] + ": cannot be started");

    ProcessOutput output;
    int status = 0;
    while (::waitpid(child, &status, WNOHANG) == 0) {
      if (std::chrono::steady_clock::now() - start > command.limits.time) {
        output.end = ProcessEnd::timed_out;
        ::kill(child, SIGKILL);
        ::waitpid(child, &status, 0);
        break;
      }
      std::this_thread::sleep_for(std::chrono::milliseconds(2));
    }
    output.seconds =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    output.cpu_seconds = output.seconds;
    output.out = text_of(out);
    output.err = text_of(err);
    if (output.end == ProcessEnd::timed_out) return output;
    if (WIFSIGNALED(status)) {
      output.end = ProcessEnd::signalled;
      output.signal = WTERMSIG(status);
    } else {
      output.exit_code = WEXITSTATUS(status);
    }
    return output;
  }

  std::vector<Command> commands;

 private:
  static std::vector<char*> pointers(const std::vector<std::string>& strings) {
    std::vector<char*> result;
    for (const std::string& text : strings) result.push_back(const_cast<char*>(text.c_str()));
    result.push_back(nullptr);
    return result;
  }
  static std::string text_of(const std::string& path) {
    std::ostringstream text;
    text << std::ifstream(path, std::ios::binary).rdbuf();
    return text.str();
  }

  std::mutex mutex_;
};

}  // namespace tenline
