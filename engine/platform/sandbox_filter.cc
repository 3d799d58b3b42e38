// A list of what is refused, not of what is allowed: the frameworks use most of the rest, and what
// a newer C library needs would be missing. For the same reason calls younger than this filter do
// not exist in a sandbox: libraries know older ways. Arguments are compared in the bits that the
// kernel looks at, or 2^32 + TIOCSTI would pass for another number.

#include "engine/platform/sandbox_filter.h"

#include <fcntl.h>
#include <sched.h>
#include <seccomp.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdint>
#include <cstring>
#include <memory>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/base/text.h"
#include "engine/platform/fd.h"

namespace tenline {

namespace {

constexpr auto k_refused = std::to_array<std::string_view>({
    "kcmp ptrace process_vm_readv process_vm_writev",
    "chroot mount mount_setattr move_mount open_tree pivot_root umount2",
    "fsconfig fsmount fsopen fspick",
    "setns unshare",
    "add_key keyctl request_key",
    "bpf io_uring_enter io_uring_register io_uring_setup perf_event_open userfaultfd",
    "fanotify_init lookup_dcookie name_to_handle_at open_by_handle_at",
    "ioperm iopl modify_ldt personality",
    "delete_module finit_module init_module kexec_file_load kexec_load",
    "adjtimex clock_adjtime clock_settime settimeofday",
    "acct quotactl quotactl_fd reboot swapoff swapon syslog vhangup",
});

/// As on a kernel without them. The arguments of `clone3` and `openat2` are in memory, where no
/// filter sees them; libraries go on with `clone` and `openat`. Segments of `shmget` are memory
/// that belongs to no process, so that nobody could count it.
constexpr std::string_view k_missing = "clone3 openat2 shmget";
constexpr int k_first_younger = 451;  // Numbers are the same on all architectures since 424.
constexpr int k_end_younger = 512;

constexpr auto k_namespaces =
    std::to_array<unsigned>({CLONE_NEWNS, CLONE_NEWCGROUP, CLONE_NEWUTS, CLONE_NEWIPC,
                             CLONE_NEWUSER, CLONE_NEWPID, CLONE_NEWNET});
/// They type into a terminal, or load line disciplines.
constexpr auto k_terminal_requests = std::to_array<unsigned>({TIOCSTI, TIOCLINUX, TIOCSETD});
/// System calls that give a file its mode, and the argument that it is.
constexpr auto k_modes = std::to_array<std::pair<int, unsigned>>({{SCMP_SYS(chmod), 1},
                                                                  {SCMP_SYS(fchmod), 1},
                                                                  {SCMP_SYS(fchmodat), 2},
                                                                  {SCMP_SYS(creat), 1},
                                                                  {SCMP_SYS(mknod), 1},
                                                                  {SCMP_SYS(mknodat), 2}});

struct FilterDeleter {
  void operator()(void* filter) const { seccomp_release(filter); }
};

scmp_arg_cmp has_bits(unsigned argument, std::uint64_t bits) {
  return {.arg = argument, .op = SCMP_CMP_MASKED_EQ, .datum_a = bits, .datum_b = bits};
}

scmp_arg_cmp compare(unsigned argument, scmp_compare how, std::uint64_t value) {
  return {.arg = argument, .op = how, .datum_a = value, .datum_b = 0};
}

/// Collects rules; remembers the first failure.
class Filter {
 public:
  Filter() : filter_(seccomp_init(SCMP_ACT_ALLOW)) {
    if (!filter_) failure_ = ENOMEM;
    check(seccomp_attr_set(filter_.get(), SCMP_FLTATR_ACT_BADARCH, SCMP_ACT_ERRNO(ENOSYS)));
    check(seccomp_attr_set(filter_.get(), SCMP_FLTATR_CTL_OPTIMIZE, 2));  // A binary tree.
  }

  /// System calls by name, separated by spaces. A name that nobody knows is a failure.
  void refuse(std::string_view names, int error) {
    for (const std::string_view name : split(names, ' ')) {
      refuse(seccomp_syscall_resolve_name(std::string(name).c_str()), error);
    }
  }

  void refuse(int call, int error, const std::vector<scmp_arg_cmp>& where = {}) {
    check(seccomp_rule_add_array(filter_.get(), SCMP_ACT_ERRNO(static_cast<unsigned>(error)), call,
                                 static_cast<unsigned>(where.size()), where.data()));
  }

  /// The filter as a program of the kernel's filter machine.
  Result<std::string> program() {
    TENLINE_TRY(const UniqueFd file, memory_file(""));
    if (failure_ == 0) check(seccomp_export_bpf(filter_.get(), file.get()));
    if (failure_ != 0) {
      return fail(ErrorCode::unavailable,
                  fmt::format("cannot make the sandbox's filter of system calls: {}",
                              std::strerror(failure_)));
    }
    if (::lseek(file.get(), 0, SEEK_SET) != 0) return fail_errno("rewind a file in memory");
    return read_available(file.get(), std::size_t{1} << 20U);
  }

 private:
  void check(int result) {
    if (result < 0 && failure_ == 0) failure_ = -result;
  }

  std::unique_ptr<void, FilterDeleter> filter_;
  int failure_ = 0;
};

void refuse_sockets(Filter& filter) {
  for (std::uint64_t family = 0; family < AF_NETLINK; ++family) {
    if (family == AF_UNIX || family == AF_INET || family == AF_INET6) continue;
    filter.refuse(SCMP_SYS(socket), EAFNOSUPPORT, {compare(0, SCMP_CMP_EQ, family)});
  }
  filter.refuse(SCMP_SYS(socket), EAFNOSUPPORT, {compare(0, SCMP_CMP_GT, AF_NETLINK)});
  // Only routes, 0: the C library lists interfaces and addresses with it.
  filter.refuse(SCMP_SYS(socket), EAFNOSUPPORT,
                {compare(0, SCMP_CMP_EQ, AF_NETLINK), compare(2, SCMP_CMP_NE, 0)});
}

void refuse_set_user_id(Filter& filter) {
  for (const auto& [call, mode] : k_modes) filter.refuse(call, EPERM, {has_bits(mode, S_ISUID)});
  for (const std::uint64_t creates : {std::uint64_t{O_CREAT}, std::uint64_t{O_TMPFILE}}) {
    filter.refuse(SCMP_SYS(open), EPERM, {has_bits(1, creates), has_bits(2, S_ISUID)});
    filter.refuse(SCMP_SYS(openat), EPERM, {has_bits(2, creates), has_bits(3, S_ISUID)});
  }
}

}  // namespace

Result<std::string> make_system_call_filter() {
  Filter filter;
  for (const std::string_view names : k_refused) filter.refuse(names, EPERM);
  filter.refuse(k_missing, ENOSYS);
  for (int call = k_first_younger; call < k_end_younger; ++call) filter.refuse(call, ENOSYS);
  for (const unsigned flag : k_namespaces) {
    filter.refuse(SCMP_SYS(clone), EPERM, {has_bits(0, flag)});
  }
  for (const unsigned request : k_terminal_requests) {
    filter.refuse(
        SCMP_SYS(ioctl), EPERM,
        {{.arg = 1, .op = SCMP_CMP_MASKED_EQ, .datum_a = 0xFFFFFFFF, .datum_b = request}});
  }
  refuse_sockets(filter);
  refuse_set_user_id(filter);
  return filter.program();
}

}  // namespace tenline
