#include "engine/platform/sandbox_filter.h"

#include <gtest/gtest.h>
#include <sched.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>

#include "engine/platform/sandbox.h"
#include "tests/platform/programs.h"

namespace tenline {
namespace {

constexpr const char* k_before = R"(
import ctypes, errno, os, signal, socket, sys
libc = ctypes.CDLL(None, use_errno=True)
libc.syscall.restype = ctypes.c_long
def call(*numbers):
    ctypes.set_errno(0)
    result = libc.syscall(*map(ctypes.c_long, numbers))
    return errno.errorcode[ctypes.get_errno()] if result < 0 else result
)";

class SandboxFilterTest : public testing::Test {
 protected:
  void SetUp() override {
    auto runner = make_sandboxed_runner(spawner(), {});
    ASSERT_TRUE(runner) << runner.error().message;
    runner_ = *std::move(runner);
  }

  /// What a program prints that is given these numbers.
  std::string run(const std::string& code, const std::vector<long>& numbers) {
    Command command = python(k_before + code);
    for (const long number : numbers) command.argv.push_back(std::to_string(number));
    const ProcessOutput output = tenline::run(*runner_, command);
    EXPECT_EQ(output.exit_code, 0) << output.err;
    EXPECT_EQ(output.end, ProcessEnd::exited);
    return output.out;
  }

  std::unique_ptr<ProcessRunner> runner_;
};

TEST_F(SandboxFilterTest, RefusesCallsThatReachMoreOfTheKernel) {
  const char* code = R"(
for number in map(int, sys.argv[1:]):
    error = call(number, 0, 0, 0, 0, 0, 0)
    if error != 'EPERM': print(number, error)
)";
  const std::vector<long> calls = {SYS_ptrace,
                                   SYS_process_vm_readv,
                                   SYS_kcmp,
                                   SYS_process_vm_writev,
                                   SYS_mount,
                                   SYS_umount2,
                                   SYS_pivot_root,
                                   SYS_chroot,
                                   SYS_fsopen,
                                   SYS_fsconfig,
                                   SYS_fsmount,
                                   SYS_fspick,
                                   SYS_open_tree,
                                   SYS_move_mount,
                                   SYS_mount_setattr,
                                   SYS_setns,
                                   SYS_unshare,
                                   SYS_add_key,
                                   SYS_request_key,
                                   SYS_keyctl,
                                   SYS_bpf,
                                   SYS_perf_event_open,
                                   SYS_userfaultfd,
                                   SYS_io_uring_setup,
                                   SYS_io_uring_enter,
                                   SYS_io_uring_register,
                                   SYS_fanotify_init,
                                   SYS_open_by_handle_at,
                                   SYS_personality,
                                   SYS_init_module,
                                   SYS_finit_module,
                                   SYS_delete_module,
                                   SYS_kexec_load,
                                   SYS_clock_settime,
                                   SYS_settimeofday,
                                   SYS_adjtimex,
                                   SYS_acct,
                                   SYS_quotactl,
                                   SYS_reboot,
                                   SYS_swapon,
                                   SYS_swapoff,
                                   SYS_syslog,
                                   SYS_vhangup,
                                   SYS_name_to_handle_at};
  EXPECT_EQ(run(code, calls), "");
}

TEST_F(SandboxFilterTest, HasNoCallsWhoseArgumentsItCannotSeeOrThatAreYounger) {
  const char* code = R"(
for number in map(int, sys.argv[1:]):
    error = call(number, 0, 0, 0, 0, 0, 0)
    if error != 'ENOSYS': print(number, error)
)";
  EXPECT_EQ(run(code, {SYS_clone3, SYS_openat2, SYS_shmget, 451, 457, 467, 511}), "");
}

TEST_F(SandboxFilterTest, RefusesNewNamespaces) {
  const char* code = R"(
for flag in map(int, sys.argv[2:]): print(call(int(sys.argv[1]), flag | signal.SIGCHLD, 0, 0, 0, 0))
)";
  EXPECT_EQ(run(code, {SYS_clone, CLONE_NEWUSER, CLONE_NEWNET | CLONE_NEWUSER, CLONE_NEWNS,
                       CLONE_NEWPID, CLONE_NEWIPC, CLONE_NEWUTS, CLONE_NEWCGROUP}),
            "EPERM\nEPERM\nEPERM\nEPERM\nEPERM\nEPERM\nEPERM\n");
}

TEST_F(SandboxFilterTest, HasUnixInternetAndRouteSocketsOnly) {
  const char* code = R"(
number = int(sys.argv[1])
unusual = [family for family in range(64) if family not in (1, 2, 10, 16)] + [-1, (1 << 32) + 38]
print({call(number, family, kind, 0) for family in unusual for kind in (1, 2, 3, 5)})
print({call(number, 16, 3, protocol) for protocol in [*range(1, 23), 1 << 32]})
for family in (socket.AF_UNIX, socket.AF_INET, socket.AF_INET6): socket.socket(family).close()
socket.socket(socket.AF_NETLINK, socket.SOCK_RAW, 0).close()
)";
  EXPECT_EQ(run(code, {SYS_socket}), "{'EAFNOSUPPORT'}\n{'EAFNOSUPPORT'}\n");
}

TEST_F(SandboxFilterTest, TypesIntoNoTerminal) {
  const char* code = R"(
master, terminal = os.openpty()
for request in map(int, sys.argv[2:]):
    for dirt in (0, 1 << 32): print(call(int(sys.argv[1]), terminal, request + dirt, id(b'x')))
os.get_terminal_size(terminal)
)";
  EXPECT_EQ(run(code, {SYS_ioctl, TIOCSTI, TIOCLINUX}), "EPERM\nEPERM\nEPERM\nEPERM\n");
}

TEST_F(SandboxFilterTest, MakesNoFileThatRunsAsItsOwner) {
  const char* code = R"(
file = os.open('file', os.O_CREAT | os.O_RDWR, 0o755)
def attempt(action):
    try: action(); print('made')
    except PermissionError: pass
attempt(lambda: os.chmod('file', 0o4755))
attempt(lambda: os.chmod(file, 0o4755))
attempt(lambda: os.chmod('file', 0o4755, dir_fd=os.open('.', os.O_RDONLY)))
attempt(lambda: os.mknod('node', 0o104755))
attempt(lambda: os.open('new', os.O_CREAT | os.O_RDWR, 0o4755))
attempt(lambda: os.open('.', os.O_TMPFILE | os.O_RDWR, 0o4755))
print(os.listdir('.'), oct(os.stat('file').st_mode))
os.chmod('file', 0o700); os.chmod(file, 0o777); os.mkdir('folder', 0o2775)
)";
  EXPECT_EQ(run(code, {}), "['file'] 0o100755\n");
}

#ifdef __x86_64__
TEST_F(SandboxFilterTest, HasNoOtherAbi) {
  // getpid as a 32-bit program asks for it.
  const char* code = R"(
import mmap
page = mmap.mmap(-1, 4096, prot=mmap.PROT_READ | mmap.PROT_WRITE | mmap.PROT_EXEC)
page.write(bytes.fromhex('53b814000000cd805bc3'))
address = ctypes.addressof(ctypes.c_char.from_buffer(page))
if os.fork() == 0: print(ctypes.CFUNCTYPE(ctypes.c_int)(address)(), flush=True); os._exit(0)
print(os.waitstatus_to_exitcode(os.wait()[1]) in (0, -signal.SIGSEGV))
print(call(0x40000000 + int(sys.argv[1])))
)";
  const std::string printed = run(code, {SYS_getpid});
  // A kernel without 32-bit programs ends the child.
  EXPECT_TRUE(printed == "-38\nTrue\nENOSYS\n" || printed == "True\nENOSYS\n") << printed;
}
#endif

TEST_F(SandboxFilterTest, LeavesWhatTestsOfFrameworksUse) {
  const char* code = R"(
import asyncio, multiprocessing, multiprocessing.shared_memory, select, subprocess, threading
with multiprocessing.Pool(2) as pool: assert pool.map(abs, [-1, 2]) == [1, 2]
context = multiprocessing.get_context('spawn')
assert context.Lock().acquire() and context.Barrier(1).wait() == 0
multiprocessing.shared_memory.SharedMemory(create=True, size=4096).unlink()
thread = threading.Thread(target=print, args=['thread']); thread.start(); thread.join()
async def child(): return await (await asyncio.create_subprocess_exec('true')).wait()
assert asyncio.run(child()) == 0
left, right = socket.socketpair()
socket.send_fds(left, [b'x'], [os.memfd_create('name')])
assert socket.recv_fds(right, 1, 1)[1]
assert socket.if_nameindex() == [(1, 'lo')]
assert libc.prctl(1, signal.SIGKILL, 0, 0, 0) == 0
process = os.fork()
if process == 0: signal.pause()
watched = os.pidfd_open(process); signal.pidfd_send_signal(watched, signal.SIGTERM)
assert select.select([watched], [], [], 5)[0]
os.sched_setaffinity(0, os.sched_getaffinity(0)); os.setpriority(os.PRIO_PROCESS, 0, 19)
)";
  EXPECT_EQ(run(code, {}), "thread\n");
}

}  // namespace
}  // namespace tenline
