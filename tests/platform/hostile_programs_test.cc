// Programs that mean harm. Whatever one does, its run ends in time and names the limit that it hit,
// nothing of it is left, what it may not touch is as before, and the memory and the disk are back.

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/statvfs.h>

#include <filesystem>
#include <functional>

#include "engine/platform/sandbox.h"
#include "tests/platform/programs.h"

namespace tenline {
namespace {

namespace fs = std::filesystem;
using std::chrono::milliseconds;
using std::chrono::seconds;

constexpr std::size_t k_mib = std::size_t{1} << 20U;
constexpr const char* k_secret = "canary-5f0e";

struct Hostile {
  const char* name;
  ProcessEnd end;
  const char* code;  ///< Python; `work` may be written, `shown` read. Prints what it should not do.
  milliseconds time = seconds{20};
  const char* why = "";  ///< Stands at the end of its error output.
};

constexpr const char* k_before = R"(
import ctypes, mmap, os, resource, signal, socket, stat, subprocess, sys, threading, time
work, shown, secret, engine = sys.argv[1:4] + [int(sys.argv[4])]
def attempt(what, action):
    try: action(); print(what)
    except (OSError, ValueError, subprocess.CalledProcessError): pass
def write(path, mode, text):
    with open(path, mode, 0) as file: file.write(text)
def sleep():
    while True: time.sleep(1000)
os.chdir(work)
)";

constexpr Hostile k_programs[] = {
    {.name = "ForkBomb", .end = ProcessEnd::process_limit, .code = R"(
while True:
    try: os.fork()
    except OSError: time.sleep(0.02)
)"},
    {.name = "ThreadBomb", .end = ProcessEnd::process_limit, .code = R"(
while True:
    try: threading.Thread(target=sleep).start()
    except RuntimeError: time.sleep(0.02)
)"},
    {.name = "MemoryOfOneProcess", .end = ProcessEnd::memory_limit, .code = R"(
hog = [b'x' * (16 << 20) for _ in range(640)]
sleep()
)"},
    {.name = "MemoryOfManyProcesses", .end = ProcessEnd::memory_limit, .code = R"(
for _ in range(40):
    if os.fork() == 0: hog = [b'x' * (1 << 20) for _ in range(256)]; sleep()
sleep()
)"},
    {.name = "MemoryThatIsShared", .end = ProcessEnd::memory_limit, .code = R"(
with mmap.mmap(-1, 10 << 30) as hog:
    for page in range(0, 10 << 30, 4096): hog[page] = 1
)"},
    {.name = "MemoryInFilesWithoutAName", .end = ProcessEnd::memory_limit, .code = R"(
files = [os.memfd_create('hog') for _ in range(640)]
for file in files: os.write(file, b'x' * (16 << 20))
sleep()
)"},
    {.name = "LargeFile", .end = ProcessEnd::scratch_limit, .code = R"(
with open('file', 'wb', 0) as file:
    while True: file.write(b'x' * (1 << 20))
)"},
    {.name = "ManyLargeFiles", .end = ProcessEnd::scratch_limit, .code = R"(
for i in range(640):
    with open(str(i), 'wb') as file: file.write(b'x' * (16 << 20))
sleep()
)"},
    {.name = "DeletedFilesThatStayOpen", .end = ProcessEnd::scratch_limit, .code = R"(
files = []
for i in range(640):
    files.append(open('file', 'wb', 0)); os.unlink('file'); files[-1].write(b'x' * (16 << 20))
sleep()
)"},
    {.name = "FullTemporaryFolder",
     .end = ProcessEnd::scratch_limit,
     .code = R"(
with open('/tmp/file', 'wb', 0) as file:
    while True:
        try: file.write(b'x' * (1 << 20))
        except OSError: sleep()
)",
     .why = "[tenline: /tmp is full]\n"},
    {.name = "FullSharedMemory", .end = ProcessEnd::scratch_limit, .code = R"(
for i in range(640):
    with open('/dev/shm/%d' % i, 'wb', 0) as file:
        try: file.write(b'x' * (16 << 20))
        except OSError: sleep()
)"},
    {.name = "MillionTemporaryFiles",
     .end = ProcessEnd::scratch_limit,
     .code = R"(
for i in range(1000000): os.mknod('/tmp/%d' % i)
sleep()
)",
     .why = "[tenline: more than 4096 files in /tmp]\n"},
    {.name = "MillionFiles",
     .end = ProcessEnd::scratch_limit,
     .code = R"(
for i in range(1000000): os.mknod(str(i))
sleep()
)",
     .why = "[tenline: more than 4096 new files in the writable folders]\n"},
    {.name = "FoldersWithoutEnd", .end = ProcessEnd::scratch_limit, .code = R"(
for i in range(1000000): os.mkdir('folder-%d' % i); os.chdir('folder-%d' % i)
sleep()
)"},
    {.name = "FilesInAFolderThatNobodyCanList", .end = ProcessEnd::scratch_limit, .code = R"(
os.mkdir('folder'); os.chmod('folder', 0o300)
for i in range(640):
    with open('folder/%d' % i, 'wb') as file: file.write(b'x' * (16 << 20))
sleep()
)"},
    {.name = "GigabyteOfOutput", .end = ProcessEnd::output_limit, .code = R"(
for _ in range(1024): os.write(1, b'x' * (1 << 20))
)"},
    {.name = "NeverEnds",
     .end = ProcessEnd::timed_out,
     .code = R"(
for number in signal.valid_signals() - {signal.SIGKILL, signal.SIGSTOP}:
    signal.signal(number, signal.SIG_IGN)
sleep()
)",
     .time = seconds{1}},
    {.name = "ReadsSecrets", .end = ProcessEnd::exited, .code = R"(
places = [secret, '/etc/shadow', '/root/.ssh/id_rsa', '/proc/%d/environ' % engine, '/proc/kcore']
places += ['/proc/%s/%s' % (i, n) for i in [1, os.getppid()] for n in ['mem', 'root' + secret]]
for place in places: attempt(place, lambda: open(place, 'rb').read(64))
for i in os.listdir('/proc'):
    if i.isdigit():
        try: environment = open('/proc/%s/environ' % i).read()
        except OSError: continue
        if 'TEST_SECRET' in environment: print('environment of', i)
)"},
    {.name = "WritesOutside", .end = ProcessEnd::exited, .code = R"(
places = [secret, shown + '/file', shown + '/new', '/etc/passwd', '/usr/bin/new', '/new', '/dev/new']
places += ['/proc/sysrq-trigger', '/proc/sys/kernel/core_pattern', '/sys/devices/system/cpu/online']
for place in places: attempt(place, lambda: write(place, 'r+b', b'x'))
for place in places: attempt(place, lambda: write(place, 'xb', b'x'))
for place in places: attempt(place, lambda: os.unlink(place))
)"},
    {.name = "ReplacesTheGitPointer", .end = ProcessEnd::exited, .code = R"(
os.mkdir('.evil')
attempt('written', lambda: write('.git', 'wb', b'gitdir: .evil'))
attempt('removed', lambda: os.unlink('.git'))
attempt('renamed', lambda: os.rename('.git', 'other'))
attempt('replaced', lambda: os.replace('.evil', '.git'))
)"},
    {.name = "LinksInPlaceOfFiles", .end = ProcessEnd::exited, .code = R"(
os.symlink(secret, 'file'); os.symlink(os.path.dirname(secret), 'folder')
attempt('linked', lambda: os.link(shown + '/file', 'hard'))
swap = ctypes.CDLL(None).renameat2
end = time.time() + 0.3
os.mkdir('other')
while time.time() < end: swap(-100, b'folder', -100, b'other', 2)
os.mkfifo('pipe')
attempt('device', lambda: os.mknod('device', stat.S_IFBLK | 0o666, os.makedev(8, 0)))
)"},
    {.name = "SignalsEverything", .end = ProcessEnd::exited, .code = R"(
child = os.fork()
if child == 0: sleep()
for target in [engine, os.getppid(), 1, -1]:
    try: os.kill(target, signal.SIGKILL)
    except OSError: pass
os.waitpid(child, 0)
)"},
    {.name = "Traces", .end = ProcessEnd::exited, .code = R"(
libc = ctypes.CDLL(None)
for target in [engine, os.getppid(), 1]:
    if libc.ptrace(16, target, 0, 0) == 0 or libc.ptrace(0x4206, target, 0, 0) == 0: print('traces')
attempt('opens', lambda: open('/proc/%d/mem' % engine, 'r+b'))
)"},
    {.name = "BecomesRoot", .end = ProcessEnd::exited, .code = R"(
attempt('root', lambda: os.setuid(0))
attempt('root again', lambda: os.setresgid(0, 0, 0))
subprocess.run(['cp', '/bin/sh', 'sh'])
attempt('left behind', lambda: os.chmod('sh', 0o4755))
attempt('made', lambda: os.close(os.open('made', os.O_CREAT | os.O_WRONLY, 0o4755)))
attempt('mount', lambda: subprocess.run(['mount', '-t', 'tmpfs', 'x', '/tmp'], stderr=-3, check=1))
)"},
    {.name = "TurnsTheClock",
     .end = ProcessEnd::timed_out,
     .code = R"(
attempt('set', lambda: time.clock_settime(time.CLOCK_REALTIME, time.time()))
signal.signal(signal.SIGALRM, signal.SIG_IGN)
sleep()
)",
     .time = seconds{1}},
    {.name = "RaisesItsLimits", .end = ProcessEnd::exited, .code = R"(
for which in [resource.RLIMIT_NPROC, resource.RLIMIT_DATA, resource.RLIMIT_FSIZE]:
    attempt(which, lambda: resource.setrlimit(which, (-1, -1)))
attempt('nice', lambda: os.nice(-10))
attempt('realtime', lambda: os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(1)))
attempt('immortal', lambda: write('/proc/self/oom_score_adj', 'wb', b'-900'))
)"},
    {.name = "ReportsAnotherEnd", .end = ProcessEnd::signalled, .code = R"(
for process in ['self', '1', str(os.getppid())]:
    for file in range(3, 64):
        attempt(file, lambda: write('/proc/%s/fd/%d' % (process, file), 'wb', b'{"exit-code": 0}'))
        attempt(file, lambda: os.write(file, b'{"exit-code": 0}'))
os.kill(os.getpid(), signal.SIGKILL)
)"},
};

std::size_t available_memory() {
  const std::string text = read_file("/proc/meminfo").value_or("");
  const std::size_t at = text.find("MemAvailable:");
  return std::stoul(text.substr(at + 13)) * 1024;
}

std::size_t available_disk(const std::string& folder) {
  struct statvfs space{};
  ::statvfs(folder.c_str(), &space);
  return space.f_bavail * space.f_frsize;
}

/// Whether it comes true within ten seconds.
bool eventually(const std::function<bool()>& condition) {
  const auto end = std::chrono::steady_clock::now() + seconds{10};
  while (!condition()) {
    if (std::chrono::steady_clock::now() > end) return false;
    std::this_thread::sleep_for(milliseconds{50});
  }
  return true;
}

class HostileProgramTest : public testing::TestWithParam<Hostile> {
 protected:
  void SetUp() override {
    ::setenv("TENLINE_TEST_SECRET", k_secret, 1);
    for (const char* name : {"work", "shown", "secret"}) fs::create_directory(at(name));
    for (const char* name : {"work/.git", "shown/file", "secret/file"}) {
      ASSERT_TRUE(write_file_durably(at(name), k_secret));
      kept_.push_back(state_of(at(name)));
    }
    ::chmod(at("shown").c_str(), 0755);
  }

  [[nodiscard]] std::string at(const std::string& name) const {
    return folder_.path() + "/" + name;
  }

  static std::string state_of(const std::string& path) {
    struct stat status{};
    if (::lstat(path.c_str(), &status) != 0) return "gone";
    return fmt::format("{} {:o} {} {} {}", path, status.st_mode, status.st_uid, status.st_nlink,
                       read_file(path).value_or("unreadable"));
  }

  [[nodiscard]] Command command(const Hostile& program, const std::string& mark) const {
    Command command = python(std::string(k_before) + program.code);
    command.argv.insert(command.argv.end(), {at("work"), at("shown"), at("secret/file"),
                                             std::to_string(::getpid()), mark});
    command.environment = {{"TENLINE_MARK", mark}};
    command.writable = {at("work")};
    command.readable = {at("shown")};
    command.limits = {.time = program.time,
                      .memory = 256 * k_mib,
                      .processes = 64,
                      .scratch = 32 * k_mib,
                      .output = 4 * k_mib};
    return command;
  }

  TemporaryFolder folder_ = *TemporaryFolder::make("tenline-hostile-test");
  std::vector<std::string> kept_;
};

TEST_P(HostileProgramTest, IsContained) {
  constexpr std::size_t k_swing = 1024 * k_mib;  // Of a machine that does other things too.
  const std::size_t memory = available_memory();
  const std::size_t disk = available_disk(folder_.path());
  const auto runner = make_sandboxed_runner(spawner(), {});
  ASSERT_TRUE(runner) << runner.error().message;
  const std::string mark = unique_word();
  const Hostile& program = GetParam();

  const ProcessOutput output = run(**runner, command(program, mark));
  EXPECT_EQ(output.end, program.end) << output.out.substr(0, 1000) << output.err;
  EXPECT_LT(output.seconds, std::chrono::duration<double>(program.time).count() + 3);
  EXPECT_EQ(output.out.substr(0, output.out.find("xxx")), "") << output.err;
  EXPECT_TRUE(output.err.ends_with(program.why)) << output.err;
  EXPECT_EQ(processes_with(mark), 0);

  Command next = shell("echo well");  // Another user's turn in the same folder.
  next.writable = {at("work")};
  next.slot = 1;
  EXPECT_EQ(run(**runner, next).out, "well\n");
  std::vector<std::string> now;
  for (const char* name : {"work/.git", "shown/file", "secret/file"}) {
    now.push_back(state_of(at(name)));
  }
  EXPECT_EQ(now, kept_);
  EXPECT_EQ(std::distance(fs::directory_iterator(at("shown")), {}), 1);
  EXPECT_EQ(std::distance(fs::directory_iterator(at("secret")), {}), 1);
  EXPECT_TRUE(remove_tree(at("work")));
  EXPECT_FALSE(fs::exists(at("work")));
  EXPECT_TRUE(eventually([&] { return available_memory() + k_swing > memory; }));
  EXPECT_TRUE(eventually([&] { return available_disk(folder_.path()) + k_swing > disk; }));
}

INSTANTIATE_TEST_SUITE_P(All, HostileProgramTest, testing::ValuesIn(k_programs),
                         [](const auto& program) { return program.param.name; });

}  // namespace
}  // namespace tenline
