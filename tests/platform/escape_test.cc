// Twelve ways to outlive a run, held against the four ways in which a run ends: 48 cases. All
// twelve run at once, each in a sandbox of its own, so that the sandboxes end under load.

#include <gtest/gtest.h>
#include <sys/wait.h>

#include <array>
#include <atomic>
#include <csignal>
#include <filesystem>
#include <thread>

#include "engine/platform/sandbox.h"
#include "tests/platform/programs.h"

namespace tenline {
namespace {

namespace fs = std::filesystem;
using std::chrono::milliseconds;
using std::chrono::seconds;

struct Escape {
  const char* name;
  const char* code;  ///< Python; calls `placed` when the escape is in place.
};

constexpr const char* k_before = R"(
import ctypes, os, signal, subprocess, sys, time
def placed():
    with open('namespace.new', 'w') as f: f.write(os.readlink('/proc/self/ns/pid'))
    os.rename('namespace.new', 'namespace')
def sleep():
    while True: time.sleep(1000)
def wait_for(condition):
    while not condition(): time.sleep(0.002)
)";

constexpr const char* k_after = R"(
wait_for(lambda: os.path.exists('namespace'))
if sys.argv[1] == 'stay': sleep()
)";

constexpr Escape k_escapes[] = {
    {.name = "double fork", .code = R"(
if os.fork() == 0:
    if os.fork() == 0: placed(); sleep()
    os._exit(0)
os.wait()
)"},
    {.name = "new session", .code = R"(
if os.fork() == 0: os.setsid(); placed(); sleep()
)"},
    {.name = "daemon", .code = R"(
if os.fork() == 0:
    os.setsid()
    if os.fork(): os._exit(0)
    placed(); os.umask(0); os.chdir('/'); os.closerange(0, 256); sleep()
)"},
    {.name = "ignores all signals", .code = R"(
if os.fork() == 0:
    for number in signal.valid_signals() - {signal.SIGKILL, signal.SIGSTOP}:
        signal.signal(number, signal.SIG_IGN)
    placed(); sleep()
)"},
    {.name = "vfork that never returns", .code = R"(
os.mkfifo('never')
child = os.fork()
if child == 0:
    opens = [(os.POSIX_SPAWN_OPEN, 0, 'never', os.O_RDONLY, 0)]
    os.posix_spawn('/bin/true', ['true'], os.environ, file_actions=opens)
wait_for(lambda: open('/proc/%d/task/%d/children' % (child, child)).read())
placed()
)"},
    {.name = "stopped children", .code = R"(
children = []
for _ in range(3):
    children.append(os.fork())
    if children[-1] == 0: os.setsid(); os.kill(os.getpid(), signal.SIGSTOP); sleep()
for child in children: os.waitpid(child, os.WUNTRACED)
placed()
)"},
    {.name = "nohup", .code = R"(
subprocess.Popen(['nohup', 'sh', '-c', 'readlink /proc/self/ns/pid >namespace.new;'
                  'sleep 1000 & mv namespace.new namespace; sleep 1000'])
)"},
    {.name = "tree of 500", .code = R"(
for _ in range(20):
    if os.fork() == 0:
        for _ in range(24):
            if os.fork() == 0: sleep()
        sleep()
wait_for(lambda: sum(name.isdigit() for name in os.listdir('/proc')) > 500)
placed()
)"},
    {.name = "forks on and on", .code = R"(
if os.fork() == 0:
    placed()
    while True:
        if os.fork(): os._exit(0)
        time.sleep(0.001)
)"},
    {.name = "nothing left to know it by", .code = R"(
if os.fork() == 0:
    os.setsid(); placed(); os.closerange(0, 256); os.execve('/bin/sleep', ['sleep', '1000'], {})
)"},
    {.name = "stopped by a tracer, where it may trace", .code = R"(
if os.fork() == 0:
    child = os.fork()
    if child == 0: ctypes.CDLL(None).ptrace(0, 0, 0, 0); os.kill(os.getpid(), signal.SIGSTOP); sleep()
    os.waitpid(child, os.WUNTRACED)
    placed(); sleep()
)"},
    {.name = "orphan of a shell", .code = R"(
subprocess.run(['sh', '-c', '(sleep 1000 &); readlink /proc/self/ns/pid >namespace.new;'
                'mv namespace.new namespace'])
)"},
};
constexpr std::size_t k_count = std::size(k_escapes);

class EscapeTest : public testing::Test {
 protected:
  void SetUp() override {
    for (std::size_t i = 0; i < k_count; ++i) {
      marks_[i] = unique_word();
      fs::create_directory(folder(i));
    }
  }

  std::unique_ptr<ProcessRunner> sandbox(const Spawner& own) {
    auto runner =
        make_sandboxed_runner(own, {.bubblewrap = {}, .stop = [this] { return stopped_.load(); }});
    TENLINE_CHECK(runner.has_value(), "the tests need a sandbox");
    return *std::move(runner);
  }

  [[nodiscard]] std::string folder(std::size_t i) const {
    return fmt::format("{}/{}", folder_.path(), i);
  }

  /// Runs all; `stay`: their first processes do not end by themselves.
  std::array<Result<ProcessOutput>, k_count> run_all(ProcessRunner& runner, const char* first,
                                                     milliseconds limit = seconds{60}) {
    std::array<Result<ProcessOutput>, k_count> outputs;
    std::vector<std::thread> threads;
    threads.reserve(k_count);
    for (std::size_t i = 0; i < k_count; ++i) {
      threads.emplace_back([&, i] {
        Command command = python(std::string(k_before) + k_escapes[i].code + k_after);
        command.argv.insert(command.argv.end(), {first, marks_[i]});
        command.environment = {{"TENLINE_MARK", marks_[i]}};
        command.cwd = folder(i);
        command.writable = {folder(i)};
        command.limits.time = limit;
        command.slot = static_cast<int>(i);
        outputs[i] = runner.run(command);
      });
    }
    for (std::thread& thread : threads) thread.join();
    return outputs;
  }

  /// The pid namespace of an escape; empty while it is not in place.
  [[nodiscard]] std::string pid_namespace(std::size_t i) const {
    return read_file(folder(i) + "/namespace").value_or("");
  }

  bool wait_until_placed(milliseconds limit = seconds{40}) {
    const auto end = std::chrono::steady_clock::now() + limit;
    for (std::size_t i = 0; i < k_count; ++i) {
      while (pid_namespace(i).empty()) {
        if (std::chrono::steady_clock::now() > end) return false;
        std::this_thread::sleep_for(milliseconds{10});
      }
    }
    return true;
  }

  /// How many processes have the mark of an escape in their environment or arguments, as
  /// bubblewrap's have, or are in its namespace.
  std::array<int, k_count> count_processes() {
    std::array<std::string, k_count> namespaces;
    for (std::size_t i = 0; i < k_count; ++i) namespaces[i] = pid_namespace(i);
    std::array<int, k_count> found{};
    std::error_code error;
    for (const fs::directory_entry& entry : fs::directory_iterator("/proc")) {
      const std::string process = entry.path().string();
      if (process.find_first_of("0123456789") == std::string::npos) continue;
      const std::string marks = read_file(process + "/environ").value_or("") +
                                read_file(process + "/cmdline").value_or("");
      const std::string within = fs::read_symlink(process + "/ns/pid", error).string();
      for (std::size_t i = 0; i < k_count; ++i) {
        const bool marked = marks.find(marks_[i]) != std::string::npos;
        if (marked || (!within.empty() && within == namespaces[i])) ++found[i];
      }
    }
    return found;
  }

  /// Nothing is left of any escape, now or within three seconds.
  void expect_nothing_left() {
    const auto end = std::chrono::steady_clock::now() + seconds{3};
    std::array<int, k_count> left = count_processes();
    while (left != std::array<int, k_count>{} && std::chrono::steady_clock::now() < end) {
      std::this_thread::sleep_for(milliseconds{50});
      left = count_processes();
    }
    for (std::size_t i = 0; i < k_count; ++i) {
      EXPECT_EQ(left[i], 0) << k_escapes[i].name;
      EXPECT_NE(pid_namespace(i), "") << k_escapes[i].name;
    }
  }

  void expect_end(const std::array<Result<ProcessOutput>, k_count>& outputs, ProcessEnd end) {
    for (std::size_t i = 0; i < k_count; ++i) {
      ASSERT_TRUE(outputs[i]) << k_escapes[i].name << ": " << outputs[i].error().message;
      EXPECT_EQ(outputs[i]->end, end) << k_escapes[i].name << ": " << outputs[i]->err;
      EXPECT_EQ(outputs[i]->exit_code, 0) << k_escapes[i].name << ": " << outputs[i]->err;
    }
  }

  /// Every escape is there to be found.
  void expect_all_alive() {
    ASSERT_TRUE(wait_until_placed());
    const std::array<int, k_count> alive = count_processes();
    for (std::size_t i = 0; i < k_count; ++i) EXPECT_GE(alive[i], 3) << k_escapes[i].name;
  }

  std::atomic<bool> stopped_ = false;
  TemporaryFolder folder_ = *TemporaryFolder::make("tenline-escape-test");
  std::array<std::string, k_count> marks_;
};

TEST_F(EscapeTest, NothingOutlivesTheEndOfItsProgram) {
  const auto runner = sandbox(spawner());
  expect_end(run_all(*runner, "end"), ProcessEnd::exited);
  expect_nothing_left();
}

TEST_F(EscapeTest, NothingOutlivesTheTimeLimit) {
  const auto runner = sandbox(spawner());
  for (seconds limit{2}; limit <= seconds{32}; limit *= 2) {  // A busy machine needs longer.
    const auto start = std::chrono::steady_clock::now();
    const auto outputs = run_all(*runner, "stay", limit);
    EXPECT_LT(std::chrono::steady_clock::now() - start, limit + seconds{3});
    if (!wait_until_placed(milliseconds{0})) continue;
    expect_end(outputs, ProcessEnd::timed_out);
    break;
  }
  expect_nothing_left();
}

TEST_F(EscapeTest, NothingOutlivesAStop) {
  const auto runner = sandbox(spawner());
  std::thread stopper([this] {
    expect_all_alive();
    stopped_ = true;
  });
  const auto outputs = run_all(*runner, "stay");
  stopper.join();
  expect_end(outputs, ProcessEnd::cancelled);
  expect_nothing_left();
}

TEST_F(EscapeTest, NothingOutlivesAKilledEngine) {
  const pid_t engine = ::fork();
  if (engine == 0) {
    const Result<Spawner> own = Spawner::start();
    const auto runner = sandbox(*own);
    run_all(*runner, "stay");
    ::_exit(1);
  }
  expect_all_alive();
  ::kill(engine, SIGKILL);
  int status = 0;
  ::waitpid(engine, &status, 0);
  EXPECT_TRUE(WIFSIGNALED(status));
  expect_nothing_left();
}

}  // namespace
}  // namespace tenline
