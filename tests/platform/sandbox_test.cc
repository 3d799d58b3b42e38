#include "engine/platform/sandbox.h"

#include <arpa/inet.h>
#include <gtest/gtest.h>
#include <poll.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include <atomic>
#include <filesystem>
#include <map>
#include <thread>

#include "engine/base/text.h"
#include "engine/platform/process.h"
#include "tests/platform/programs.h"

namespace tenline {
namespace {

namespace fs = std::filesystem;
using std::chrono::milliseconds;

constexpr std::size_t k_mib = std::size_t{1} << 20U;

class SandboxTest : public testing::Test {
 protected:
  void SetUp() override {
    auto runner = make_sandboxed_runner(
        spawner(), {.bubblewrap = {}, .stop = [this] { return stopped_.load(); }});
    ASSERT_TRUE(runner) << runner.error().message;
    runner_ = *std::move(runner);
  }

  ProcessOutput run(const Command& command) { return tenline::run(*runner_, command); }

  std::string at(const std::string& name) { return folder_.path() + "/" + name; }

  /// A folder of the host below one that only we can enter.
  std::string private_folder(const std::string& name) {
    fs::create_directories(at("private/" + name));
    fs::permissions(at("private"), fs::perms::owner_all);
    fs::permissions(at("private/" + name), fs::perms(0755));
    return at("private/" + name);
  }

  std::atomic<bool> stopped_ = false;
  TemporaryFolder folder_ = *TemporaryFolder::make("tenline-sandbox-test");
  std::unique_ptr<ProcessRunner> runner_;
};

[[noreturn]] void fail_child(const Error& error) {
  fmt::print(stderr, "the engine of the test failed: {}\n", error.message);
  ::_exit(1);
}

TEST_F(SandboxTest, ReportsOutputAndExitCode) {
  const ProcessOutput output = run(shell("echo out; echo err >&2; exit 3"));
  EXPECT_EQ(output.end, ProcessEnd::exited);
  EXPECT_EQ(output.exit_code, 3);
  EXPECT_EQ(output.out, "out\n");
  EXPECT_EQ(output.err, "err\n");
}

TEST_F(SandboxTest, ReportsTheSignal) {
  const ProcessOutput output = run(python("import os; os.abort()"));
  EXPECT_EQ(output.end, ProcessEnd::signalled);
  EXPECT_EQ(output.signal, SIGABRT);
}

TEST_F(SandboxTest, DrainsTwoMegabytesOnBothStreams) {
  const ProcessOutput output =
      run(python("import sys\n"
                 "for i in range(2048): sys.stdout.write('o'*1024); sys.stderr.write('e'*1024)\n"));
  EXPECT_EQ(output.exit_code, 0);
  EXPECT_NE(output.out.find("bytes left out"), std::string::npos);
  EXPECT_NE(output.err.find("bytes left out"), std::string::npos);
}

TEST_F(SandboxTest, NamesAMissingProgram) {
  Command command;
  command.argv = {"no-such-program"};
  const Result<ProcessOutput> output = runner_->run(command);
  ASSERT_FALSE(output);
  EXPECT_EQ(output.error().code, ErrorCode::not_found);
  EXPECT_NE(output.error().message.find("no-such-program"), std::string::npos);
}

TEST_F(SandboxTest, SaysThatAProgramIsNotVisible) {
  fs::copy_file("/bin/true", at("program"));
  fs::permissions(folder_.path(), fs::perms(0755));
  Command command;
  command.argv = {at("program")};
  EXPECT_EQ(runner_->run(command).error().code, ErrorCode::not_found);
  EXPECT_NE(runner_->run(command).error().message.find("readable"), std::string::npos);
  command.readable = {folder_.path()};
  EXPECT_EQ(run(command).exit_code, 0);
  // A link that is visible to a program that is not, as in a virtual environment.
  fs::create_directory(at("venv"));
  fs::create_symlink(at("program"), at("venv/link"));
  command.argv = {at("venv/link")};
  command.readable = {at("venv")};
  EXPECT_EQ(runner_->run(command).error().code, ErrorCode::not_found);
}

TEST_F(SandboxTest, RefusesPathsThatWouldUncoverTheSystem) {
  for (const char* path : {"/", "//", "/proc", "/proc/1", "/dev", "/dev/shm", "/tmp", "/tmp/",
                           "/tmp/.", "/etc", "relative", ""}) {
    Command command = shell("true");
    command.readable = {path};
    EXPECT_EQ(runner_->run(command).error().code, ErrorCode::invalid_input) << path;
    command.readable = {};
    command.writable = {path};
    EXPECT_EQ(runner_->run(command).error().code, ErrorCode::invalid_input) << path;
  }
  Command command = shell("true");
  command.readable = {at("none")};
  EXPECT_EQ(runner_->run(command).error().code, ErrorCode::not_found);
  command.readable = {};
  command.cwd = "/var/lib";
  EXPECT_EQ(runner_->run(command).error().code, ErrorCode::not_found);
  command.cwd = "";
  command.slot = -1;
  EXPECT_EQ(runner_->run(command).error().code, ErrorCode::invalid_input);
}

TEST_F(SandboxTest, EndsAtTheDeadlineWithItsWholeTree) {
  const std::string word = unique_word();
  Command command = shell("trap '' TERM; setsid sh -c 'sleep 100; : '$0 & sleep 100; : $0");
  command.argv.push_back(word);
  command.limits.time = milliseconds{400};
  const ProcessOutput output = run(command);
  EXPECT_EQ(output.end, ProcessEnd::timed_out);
  EXPECT_GE(output.seconds, 0.4);
  EXPECT_LT(output.seconds, 3);
  EXPECT_EQ(processes_with(word), 0);
}

TEST_F(SandboxTest, LeavesNoGrandchildBehind) {
  const std::string word = unique_word();
  Command command = shell(
      "setsid sh -c 'setsid sh -c \"sleep 100; : '$0'\" & sleep 100; : '$0'' </dev/null "
      ">/dev/null 2>&1 & sleep 0.2");
  command.argv.push_back(word);
  EXPECT_EQ(run(command).exit_code, 0);
  EXPECT_EQ(processes_with(word), 0);
}

TEST_F(SandboxTest, EndsWhenStopped) {
  std::thread stopper([this] {
    std::this_thread::sleep_for(milliseconds{300});
    stopped_ = true;
  });
  const ProcessOutput output = run(shell("sleep 100"));
  stopper.join();
  EXPECT_EQ(output.end, ProcessEnd::cancelled);
  EXPECT_LT(output.seconds, 2);
}

TEST_F(SandboxTest, NamesAForkBomb) {
  const std::string word = unique_word();
  Command command = python(
      "import os, time\n"
      "try:\n"
      "    for i in range(60):\n"
      "        if os.fork() == 0: time.sleep(100)\n"
      "except BlockingIOError: pass\n"
      "time.sleep(100)\n");
  command.argv.push_back(word);
  command.limits.processes = 20;
  const ProcessOutput output = run(command);
  EXPECT_EQ(output.end, ProcessEnd::process_limit);
  EXPECT_LT(output.seconds, 3);
  EXPECT_EQ(processes_with(word), 0);
}

TEST_F(SandboxTest, StopsAForkBombBeforeItIsNamed) {
  Command command = python(
      "import os, time\n"
      "try:\n"
      "    for i in range(60):\n"
      "        if os.fork() == 0: time.sleep(0.05); os._exit(0)\n"
      "        os.write(1, b'.')\n"
      "except BlockingIOError: pass\n");
  command.limits.processes = 20;
  const std::string made = run(command).out;  // Counted as it goes: the watch may end it early.
  EXPECT_NE(made, "");
  EXPECT_LT(made.size(), 20 + 20 / 4 + 8);
}

TEST_F(SandboxTest, ContainsAForkBombWithoutEnd) {
  const std::string word = unique_word();
  Command command = python(
      "import os, time\n"
      "while True:\n"  // Every process goes on; one of a shell may die out at the kernel's limit.
      "    try: os.fork()\n"
      "    except OSError: time.sleep(0.02)\n");
  command.argv.push_back(word);
  command.limits.processes = 100;
  command.limits.time = std::chrono::minutes{1};
  EXPECT_EQ(run(command).end, ProcessEnd::process_limit);
  EXPECT_EQ(processes_with(word), 0);
}

TEST_F(SandboxTest, NamesAMemoryHog) {
  Command command = python(
      "import os, time\n"
      "os.fork(); os.fork()\n"  // The limit is of the tree: no process is over it alone.
      "hog = [bytearray(4 << 20) for i in range(30)]\n"
      "time.sleep(100)\n");
  command.limits.memory = 300 * k_mib;
  const ProcessOutput output = run(command);
  EXPECT_EQ(output.end, ProcessEnd::memory_limit);
  EXPECT_LT(output.seconds, 10);
}

TEST_F(SandboxTest, CountsSharedPagesOnce) {
  Command command = python(
      "import os, time\n"
      "block = b'x' * (100 << 20)\n"
      "for i in range(6):\n"
      "    if os.fork() == 0: time.sleep(0.6); os._exit(0)\n"
      "time.sleep(0.6)\n");
  command.limits.memory = 300 * k_mib;
  const ProcessOutput output = run(command);
  EXPECT_EQ(output.end, ProcessEnd::exited);
  EXPECT_EQ(output.exit_code, 0);
}

TEST_F(SandboxTest, NamesAFullTemporaryFolder) {
  for (const char* folder : {"/tmp", "/dev/shm"}) {
    Command command = python(
        "import sys, time\n"
        "with open(sys.argv[1] + '/file', 'wb', 0) as f:\n"
        "    try:\n"
        "        while True: f.write(b'x' * 65536)\n"
        "    except OSError: time.sleep(1); raise\n");  // What is gone at once cannot be seen.
    command.argv.emplace_back(folder);
    command.limits.scratch = 8 * k_mib;
    const ProcessOutput output = run(command);
    EXPECT_EQ(output.end, ProcessEnd::scratch_limit) << folder << output.err;
    EXPECT_LT(output.seconds, 10);
  }
}

TEST_F(SandboxTest, NamesAGrownWritableFolder) {
  Command command = python(
      "import sys\n"
      "n = 0\n"
      "while True:\n"
      "    n += 1\n"
      "    with open('%s/%d' % (sys.argv[1], n), 'wb') as f: f.write(b'x' * 65536)\n");
  command.argv.push_back(private_folder("writable"));
  command.writable = {private_folder("writable")};
  command.limits.scratch = 16 * k_mib;
  const ProcessOutput output = run(command);
  EXPECT_EQ(output.end, ProcessEnd::scratch_limit) << output.err;
  EXPECT_LT(output.seconds, 10);
}

TEST_F(SandboxTest, EndsAPrinterOfAGigabyte) {
  Command command = shell("head -c 1000000000 /dev/zero");
  const ProcessOutput output = run(command);
  EXPECT_EQ(output.end, ProcessEnd::output_limit);
  EXPECT_LT(output.out.size(), std::size_t{600} << 10U);
  EXPECT_LT(output.seconds, 10);
}

TEST_F(SandboxTest, WritesOnlyWhereItMay) {
  const std::string writable = private_folder("writable");
  const std::string readable = private_folder("readable");
  ASSERT_TRUE(write_file_durably(readable + "/file", "kept"));
  Command command = python(
      "import sys\n"
      "for path in sys.argv[1:]:\n"
      "    try: open(path, 'w').write('x'); print('wrote', path)\n"
      "    except OSError: pass\n");
  command.writable = {writable};
  command.readable = {readable};
  command.argv.insert(command.argv.end(),
                      {writable + "/new", readable + "/file", readable + "/new", "/new", "/usr/new",
                       "/etc/new", "/etc/passwd", "/dev/new", "/root/new", "/home/new", "/tmp/new",
                       "/proc/sys/kernel/hostname", "/proc/sysrq-trigger"});
  const ProcessOutput output = run(command);
  EXPECT_EQ(output.out, fmt::format("wrote {}/new\nwrote /tmp/new\n", writable)) << output.err;
  command.argv.erase(command.argv.begin() + 3, command.argv.end());
  command.argv.insert(command.argv.end(), {at("outside"), at("private/new")});
  run(command);  // May write there, in the sandbox's own temporary folder.
  EXPECT_EQ(*read_file(writable + "/new"), "x");
  EXPECT_EQ(*read_file(readable + "/file"), "kept");
  EXPECT_FALSE(fs::exists(at("outside")) || fs::exists(at("private/new")));
  EXPECT_FALSE(fs::exists("/tmp/new"));
}

TEST_F(SandboxTest, ReadOnlyInsideWritableStaysReadOnly) {
  const std::string writable = private_folder("writable");
  fs::create_directories(writable + "/inner/deep");
  Command command = shell("touch a inner/b inner/deep/c; ls . inner inner/deep");
  command.cwd = writable;
  command.writable = {writable, writable + "/inner/deep"};
  command.readable = {writable + "/inner"};
  const ProcessOutput output = run(command);
  EXPECT_TRUE(fs::exists(writable + "/a"));
  EXPECT_FALSE(fs::exists(writable + "/inner/b"));
  EXPECT_TRUE(fs::exists(writable + "/inner/deep/c")) << output.err;
}

TEST_F(SandboxTest, KeepsTheGitPointerOfAWritableFolder) {
  const std::string file = private_folder("file");
  const std::string folder = private_folder("folder");
  ASSERT_TRUE(write_file_durably(file + "/.git", "gitdir: /elsewhere\n"));
  fs::create_directories(folder + "/.git/hooks");
  ASSERT_TRUE(write_file_durably(folder + "/.git/config", "[core]\n"));
  Command command = shell(
      "echo x >file/.git; rm -rf file/.git; mv file/.git file/other; mkdir file/other;"
      "mv -T file/other file/.git; echo x >folder/.git/config; rm -rf folder/.git;"
      "mv folder/.git folder/other; echo x >folder/.git/hooks/post-checkout; echo ok >file/a");
  command.cwd = at("private");
  command.writable = {file, folder};
  const ProcessOutput output = run(command);
  EXPECT_EQ(*read_file(file + "/a"), "ok\n");
  EXPECT_EQ(*read_file(file + "/.git"), "gitdir: /elsewhere\n");
  EXPECT_EQ(*read_file(folder + "/.git/config"), "[core]\n");
  EXPECT_TRUE(fs::is_empty(folder + "/.git/hooks"));
}

TEST_F(SandboxTest, GivesAwayNoFileThatHasASecondName) {
  const std::string writable = private_folder("writable");
  ASSERT_TRUE(write_file_durably(at("original"), "text"));
  fs::create_hard_link(at("original"), writable + "/linked");
  fs::create_symlink(at("original"), writable + "/symbolic");
  Command command = shell("true");
  command.writable = {writable};
  run(command);
  struct stat status{};
  ASSERT_EQ(::stat(at("original").c_str(), &status), 0);
  EXPECT_EQ(status.st_uid, ::getuid());
}

TEST_F(SandboxTest, SeesNoFileOfTheUser) {
  ASSERT_TRUE(write_file_durably(at("canary"), "canary"));
  Command command = shell(
      "cat $0; ls -A /root /home /var /run /srv /mnt /boot /opt 2>/dev/null | "
      "grep -v ':$'; ls /etc/shadow /etc/ssh /etc/ssl/private; ls /proc/1/root");
  command.argv.push_back(at("canary"));
  const ProcessOutput output = run(command);
  std::string out = output.out;
  std::erase(out, '\n');
  EXPECT_EQ(out.find("canary"), std::string::npos) << out;
  EXPECT_EQ(out.find("shadow"), std::string::npos) << out;
  if (::geteuid() == 0) {
    EXPECT_EQ(out, "");  // Else the first process is the program's own user.
  }
}

TEST_F(SandboxTest, SaysThatAFolderIsClosedToItsUser) {
  if (::geteuid() != 0) return;  // An ordinary user's sandbox runs as that user.
  private_folder("inner");
  Command command = shell("true");
  command.readable = {at("private")};
  const Result<ProcessOutput> output = runner_->run(command);
  ASSERT_FALSE(output);
  EXPECT_NE(output.error().message.find("chmod"), std::string::npos);
  command.readable = {};
  command.writable = {at("private")};  // Given to the user.
  EXPECT_EQ(run(command).exit_code, 0);
  EXPECT_EQ(run(command).exit_code, 0);
}

TEST_F(SandboxTest, SeesOnlyItsOwnProcesses) {
  const ProcessOutput output = run(shell("ls /proc | grep -c '^[0-9]'"));
  EXPECT_LE(std::stoi(output.out), 5) << output.out;
}

TEST_F(SandboxTest, ReadsAnInterpreterUnderAPrivateFolder) {
  const std::string bin = private_folder("versions/3/bin");
  fs::copy_file("/bin/sh", bin + "/interpreter");
  Command command;
  command.argv = {bin + "/interpreter", "-c", "echo read"};
  command.readable = {at("private/versions/3")};
  EXPECT_EQ(run(command).out, "read\n");
}

TEST_F(SandboxTest, ReachesNoPortOfTheHost) {
  const int listener = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof address;
  ASSERT_EQ(::bind(listener, reinterpret_cast<sockaddr*>(&address), size), 0);
  ASSERT_EQ(::listen(listener, 5), 0);
  ASSERT_EQ(::getsockname(listener, reinterpret_cast<sockaddr*>(&address), &size), 0);
  Command command = python(
      "import socket, sys\n"
      "try: socket.create_connection(('127.0.0.1', int(sys.argv[1])), 2); print('reached')\n"
      "except ConnectionRefusedError: print('refused')\n"
      "try: socket.create_connection(('192.0.2.1', 80), 2); print('reached')\n"
      "except OSError as e: print(e.strerror)\n");
  command.argv.push_back(std::to_string(ntohs(address.sin_port)));
  EXPECT_EQ(run(command).out, "refused\nNetwork is unreachable\n");
  ::close(listener);
}

TEST_F(SandboxTest, HasALoopbackOfItsOwn) {
  const ProcessOutput output = run(python(
      "import socket\n"
      "s = socket.socket(); s.bind((socket.gethostbyname(socket.gethostname()), 0)); s.listen()\n"
      "c = socket.create_connection(s.getsockname(), 2); a, _ = s.accept(); c.send(b'hello')\n"
      "print(a.recv(5).decode())\n"));
  EXPECT_EQ(output.out, "hello\n") << output.err;
}

TEST_F(SandboxTest, HasNoRights) {
  const ProcessOutput output =
      run(shell("grep -E '^(Cap|NoNewPrivs|Groups)' /proc/self/status; id -u"));
  for (const char* set : {"CapInh", "CapPrm", "CapEff", "CapBnd", "CapAmb"}) {
    EXPECT_NE(output.out.find(fmt::format("{}:\t0000000000000000\n", set)), std::string::npos)
        << output.out;
  }
  EXPECT_NE(output.out.find("NoNewPrivs:\t1\n"), std::string::npos);
  EXPECT_FALSE(output.out.ends_with("\n0\n"));
  EXPECT_NE(run(shell("unshare --user true")).exit_code, 0);
  EXPECT_NE(run(shell("unshare --mount true")).exit_code, 0);
  EXPECT_NE(run(shell("mount -t tmpfs none /tmp")).exit_code, 0);
}

TEST_F(SandboxTest, SlotsHaveUsersOfTheirOwn) {
  Command first = shell("id -u");
  Command second = first;
  second.slot = 1;
  if (::geteuid() == 0) {
    EXPECT_EQ(run(first).out, "61184\n");
    EXPECT_EQ(run(second).out, "61185\n");
  } else {
    EXPECT_EQ(run(first).out, fmt::format("{}\n", ::getuid()));
    EXPECT_EQ(run(second).out, run(first).out);
  }
}

TEST_F(SandboxTest, HasNoTerminalAndNoOtherDescriptors) {
  const ProcessOutput output =
      run(shell("ls /proc/self/fd; exec 2>/dev/null; : </dev/tty && echo tty"));
  EXPECT_EQ(output.out, "0\n1\n2\n3\n");  // 3 is of `ls` itself.
}

TEST_F(SandboxTest, PassesOnlyTheGivenEnvironment) {
  ::setenv("TENLINE_TEST_SECRET", "secret", 1);
  Command command;
  command.argv = {"env"};
  command.environment = {{"A", "1 \n'2"}, {"PATH", "/usr/bin"}};
  const ProcessOutput output = run(command);
  EXPECT_EQ(output.out.find("secret"), std::string::npos);
  for (const char* line :
       {"A=1 \n'2\n", "PATH=/usr/bin\n", "LANG=C.UTF-8\n", "HOME=/tmp/home\n", "TMPDIR=/tmp\n"}) {
    EXPECT_NE(output.out.find(line), std::string::npos) << line << output.out;
  }
}

TEST_F(SandboxTest, StartsInAFreshFolder) {
  const ProcessOutput first = run(shell("pwd; ls -A; touch file $HOME/file $TMPDIR/file"));
  EXPECT_EQ(first.exit_code, 0) << first.err;
  const ProcessOutput second = run(shell("pwd; ls -A . $HOME"));
  EXPECT_EQ(second.out.find("file"), std::string::npos);
}

TEST_F(SandboxTest, CountsTheCpuTimeOfWhatItKilled) {
  // Each of two busy processes says how much it has used; the machine may be busy with other
  // things.
  Command command = python(
      "import os, time\n"
      "name = 'child' if os.fork() == 0 else 'parent'\n"
      "last = 0\n"
      "while True:\n"
      "    now = time.process_time()\n"
      "    if now > last + 0.02: last = now; os.write(1, b'%s %f\\n' % (name.encode(), now))\n");
  command.limits.time = milliseconds{1500};
  const ProcessOutput output = run(command);
  EXPECT_EQ(output.end, ProcessEnd::timed_out);
  std::map<std::string, double> used;
  for (const std::string_view line : split_lines(output.out)) {
    const std::size_t space = line.find(' ');
    used[std::string(line.substr(0, space))] = std::stod(std::string(line.substr(space + 1)));
  }
  EXPECT_GT(output.cpu_seconds, 0.9 * (used["child"] + used["parent"]) - 0.1);
  EXPECT_LT(output.cpu_seconds, 1.1 * (used["child"] + used["parent"]) + 0.2);
}

TEST_F(SandboxTest, CountsTheCpuTimeOfChildren) {
  const ProcessOutput output =
      run(python("import os, time\n"
                 "if os.fork() == 0:\n"
                 "    while time.process_time() < 0.5: pass\n"
                 "    os._exit(0)\n"
                 "os.wait()\n"));
  EXPECT_GT(output.cpu_seconds, 0.45);
  EXPECT_LT(output.cpu_seconds, 0.9);
}

TEST_F(SandboxTest, RunsFromTwoThreads) {
  const auto many = [&](int code) {
    for (int i = 0; i < 5; ++i) {
      Command command = shell(fmt::format("echo {0}; exit {0}", code));
      command.slot = code;
      const ProcessOutput output = run(command);
      EXPECT_EQ(output.exit_code, code);
      EXPECT_EQ(output.out, fmt::format("{}\n", code));
    }
  };
  std::thread other(many, 1);
  many(2);
  other.join();
}

TEST_F(SandboxTest, DiesWithAnEngineThatIsKilled) {
  const std::string word = unique_word();
  const pid_t engine = ::fork();
  if (engine == 0) {
    Result<Spawner> own = Spawner::start();
    auto runner = make_sandboxed_runner(*own, {});
    if (!runner) fail_child(runner.error());
    Command command = shell("setsid sh -c 'sleep 100; : '$0 & sleep 100; : $0");
    command.argv.push_back(word);
    const Result<ProcessOutput> output = (*runner)->run(command);
    ::_exit(output ? 0 : 1);
  }
  EXPECT_TRUE(wait_for_processes(word, 4));  // bubblewrap twice, and the two shells.
  ::kill(engine, SIGKILL);
  ::waitpid(engine, nullptr, 0);
  EXPECT_TRUE(wait_for_processes(word, 0));
}

TEST_F(SandboxTest, DiesWithAnEngineThatIsKilledWhileTheSandboxIsMade) {
  for (int delay = 0; delay < 30; ++delay) {
    const std::string word = unique_word();
    Result<Pipe> ready = make_pipe();
    ASSERT_TRUE(ready);
    const pid_t engine = ::fork();
    if (engine == 0) {
      Result<Spawner> own = Spawner::start();
      auto runner = make_sandboxed_runner(*own, {});
      if (!runner) fail_child(runner.error());
      Command command = shell("sleep 100; : $0");
      command.argv.push_back(word);
      if (::write(ready->write.get(), "r", 1) != 1) ::_exit(1);
      const Result<ProcessOutput> output = (*runner)->run(command);
      ::_exit(output ? 0 : 1);
    }
    ready->write.reset();
    pollfd readable{ready->read.get(), POLLIN, 0};
    ASSERT_EQ(::poll(&readable, 1, 20'000), 1);
    ASSERT_EQ(read_available(ready->read.get(), 1), "r");
    std::this_thread::sleep_for(std::chrono::microseconds{300} * delay);
    ::kill(engine, SIGKILL);
    ::waitpid(engine, nullptr, 0);
    EXPECT_TRUE(wait_for_processes(word, 0)) << delay;
  }
}

TEST_F(SandboxTest, ImportsTorchUnderTheDefaultLimits) {
  // Where torch is not installed this still starts threads and uses shared memory.
  const ProcessOutput output =
      run(python("import multiprocessing.shared_memory as m, threading\n"
                 "m.SharedMemory(create=True, size=1 << 20).unlink()\n"
                 "threads = [threading.Thread(target=print) for i in range(16)]\n"
                 "[t.start() for t in threads]; [t.join() for t in threads]\n"
                 "try: import torch, torch.distributed as d\n"
                 "except ModuleNotFoundError: pass\n"
                 "else:\n"
                 "    d.init_process_group('gloo', 'tcp://127.0.0.1:29511', rank=0, world_size=1)\n"
                 "    t = torch.ones(2); d.all_reduce(t); assert t.sum() == 2\n"
                 "print('done')\n"));
  EXPECT_EQ(output.exit_code, 0) << output.err;
  EXPECT_NE(output.out.find("done"), std::string::npos);
}

TEST(SandboxAsUserTest, HoldsForAnOrdinaryUserToo) {
  if (::geteuid() != 0) return;  // Then the other tests are just that.
  const TemporaryFolder folder = *TemporaryFolder::make("tenline-sandbox-test");
  fs::permissions(folder.path(), fs::perms(0755));
  fs::copy_file("/proc/self/exe", folder.path() + "/test");
  Command command;
  command.argv = {
      "/usr/bin/setpriv",      "--reuid=65534",
      "--regid=65534",         "--clear-groups",
      folder.path() + "/test", "--gtest_filter=Sandbox*:Escape*:Network*:*HostileProgram*"};
  command.environment = {{"TMPDIR", "/tmp"}};
  command.limits.time =
      std::chrono::minutes{8};  // All tests of the sandbox, on a busy machine too.
  const std::unique_ptr<ProcessRunner> runner = make_unsafe_runner(spawner(), {});
  const ProcessOutput output = run(*runner, command);
  EXPECT_EQ(output.exit_code, 0) << output.out << output.err;
  EXPECT_EQ(output.end, ProcessEnd::exited);
  EXPECT_NE(output.out.find("[  PASSED  ]"), std::string::npos);
}

/// A bubblewrap that prints something and fails.
std::string fake_bubblewrap(const std::string& folder, const std::string& says) {
  const std::string path = folder + "/bwrap";
  EXPECT_TRUE(write_file_durably(path, "#!/bin/sh\necho '" + says + "' >&2\nexit 1\n"));
  fs::permissions(path, fs::perms(0755));
  return path;
}

TEST(SandboxRefusalTest, RefusesToRunWithoutBubblewrap) {
  const auto runner = make_sandboxed_runner(spawner(), {.bubblewrap = "/no/bwrap", .stop = {}});
  ASSERT_FALSE(runner);
  EXPECT_EQ(runner.error().code, ErrorCode::unavailable);
  EXPECT_NE(runner.error().message.find("install the package"), std::string::npos);
}

TEST(SandboxRefusalTest, KnowsWhatBlocksUserNamespaces) {
  const TemporaryFolder folder = *TemporaryFolder::make("tenline-sandbox-test");
  const std::pair<const char*, const char*> cases[] = {
      {"bwrap: setting up uid map: Permission denied",
       "kernel.apparmor_restrict_unprivileged_userns=0"},
      {"bwrap: No permissions to create new namespace", "kernel.unprivileged_userns_clone=1"},
      {"bwrap: Can'\\''t mount proc on /newroot/proc: Operation not permitted",
       "systempaths=unconfined"},
      {"bwrap: something new", "bwrap: something new"},
  };
  for (const auto& [says, advice] : cases) {
    const std::string program = fake_bubblewrap(folder.path(), says);
    const auto runner = make_sandboxed_runner(spawner(), {.bubblewrap = program, .stop = {}});
    ASSERT_FALSE(runner);
    EXPECT_EQ(runner.error().code, ErrorCode::unavailable);
    EXPECT_NE(runner.error().message.find(advice), std::string::npos) << runner.error().message;
    EXPECT_FALSE(probe_sandbox(spawner(), {.bubblewrap = program, .stop = {}}));
  }
}

TEST(SandboxRefusalTest, DoesNotTakeAProgramThatOnlyRunsThingsForASandbox) {
  const TemporaryFolder folder = *TemporaryFolder::make("tenline-sandbox-test");
  const std::string path = folder.path() + "/bwrap";
  ASSERT_TRUE(write_file_durably(path, "#!/bin/sh\nshift 3\nexec \"$@\"\n"));
  fs::permissions(path, fs::perms(0755));
  EXPECT_FALSE(make_sandboxed_runner(spawner(), {.bubblewrap = path, .stop = {}}));
}

TEST(SandboxRefusalTest, SaysWhatItFound) {
  const Result<std::string> found = probe_sandbox(spawner(), {});
  ASSERT_TRUE(found) << found.error().message;
  EXPECT_NE(found->find("bwrap"), std::string::npos);
  EXPECT_NE(found->find("user namespaces forbidden"), std::string::npos);
}

}  // namespace
}  // namespace tenline
