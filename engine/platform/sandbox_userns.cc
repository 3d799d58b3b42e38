#include "engine/platform/sandbox_userns.h"

#include <fcntl.h>
#include <fts.h>
#include <sched.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <memory>

#include "engine/base/text.h"
#include "engine/platform/sandbox_profile.h"

namespace tenline {

namespace {

struct IdRange {
  unsigned long first = 0;
  unsigned long count = 0;
};

/// The ids that exist here, from /proc/self/uid_map or gid_map: lines of first, outer first, count.
std::vector<IdRange> own_ids(const char* map) {
  const UniqueFd file(::open(map, O_RDONLY | O_CLOEXEC));
  std::vector<IdRange> ranges;
  if (!file) return ranges;
  const std::string text = read_available(file.get(), 65536);
  for (const std::string_view line : split_lines(text)) {
    std::array<unsigned long, 3> numbers{};
    std::size_t found = 0;
    for (const std::string_view word : split(line, ' ')) {
      if (word.empty() || found == numbers.size()) continue;
      std::from_chars(word.data(), word.data() + word.size(), numbers[found++]);
    }
    if (found == numbers.size()) ranges.push_back({numbers[0], numbers[2]});
  }
  return ranges;
}

/// The child's side; only system calls, for the engine may have threads.
[[noreturn]] void hold_namespace(int to_parent, int from_parent) {
  char byte = 0;
  if (::unshare(CLONE_NEWUSER) != 0) ::_exit(1);
  if (::write(to_parent, "m", 1) != 1 || ::read(from_parent, &byte, 1) != 1) ::_exit(2);
  // The value belongs to the namespace of whoever opens the file.
  const int limit = ::open("/proc/sys/user/max_user_namespaces", O_WRONLY | O_CLOEXEC);
  if (limit < 0 || ::write(limit, "0", 1) != 1) ::_exit(3);
  ::_exit(0);
}

Result<void> write_map(pid_t pid, const char* name) {
  std::string map;
  for (const IdRange& range : own_ids(fmt::format("/proc/self/{}", name).c_str())) {
    map += fmt::format("{0} {0} {1}\n", range.first, range.count);
  }
  const UniqueFd file(::open(fmt::format("/proc/{}/{}", pid, name).c_str(), O_WRONLY | O_CLOEXEC));
  if (!file || ::write(file.get(), map.data(), map.size()) != static_cast<ssize_t>(map.size())) {
    return fail_errno(fmt::format("write the {} of a user namespace", name));
  }
  return {};
}

Result<UniqueFd> open_namespace(pid_t pid) {
  TENLINE_TRY_VOID(write_map(pid, "uid_map"));
  TENLINE_TRY_VOID(write_map(pid, "gid_map"));
  UniqueFd ns(::open(fmt::format("/proc/{}/ns/user", pid).c_str(), O_RDONLY | O_CLOEXEC));
  if (!ns) return fail_errno("open a user namespace");
  return ns;
}

}  // namespace

Result<UniqueFd> make_user_namespace() {
  std::array<int, 2> up{};
  std::array<int, 2> down{};
  if (::pipe2(up.data(), O_CLOEXEC) != 0) return fail_errno("make a pipe");
  const UniqueFd up_read(up[0]);
  UniqueFd up_write(up[1]);
  if (::pipe2(down.data(), O_CLOEXEC) != 0) return fail_errno("make a pipe");
  UniqueFd down_read(down[0]);
  UniqueFd down_write(down[1]);
  const pid_t pid = ::fork();
  if (pid < 0) return fail_errno("make a user namespace");
  if (pid == 0) {
    ::close(down[1]);
    hold_namespace(up[1], down[0]);
  }
  up_write.reset();
  down_read.reset();
  char byte = 0;
  Result<UniqueFd> ns = fail(
      ErrorCode::unavailable,
      "the sandbox cannot be made: root may not make a user namespace here; start a container with "
      "`--security-opt seccomp=unconfined --security-opt systempaths=unconfined`, or as root run "
      "`sysctl -w user.max_user_namespaces=15000`");
  if (::read(up_read.get(), &byte, 1) == 1) ns = open_namespace(pid);
  if (ns && ::write(down_write.get(), "g", 1) != 1) ns = fail_errno("finish a user namespace");
  down_write.reset();
  int status = 0;
  while (::waitpid(pid, &status, 0) < 0 && errno == EINTR) {
  }
  if (ns && status != 0) {
    return fail(ErrorCode::unavailable, "cannot forbid user namespaces inside the sandbox");
  }
  return ns;
}

bool can_give_users() {
  if (::geteuid() != 0) return false;
  for (const char* map : {"/proc/self/uid_map", "/proc/self/gid_map"}) {
    bool enough = false;
    for (const IdRange& range : own_ids(map)) {
      enough = enough ||
               (range.first <= k_first_uid && range.first + range.count >= k_first_uid + k_slots);
    }
    if (!enough) return false;
  }
  return true;
}

Result<void> give_folder(const std::string& path, unsigned uid) {
  std::string root = path;
  std::array<char*, 2> roots = {root.data(), nullptr};
  const std::unique_ptr<FTS, int (*)(FTS*)> walk(
      ::fts_open(roots.data(), FTS_PHYSICAL | FTS_NOCHDIR | FTS_XDEV, nullptr), ::fts_close);
  if (!walk) return fail_errno("walk " + path);
  while (FTSENT* entry = ::fts_read(walk.get())) {
    if (entry->fts_level == 1 && std::strcmp(entry->fts_name, ".git") == 0) {
      ::fts_set(walk.get(), entry, FTS_SKIP);
      continue;
    }
    if (entry->fts_info == FTS_DP || entry->fts_statp == nullptr) continue;
    const struct stat& status = *entry->fts_statp;
    const bool shared = !S_ISDIR(status.st_mode) && status.st_nlink > 1;
    if (shared || status.st_uid == uid) continue;
    if (::lchown(entry->fts_accpath, uid, uid) != 0 && entry->fts_level == 0) {
      return fail_errno("give " + path + " to the sandbox's user");
    }
  }
  return {};
}

}  // namespace tenline
