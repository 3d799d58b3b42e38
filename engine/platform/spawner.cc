// A request is one packet to the spawner: no bytes that matter, but descriptors: the control socket
// of this tree, a file in memory with the request, the user namespace where there is one, and the
// program's own. The spawner forks a keeper for it and forgets it; the keeper answers on the
// control socket. So threads do not wait for each other and nobody has to sort answers.

#include "engine/platform/spawner.h"

#include <fcntl.h>
#include <linux/close_range.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>

#include "engine/platform/spawner_keeper.h"

namespace tenline {

namespace {

constexpr std::size_t k_max_fds = 16;
constexpr std::size_t k_max_request = std::size_t{16} << 20U;

struct Message {
  bool has_user_namespace = false;
  std::vector<int> fds;
};

bool send_message(int socket, const Message& message) {
  char flag = message.has_user_namespace ? 1 : 0;
  iovec part{.iov_base = &flag, .iov_len = 1};
  alignas(cmsghdr) std::array<char, CMSG_SPACE(sizeof(int) * k_max_fds)> space{};
  msghdr header{};
  header.msg_iov = &part;
  header.msg_iovlen = 1;
  header.msg_control = space.data();
  header.msg_controllen = CMSG_SPACE(sizeof(int) * message.fds.size());
  cmsghdr* control = CMSG_FIRSTHDR(&header);
  control->cmsg_level = SOL_SOCKET;
  control->cmsg_type = SCM_RIGHTS;
  control->cmsg_len = CMSG_LEN(sizeof(int) * message.fds.size());
  std::memcpy(CMSG_DATA(control), message.fds.data(), sizeof(int) * message.fds.size());
  ssize_t sent = 0;
  do {
    sent = ::sendmsg(socket, &header, MSG_NOSIGNAL);
  } while (sent < 0 && errno == EINTR);
  return sent == 1;
}

/// False when the engine is gone.
bool receive_message(int socket, Message& message) {
  char flag = 0;
  iovec part{.iov_base = &flag, .iov_len = 1};
  alignas(cmsghdr) std::array<char, CMSG_SPACE(sizeof(int) * k_max_fds)> space{};
  msghdr header{};
  header.msg_iov = &part;
  header.msg_iovlen = 1;
  header.msg_control = space.data();
  header.msg_controllen = space.size();
  ssize_t n = 0;
  do {
    n = ::recvmsg(socket, &header, MSG_CMSG_CLOEXEC);
  } while (n < 0 && errno == EINTR);
  if (n != 1) return false;
  message.has_user_namespace = flag == 1;
  message.fds.clear();
  const cmsghdr* control = CMSG_FIRSTHDR(&header);
  if (control == nullptr || control->cmsg_type != SCM_RIGHTS) return true;
  message.fds.resize((control->cmsg_len - CMSG_LEN(0)) / sizeof(int));
  std::memcpy(message.fds.data(), CMSG_DATA(control), sizeof(int) * message.fds.size());
  return true;
}

[[noreturn]] void run_keeper(const Message& message) {
  const std::size_t own = message.has_user_namespace ? 3 : 2;  // The rest is the program's.
  if (message.fds.size() < own) ::_exit(1);
  SpawnRequest request = request_from_bytes(read_available(message.fds[1], k_max_request));
  ::close(message.fds[1]);
  if (message.has_user_namespace) request.user_namespace = message.fds[2];
  request.fds.assign(message.fds.begin() + static_cast<std::ptrdiff_t>(own), message.fds.end());
  keep(UniqueFd(message.fds[0]), request);
}

/// The life of the spawner.
[[noreturn]] void serve(int inherited_socket, pid_t engine) {
  ::setsid();  // Ctrl-C and a closed terminal are the engine's to answer.
  for (const int ignored : {SIGINT, SIGHUP, SIGQUIT, SIGTSTP, SIGPIPE}) ::signal(ignored, SIG_IGN);
  ::signal(SIGTERM, SIG_DFL);
  ::signal(SIGCHLD, SIG_IGN);  // Keepers need no funeral.
  sigset_t none;
  ::sigemptyset(&none);
  ::sigprocmask(SIG_SETMASK, &none, nullptr);
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  ::prctl(PR_SET_NAME, "tenline-spawner");
  if (::getppid() != engine) ::_exit(1);

  const int socket = ::fcntl(inherited_socket, F_DUPFD_CLOEXEC, 3);
  const int null = ::open("/dev/null", O_RDWR | O_CLOEXEC);
  if (socket < 0 || null < 0) ::_exit(1);
  for (const int fd : {0, 1, 2}) ::dup2(null, fd);
  if (::dup3(socket, 3, O_CLOEXEC) < 0 && socket != 3) ::_exit(1);
  ::close_range(4, ~0U, 0);

  Message message;
  while (receive_message(3, message)) {
    const pid_t keeper = ::fork();
    if (keeper == 0) {
      ::close(3);
      run_keeper(message);
    }
    // On failure closing the control socket is the answer.
    for (const int fd : message.fds) ::close(fd);
  }
  ::_exit(0);  // The keepers get their parent-death signal.
}

/// Waits for one packet; false where the keeper is gone.
bool receive_reply(int control, KeeperReply& reply) {
  ssize_t n = 0;
  do {
    n = ::recv(control, &reply, sizeof reply, 0);
  } while (n < 0 && errno == EINTR);
  return n == sizeof reply;
}

}  // namespace

void SpawnedTree::kill() const {
  // The end of the stream, not a byte: a keeper that left one unread would take its answer along.
  // Fails only where the keeper is gone already.
  if (::shutdown(control_.get(), SHUT_WR) != 0) errno = 0;
}

Result<SpawnEnd> SpawnedTree::end() const {
  KeeperReply reply;
  if (!receive_reply(control_.get(), reply) || reply.kind != KeeperReply::Kind::ended) {
    return fail(ErrorCode::io, "the process that watched a program was killed");
  }
  return SpawnEnd{.status = reply.value, .cpu_seconds = reply.cpu_seconds};
}

Result<Spawner> Spawner::start() {
  std::array<int, 2> ends{};
  if (::socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends.data()) != 0) {
    return fail_errno("make the spawner's socket");
  }
  UniqueFd ours(ends[0]);
  const UniqueFd theirs(ends[1]);
  const pid_t engine = ::getpid();
  const pid_t pid = ::fork();
  if (pid < 0) return fail_errno("start the spawner");
  if (pid == 0) serve(ends[1], engine);
  return Spawner(std::move(ours), pid);
}

Spawner::Spawner(Spawner&& other) noexcept
    : socket_(std::move(other.socket_)), pid_(std::exchange(other.pid_, -1)) {}

Spawner::~Spawner() {
  socket_.reset();
  if (pid_ <= 0) return;
  while (::waitpid(pid_, nullptr, 0) < 0 && errno == EINTR) {
  }
}

Result<SpawnedTree> Spawner::spawn(const SpawnRequest& request) const {
  TENLINE_CHECK(!request.argv.empty(), "a request names a program");
  TENLINE_CHECK(request.fds.size() + 3 <= k_max_fds, "a request has few descriptors");
  TENLINE_TRY(const UniqueFd bytes, memory_file(to_bytes(request)));
  std::array<int, 2> ends{};
  if (::socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends.data()) != 0) {
    return fail_errno("make a control socket");
  }
  SpawnedTree tree{UniqueFd(ends[0])};
  UniqueFd theirs(ends[1]);
  Message message{.has_user_namespace = request.user_namespace >= 0,
                  .fds = {theirs.get(), bytes.get()}};
  if (message.has_user_namespace) message.fds.push_back(request.user_namespace);
  message.fds.insert(message.fds.end(), request.fds.begin(), request.fds.end());
  if (!send_message(socket_.get(), message)) return fail_errno("reach the spawner");
  theirs.reset();
  KeeperReply reply;
  if (!receive_reply(tree.control(), reply)) {
    return fail(ErrorCode::unavailable, "the spawner could not make a process");
  }
  if (reply.kind == KeeperReply::Kind::failed) {
    errno = reply.value;
    return fail_errno(fmt::format("start {}", request.argv.front()));
  }
  return tree;
}

}  // namespace tenline
