// One keeper per program. Being a subreaper it inherits every orphan below it, so that "no child is
// left" means that the tree is gone, whatever the programs did with sessions and double forks.
// Inside a sandbox the first process of the pid namespace does the same, and its end is enforced by
// the kernel; the keeper then closes the gap in which the sandbox is still being made.

#include "engine/platform/spawner_keeper.h"

#include <fcntl.h>
#include <linux/close_range.h>
#include <poll.h>
#include <sched.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <csignal>
#include <cstring>

#include "engine/base/text.h"

namespace tenline {

namespace {

constexpr int k_exec_failed = 127;
constexpr int k_sweep_tries = 500;  // Of 10 ms: what then still lives is in the kernel's hands.

void put_number(std::string& bytes, std::uint64_t number) {
  bytes.append(std::to_string(number)).push_back('\0');
}

void put_texts(std::string& bytes, const std::vector<std::string>& texts) {
  put_number(bytes, texts.size());
  for (const std::string& text : texts) bytes.append(text).push_back('\0');
}

/// Takes what the functions above put, in the same order.
class Reader {
 public:
  explicit Reader(std::string_view bytes) : bytes_(bytes) {}
  std::string text() {
    const std::size_t end = std::min(bytes_.find('\0'), bytes_.size());
    std::string result(bytes_.substr(0, end));
    bytes_.remove_prefix(std::min(end + 1, bytes_.size()));
    return result;
  }
  std::uint64_t number() {
    const std::string digits = text();
    std::uint64_t result = 0;
    std::from_chars(digits.data(), digits.data() + digits.size(), result);
    return result;
  }
  std::vector<std::string> texts() {
    std::vector<std::string> result;
    for (std::uint64_t left = number(); left > 0 && !bytes_.empty(); --left) {
      result.push_back(text());
    }
    return result;
  }

 private:
  std::string_view bytes_;
};

void set_limit(int resource, rlim_t value) {
  rlimit limit{};
  if (::getrlimit(static_cast<__rlimit_resource_t>(resource), &limit) != 0) return;
  limit.rlim_max = std::min(limit.rlim_max, value);
  limit.rlim_cur = limit.rlim_max;
  ::setrlimit(static_cast<__rlimit_resource_t>(resource), &limit);
}

/// Candidates go first when the machine runs out of memory.
void offer_to_oom_killer() {
  const UniqueFd file(::open("/proc/self/oom_score_adj", O_WRONLY | O_CLOEXEC));
  if (file && ::write(file.get(), "1000", 4) != 4) errno = 0;  // Best effort.
}

/// Makes the descriptors 0, 1, 2, ... and all others closed at exec.
bool place_descriptors(const std::vector<int>& fds) {
  std::vector<int> high;
  high.reserve(fds.size());
  for (const int fd : fds) high.push_back(::fcntl(fd, F_DUPFD_CLOEXEC, 64));
  for (std::size_t i = 0; i < high.size(); ++i) {
    if (high[i] < 0 || ::dup2(high[i], static_cast<int>(i)) < 0) return false;
  }
  const auto first_other = static_cast<unsigned>(fds.size());
  return ::close_range(first_other, ~0U, CLOSE_RANGE_CLOEXEC) == 0;
}

std::vector<char*> pointers(std::vector<std::string>& texts) {
  std::vector<char*> result;
  result.reserve(texts.size() + 1);
  for (std::string& text : texts) result.push_back(text.data());
  result.push_back(nullptr);
  return result;
}

/// Becomes the program; comes back with errno set if that fails.
void become(SpawnRequest request, pid_t keeper) {
  for (int number = 1; number < NSIG; ++number) ::signal(number, SIG_DFL);
  sigset_t none;
  ::sigemptyset(&none);
  ::sigprocmask(SIG_SETMASK, &none, nullptr);
  ::umask(022);
  ::setpgid(0, 0);
  offer_to_oom_killer();
  if (request.user_namespace >= 0 && ::setns(request.user_namespace, CLONE_NEWUSER) != 0) return;
  // After setns: a change of credentials clears it.
  if (::prctl(PR_SET_PDEATHSIG, SIGKILL) != 0 || ::getppid() != keeper) return;
  if (::chdir(request.cwd.c_str()) != 0) return;
  if (!place_descriptors(request.fds)) return;
  const std::vector<char*> argv = pointers(request.argv);
  const std::vector<char*> environment = pointers(request.environment);
  // Last: nothing of ours may need memory under the program's limits.
  for (const auto& [resource, value] : request.limits) set_limit(resource, value);
  // The engine that watches goes first, or a fork bomb would starve it.
  constexpr int k_behind_the_engine = 5;
  errno = 0;
  [[maybe_unused]] const int niceness = ::nice(k_behind_the_engine);
  ::execve(argv[0], argv.data(), environment.data());
}

/// Forks the program; gives its id, or -errno.
int start_program(const SpawnRequest& request) {
  std::array<int, 2> failure{};
  if (::pipe2(failure.data(), O_CLOEXEC) != 0) return -errno;
  const pid_t keeper = ::getpid();
  const pid_t pid = ::fork();
  if (pid < 0) return -errno;
  if (pid == 0) {
    const UniqueFd report(::fcntl(failure[1], F_DUPFD_CLOEXEC, 128));
    become(request, keeper);
    const int error = errno;
    if (::write(report.get(), &error, sizeof error) < 0) ::_exit(k_exec_failed);
    ::_exit(k_exec_failed);
  }
  ::close(failure[1]);
  int error = 0;
  const ssize_t n = ::read(failure[0], &error, sizeof error);
  ::close(failure[0]);
  if (n != sizeof error) return pid;
  ::waitpid(pid, nullptr, 0);
  return -error;
}

void answer(const UniqueFd& control, const KeeperReply& reply) {
  // The engine may be gone; then nobody needs the answer.
  if (::send(control.get(), &reply, sizeof reply, MSG_NOSIGNAL) < 0) errno = 0;
}

void kill_children() {
  const std::string path = fmt::format("/proc/self/task/{}/children", ::getpid());
  const UniqueFd file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (!file) return;
  const std::string text = read_available(file.get(), std::size_t{1} << 20U);
  for (const std::string_view word : split(text, ' ')) {
    pid_t pid = 0;
    std::from_chars(word.data(), word.data() + word.size(), pid);
    if (pid > 0) ::kill(pid, SIGKILL);
  }
}

/// Kills and waits until no child is left; orphans come to us one generation after the other.
void sweep(int signals) {
  for (int i = 0; i < k_sweep_tries; ++i) {
    kill_children();
    pid_t pid = 0;
    while ((pid = ::waitpid(-1, nullptr, WNOHANG)) > 0) {
    }
    if (pid < 0 && errno == ECHILD) return;
    pollfd ready{.fd = signals, .events = POLLIN, .revents = 0};
    signalfd_siginfo signal{};
    if (::poll(&ready, 1, 10) > 0 && ::read(signals, &signal, sizeof signal) < 0) errno = 0;
  }
}

double children_cpu_seconds() {
  rusage usage{};
  ::getrusage(RUSAGE_CHILDREN, &usage);
  const auto seconds = [](const timeval& t) {
    return static_cast<double>(t.tv_sec) + (static_cast<double>(t.tv_usec) / 1e6);
  };
  return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

/// Descriptor on which SIGCHLD and SIGTERM, the death of the spawner, arrive.
int watch_signals() {
  ::signal(SIGCHLD, SIG_DFL);
  sigset_t set;
  ::sigemptyset(&set);
  ::sigaddset(&set, SIGCHLD);
  ::sigaddset(&set, SIGTERM);
  ::sigprocmask(SIG_SETMASK, &set, nullptr);
  return ::signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
}

/// Waits until the program ends or its end is asked for; gives its wait status.
int wait_for(pid_t program, int signals, const UniqueFd& control) {
  for (;;) {
    std::array<pollfd, 2> ready{{{.fd = signals, .events = POLLIN, .revents = 0},
                                 {.fd = control.get(), .events = POLLIN, .revents = 0}}};
    if (::poll(ready.data(), ready.size(), -1) < 0 && errno != EINTR) break;
    if (ready[1].revents != 0) break;
    signalfd_siginfo signal{};
    bool spawner_died = false;
    while (::read(signals, &signal, sizeof signal) == sizeof signal) {
      spawner_died = spawner_died || signal.ssi_signo == SIGTERM;
    }
    if (spawner_died) break;
    int status = 0;
    pid_t pid = 0;
    while ((pid = ::waitpid(-1, &status, WNOHANG)) > 0) {
      if (pid == program) return status;
    }
  }
  ::kill(-program, SIGKILL);  // The group, while its leader cannot have been reaped.
  ::kill(program, SIGKILL);
  int status = 0;
  while (::waitpid(program, &status, 0) < 0 && errno == EINTR) {
  }
  return status;
}

}  // namespace

std::string to_bytes(const SpawnRequest& request) {
  std::string bytes;
  put_texts(bytes, request.argv);
  put_texts(bytes, request.environment);
  bytes.append(request.cwd).push_back('\0');
  put_number(bytes, request.limits.size());
  for (const auto& [resource, value] : request.limits) {
    put_number(bytes, static_cast<std::uint64_t>(resource));
    put_number(bytes, value);
  }
  return bytes;
}

SpawnRequest request_from_bytes(std::string_view bytes) {
  Reader reader(bytes);
  SpawnRequest request;
  request.argv = reader.texts();
  request.environment = reader.texts();
  request.cwd = reader.text();
  for (std::uint64_t left = reader.number(); left > 0; --left) {
    const int resource = static_cast<int>(reader.number());
    request.limits.emplace_back(resource, reader.number());
  }
  return request;
}

void keep(UniqueFd control, const SpawnRequest& request) {
  const pid_t spawner = ::getppid();
  const int signals = watch_signals();
  ::setsid();
  ::prctl(PR_SET_PDEATHSIG, SIGTERM);
  ::prctl(PR_SET_CHILD_SUBREAPER, 1);
  if (signals < 0 || ::getppid() != spawner) ::_exit(1);

  const int program = start_program(request);
  for (const int fd : request.fds) ::close(fd);
  if (program < 0) {
    answer(control, {.kind = KeeperReply::Kind::failed, .value = -program});
    ::_exit(0);
  }
  answer(control, {.kind = KeeperReply::Kind::started});
  const int status = wait_for(program, signals, control);
  sweep(signals);
  answer(
      control,
      {.kind = KeeperReply::Kind::ended, .value = status, .cpu_seconds = children_cpu_seconds()});
  ::_exit(0);
}

}  // namespace tenline
