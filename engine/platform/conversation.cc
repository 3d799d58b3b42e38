#include "engine/platform/conversation.h"

#include <poll.h>
#include <sys/socket.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <thread>

#include "engine/base/text.h"

namespace tenline {

namespace {

/// A supervised program with a socket. The thread that supervises it ends with the program.
class SocketConversation final : public Conversation {
 public:
  SocketConversation(UniqueFd ours, UniqueFd theirs, StopRequest stop, RunWithChannel run)
      : channel_(std::move(ours)), stop_(std::move(stop)) {
    thread_ = std::thread([this, run = std::move(run), theirs = std::move(theirs)]() mutable {
      end_ = run([this] { return closing_ || (stop_ && stop_()); }, std::move(theirs));
    });
  }
  SocketConversation(const SocketConversation&) = delete;
  SocketConversation& operator=(const SocketConversation&) = delete;
  ~SocketConversation() override {
    closing_ = true;
    channel_.reset();
    if (thread_.joinable()) thread_.join();
  }

  Result<std::string> ask(const std::string& line, std::chrono::milliseconds time) override {
    const auto deadline = std::chrono::steady_clock::now() + time;
    const std::string text = line + "\n";
    for (std::string_view rest = text; !rest.empty();) {
      TENLINE_TRY_VOID(wait(POLLOUT, deadline));
      const ssize_t n =
          ::send(channel_.get(), rest.data(), rest.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
      if (n > 0) rest.remove_prefix(static_cast<std::size_t>(n));
      if (n < 0 && errno != EAGAIN && errno != EINTR) return gone();
    }
    return receive(deadline);
  }

 private:
  using Clock = std::chrono::steady_clock;

  Result<std::string> receive(Clock::time_point deadline) {
    constexpr std::size_t k_longest = std::size_t{64} << 20U;
    std::string answer;
    std::array<char, std::size_t{64} << 10U> buffer;
    while (!answer.ends_with('\n')) {
      TENLINE_TRY_VOID(wait(POLLIN, deadline));
      const ssize_t n = ::recv(channel_.get(), buffer.data(), buffer.size(), MSG_DONTWAIT);
      if (n == 0 || (n < 0 && errno != EAGAIN && errno != EINTR)) return gone();
      if (n > 0) answer.append(buffer.data(), static_cast<std::size_t>(n));
      if (answer.size() > k_longest) return fail(ErrorCode::unavailable, "an endless answer");
    }
    answer.pop_back();
    return answer;
  }

  Result<void> wait(short events, Clock::time_point deadline) {
    constexpr int k_look = 100;
    for (;;) {
      if (stop_ && stop_()) return fail(ErrorCode::cancelled, "cancelled");
      if (Clock::now() >= deadline) return fail(ErrorCode::unavailable, "no answer in time");
      pollfd ready{.fd = channel_.get(), .events = events, .revents = 0};
      if (::poll(&ready, 1, k_look) > 0) return {};
    }
  }

  /// What became of the program.
  tl::unexpected<Error> gone() {
    closing_ = true;  // It may have closed its end only; a limit that it hit stays its end.
    if (thread_.joinable()) thread_.join();
    if (!end_) return tl::unexpected(end_.error());
    if (stop_ && stop_()) return fail(ErrorCode::cancelled, "cancelled");
    return fail(ErrorCode::unavailable, to_valid_utf8(fmt::format("{}: {}", to_string(end_->end),
                                                                  trim(tail(end_->err, 300)))));
  }

  UniqueFd channel_;
  StopRequest stop_;
  std::atomic<bool> closing_ = false;
  Result<ProcessOutput> end_;  ///< Of the thread, until it is joined.
  std::thread thread_;
};

}  // namespace

Result<std::unique_ptr<Conversation>> open_conversation(StopRequest stop, RunWithChannel run) {
  std::array<int, 2> ends{};
  if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()) != 0) {
    return fail_errno("make a socket");
  }
  UniqueFd ours(ends[0]);
  UniqueFd theirs(ends[1]);
  return std::make_unique<SocketConversation>(std::move(ours), std::move(theirs), std::move(stop),
                                              std::move(run));
}

}  // namespace tenline
