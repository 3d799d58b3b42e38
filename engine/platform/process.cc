#include "engine/platform/process.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>

#include "engine/base/text.h"
#include "engine/platform/disk.h"

namespace tenline {

namespace {

using Clock = std::chrono::steady_clock;
using std::chrono::milliseconds;

constexpr milliseconds k_first_look{10};  // A short-lived sandbox should be seen at least once.
constexpr milliseconds k_look{100};
constexpr milliseconds k_longest{std::chrono::hours{24 * 365}};
constexpr milliseconds k_patience{20'000};  // For a killed tree to be gone.
constexpr std::string_view k_default_path =
    "/usr/local/bin:/usr/bin:/bin:/usr/local/sbin:/usr/sbin:/sbin";

/// One run: its pipes, and why it was ended, if it was.
class Supervision {
 public:
  Supervision(const SpawnedTree& tree, const ProcessLimits& limits, const StopRequest& stop,
              TreeWatch* watch)
      : tree_(tree), limits_(limits), stop_(stop), watch_(watch) {}

  Result<ProcessOutput> run(Clock::time_point start, UniqueFd out, UniqueFd err) {
    const Clock::time_point deadline = start + std::min(limits_.time, k_longest);
    streams_[0].fd = std::move(out);
    streams_[1].fd = std::move(err);
    if (stop_ && stop_()) kill(ProcessEnd::cancelled);
    Clock::time_point next_look = start + k_first_look;
    milliseconds pause = k_first_look;
    for (;;) {
      const Clock::time_point wake = std::min(next_look, ended_ ? next_look : deadline);
      if (wait(wake)) break;
      const Clock::time_point now = Clock::now();
      if (streams_[0].text.total() + streams_[1].text.total() > limits_.output) {
        kill(ProcessEnd::output_limit);
      }
      if (now >= deadline) kill(ProcessEnd::timed_out);
      if (ended_ && now > killed_at_ + k_patience) {
        return fail(ErrorCode::io, "a killed program does not end");
      }
      if (now < next_look) continue;
      look();
      pause = std::min(pause * 2, k_look);
      next_look = now + pause;
    }
    TENLINE_TRY(const SpawnEnd end, tree_.end());
    drain();
    return output(end, start);
  }

 private:
  struct Stream {
    UniqueFd fd;
    CappedText text;
  };

  void kill(ProcessEnd why) {
    if (ended_) return;
    ended_ = why;
    killed_at_ = Clock::now();
    tree_.kill();
  }

  void look() {
    if (ended_) return;
    if (stop_ && stop_()) kill(ProcessEnd::cancelled);
    if (ended_ || watch_ == nullptr) return;
    if (const std::optional<ProcessEnd> limit = watch_->look()) kill(*limit);
  }

  /// Waits for output or the end; true at the end of the tree.
  bool wait(Clock::time_point until) {
    const auto left = std::chrono::ceil<milliseconds>(until - Clock::now()).count();
    std::array<pollfd, 3> ready{{{.fd = streams_[0].fd.get(), .events = POLLIN, .revents = 0},
                                 {.fd = streams_[1].fd.get(), .events = POLLIN, .revents = 0},
                                 {.fd = tree_.control(), .events = POLLIN, .revents = 0}}};
    const int timeout = static_cast<int>(std::clamp<long long>(left, 0, k_look.count()));
    if (::poll(ready.data(), ready.size(), timeout) < 0) return false;
    for (std::size_t i = 0; i < streams_.size(); ++i) {
      if (ready[i].revents != 0) read_some(streams_[i]);
    }
    return ready[2].revents != 0;
  }

  /// False when there is nothing to read now.
  static bool read_some(Stream& stream) {
    std::array<char, std::size_t{64} << 10U> buffer;
    const ssize_t n = ::read(stream.fd.get(), buffer.data(), buffer.size());
    if (n > 0) {
      stream.text.add({buffer.data(), static_cast<std::size_t>(n)});
      return true;
    }
    if (n == 0) stream.fd.reset();  // poll ignores -1.
    return n < 0 && errno == EINTR;
  }

  /// After the end: only what the pipes still hold, for an escaped process may hold their ends.
  void drain() {
    constexpr int k_most_reads = 32;  // A pipe holds at most 1 MiB.
    for (Stream& stream : streams_) {
      for (int i = 0; i < k_most_reads && stream.fd && read_some(stream); ++i) {
      }
    }
  }

  ProcessOutput output(const SpawnEnd& end, Clock::time_point start) {
    if (streams_[0].text.total() + streams_[1].text.total() > limits_.output && !ended_) {
      ended_ = ProcessEnd::output_limit;
    }
    ProcessOutput result;
    result.out = streams_[0].text.text();
    result.err = streams_[1].text.text();
    result.seconds = std::chrono::duration<double>(Clock::now() - start).count();
    const double seen = watch_ == nullptr ? 0 : watch_->cpu_seconds();
    result.cpu_seconds = std::max(end.cpu_seconds, seen);
    if (ended_) {
      result.end = *ended_;
    } else if (WIFSIGNALED(end.status)) {
      result.end = ProcessEnd::signalled;
      result.signal = WTERMSIG(end.status);
    } else {
      result.exit_code = WEXITSTATUS(end.status);
    }
    return result;
  }

  const SpawnedTree& tree_;
  const ProcessLimits& limits_;
  const StopRequest& stop_;
  TreeWatch* watch_;
  std::array<Stream, 2> streams_;
  std::optional<ProcessEnd> ended_;
  Clock::time_point killed_at_;
};

bool holds_nul(std::string_view text) { return text.find('\0') != std::string_view::npos; }

class UnsafeRunner final : public ProcessRunner {
 public:
  UnsafeRunner(const Spawner& spawner, StopRequest stop)
      : spawner_(spawner), stop_(std::move(stop)) {}

  Result<ProcessOutput> run(const Command& command) override {
    TENLINE_TRY(const TemporaryFolder scratch, TemporaryFolder::make("tenline-run"));
    SpawnRequest request;
    TENLINE_TRY(request.environment, full_environment(command, scratch.path(), scratch.path()));
    TENLINE_TRY(const std::string program, resolve_program(command));
    request.argv = command.argv;
    request.argv.front() = program;
    request.cwd = command.cwd.empty() ? scratch.path() : command.cwd;
    request.limits = {{RLIMIT_CORE, 0}, {RLIMIT_FSIZE, command.limits.scratch}};
    return supervise(spawner_, std::move(request), command.limits, stop_, nullptr);
  }

 private:
  const Spawner& spawner_;
  StopRequest stop_;
};

}  // namespace

void CappedText::add(std::string_view bytes) {
  total_ += bytes.size();
  const std::size_t to_head = std::min(bytes.size(), k_part - head_.size());
  head_.append(bytes.substr(0, to_head));
  tail_.append(bytes.substr(to_head));
  if (tail_.size() > 2 * k_part) tail_.erase(0, tail_.size() - k_part);
}

std::string CappedText::text() const {
  std::string_view end = tail_;
  if (end.size() > k_part) end.remove_prefix(end.size() - k_part);
  const std::size_t left_out = total_ - head_.size() - end.size();
  if (left_out == 0) return fmt::format("{}{}", head_, end);
  return fmt::format("{}\n[tenline: {} bytes left out]\n{}", head_, left_out, end);
}

Result<ProcessOutput> supervise(const Spawner& spawner, SpawnRequest request,
                                const ProcessLimits& limits, const StopRequest& stop,
                                TreeWatch* watch, UniqueFd given_away) {
  TENLINE_TRY(Pipe out, make_pipe());
  TENLINE_TRY(Pipe err, make_pipe());
  const UniqueFd null(::open("/dev/null", O_RDONLY | O_CLOEXEC));
  if (!null) return fail_errno("open /dev/null");
  request.fds.insert(request.fds.begin(), {null.get(), out.write.get(), err.write.get()});
  const Clock::time_point start = Clock::now();
  TENLINE_TRY(const SpawnedTree tree, spawner.spawn(request));
  out.write.reset();
  err.write.reset();
  given_away.reset();
  return Supervision(tree, limits, stop, watch)
      .run(start, std::move(out.read), std::move(err.read));
}

Result<std::vector<std::string>> full_environment(const Command& command, const std::string& home,
                                                  const std::string& temporary) {
  std::map<std::string, std::string> all = {
      {"HOME", home},      {"TMPDIR", temporary}, {"PATH", std::string(k_default_path)},
      {"LANG", "C.UTF-8"}, {"USER", "tenline"},   {"LOGNAME", "tenline"}};
  for (const auto& [name, value] : command.environment) all[name] = value;
  std::vector<std::string> result;
  for (const auto& [name, value] : all) {
    if (name.empty() || name.find('=') != std::string::npos || holds_nul(name) ||
        holds_nul(value)) {
      return fail(ErrorCode::invalid_input,
                  fmt::format("not an environment variable: {}", to_valid_utf8(name)));
    }
    result.push_back(fmt::format("{}={}", name, value));
  }
  return result;
}

Result<std::string> resolve_program(const Command& command) {
  if (command.argv.empty() || command.argv.front().empty()) {
    return fail(ErrorCode::invalid_input, "a command without a program");
  }
  for (const std::string& argument : command.argv) {
    if (holds_nul(argument)) {
      return fail(ErrorCode::invalid_input, "an argument of a command holds a zero byte");
    }
  }
  const std::string& name = command.argv.front();
  const auto path = command.environment.find("PATH");
  return find_program(name, path == command.environment.end() ? k_default_path : path->second,
                      command.cwd);
}

std::unique_ptr<ProcessRunner> make_unsafe_runner(const Spawner& spawner, StopRequest stop) {
  return std::make_unique<UnsafeRunner>(spawner, std::move(stop));
}

}  // namespace tenline
