#include "engine/platform/spawner.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <poll.h>
#include <sys/wait.h>

#include <csignal>
#include <thread>

#include "tests/platform/programs.h"

namespace tenline {
namespace {

class SpawnerTest : public testing::Test {
 protected:
  SpawnRequest request(const std::string& code) {
    SpawnRequest request;
    request.argv = {"/bin/sh", "-c", code, word_};
    request.environment = {"PATH=/usr/bin:/bin"};
    request.fds = {null_.get(), null_.get(), null_.get()};
    return request;
  }
  UniqueFd null_{::open("/dev/null", O_RDWR | O_CLOEXEC)};
  std::string word_ = unique_word();
};

TEST_F(SpawnerTest, ReportsTheStatus) {
  const Result<SpawnedTree> tree = spawner().spawn(request("exit 7"));
  ASSERT_TRUE(tree);
  const Result<SpawnEnd> end = tree->end();
  ASSERT_TRUE(end);
  EXPECT_TRUE(WIFEXITED(end->status));
  EXPECT_EQ(WEXITSTATUS(end->status), 7);
}

TEST_F(SpawnerTest, SaysWhyAProgramDoesNotStart) {
  SpawnRequest missing = request("");
  missing.argv = {"/no/such/program"};
  const Result<SpawnedTree> tree = spawner().spawn(missing);
  ASSERT_FALSE(tree);
  EXPECT_EQ(tree.error().code, ErrorCode::not_found);
  EXPECT_EQ(tree.error().message, "cannot start /no/such/program: No such file or directory");
  SpawnRequest nowhere = request("");
  nowhere.cwd = "/no/such/folder";
  EXPECT_FALSE(spawner().spawn(nowhere));
}

TEST_F(SpawnerTest, KillsTheTreeWhenAsked) {
  const Result<SpawnedTree> tree = spawner().spawn(request("sleep 100 & sleep 100; : $0"));
  ASSERT_TRUE(tree);
  EXPECT_TRUE(wait_for_processes(word_, 1));
  tree->kill();
  const Result<SpawnEnd> end = tree->end();
  ASSERT_TRUE(end);
  EXPECT_TRUE(WIFSIGNALED(end->status));
  EXPECT_EQ(processes_with(word_), 0);
}

TEST_F(SpawnerTest, KillsTheTreeWhenItsHandleIsDropped) {
  {
    const Result<SpawnedTree> tree = spawner().spawn(request("sleep 100; : $0"));
    ASSERT_TRUE(tree);
  }
  EXPECT_TRUE(wait_for_processes(word_, 0));
}

TEST_F(SpawnerTest, GivesTheProgramNoOtherDescriptors) {
  const UniqueFd leak(::open("/dev/null", O_RDONLY));  // Inheritable.
  Result<Pipe> out = make_pipe();
  ASSERT_TRUE(out);
  SpawnRequest list = request("exec ls /proc/self/fd");
  list.fds[1] = out->write.get();
  const Result<SpawnedTree> tree = spawner().spawn(list);
  ASSERT_TRUE(tree);
  ASSERT_TRUE(tree->end());
  EXPECT_EQ(read_available(out->read.get(), 1000), "0\n1\n2\n3\n");  // 3 is of `ls` itself.
}

TEST_F(SpawnerTest, SetsLimitsAndResetsSignals) {
  ::signal(SIGUSR1, SIG_IGN);
  Result<Pipe> out = make_pipe();
  ASSERT_TRUE(out);
  SpawnRequest limited = request("ulimit -n; ulimit -c; grep SigIgn /proc/self/status");
  limited.fds[1] = out->write.get();
  limited.limits = {{RLIMIT_NOFILE, 77}, {RLIMIT_CORE, 0}};
  const Result<SpawnedTree> tree = spawner().spawn(limited);
  ASSERT_TRUE(tree && tree->end());
  EXPECT_EQ(read_available(out->read.get(), 1000), "77\n0\nSigIgn:\t0000000000000000\n");
}

TEST_F(SpawnerTest, CarriesALargeRequest) {
  SpawnRequest large = request("test ${#LARGE} = 100000 && test $# = 2000");
  large.environment.push_back("LARGE=" + std::string(100000, 'x'));
  for (int i = 0; i < 2000; ++i) large.argv.emplace_back("argument");
  const Result<SpawnedTree> tree = spawner().spawn(large);
  ASSERT_TRUE(tree) << tree.error().message;
  EXPECT_EQ(tree->end()->status, 0);
}

TEST_F(SpawnerTest, DiesWithAnEngineThatIsKilled) {
  const pid_t engine = ::fork();
  if (engine == 0) {
    Result<Spawner> own = Spawner::start();
    if (!own) ::_exit(1);
    const Result<SpawnedTree> first = own->spawn(request("sleep 100; : $0"));
    const Result<SpawnedTree> second =
        own->spawn(request("setsid sh -c 'sleep 100; : '$0 & setsid sleep 100; : $0"));
    if (!first || !second) ::_exit(1);
    for (;;) ::pause();
  }
  EXPECT_TRUE(wait_for_processes(word_, 3));
  ::kill(engine, SIGKILL);
  ::waitpid(engine, nullptr, 0);
  EXPECT_TRUE(wait_for_processes(word_, 0));
}

TEST_F(SpawnerTest, LeavesNothingWhenTheSpawnerIsKilled) {
  Result<Spawner> own = Spawner::start();
  ASSERT_TRUE(own);
  const Result<SpawnedTree> tree = own->spawn(request("sleep 100; : $0"));
  ASSERT_TRUE(tree);
  // The spawner is our newest child; its id stands nowhere in its interface.
  const std::string children = *read_file(fmt::format("/proc/self/task/{}/children", ::getpid()));
  const std::size_t last = children.find_last_of(' ', children.size() - 2);
  ::kill(std::stoi(children.substr(last == std::string::npos ? 0 : last)), SIGKILL);
  EXPECT_TRUE(tree->end());  // Its keeper still answers.
  EXPECT_TRUE(wait_for_processes(word_, 0));
  EXPECT_FALSE(own->spawn(request("exit 0")));
}

TEST_F(SpawnerTest, OutlivesAnInterruptOfItsGroup) {
  const pid_t engine = ::fork();
  if (engine == 0) {
    ::setpgid(0, 0);
    ::signal(SIGINT, SIG_IGN);
    Result<Spawner> own = Spawner::start();
    ::kill(0, SIGINT);
    const Result<SpawnedTree> tree = own->spawn(request("exit 5"));
    ::_exit(tree ? WEXITSTATUS(tree->end()->status) : 1);
  }
  int status = 0;
  ::waitpid(engine, &status, 0);
  EXPECT_EQ(WEXITSTATUS(status), 5);
}

}  // namespace
}  // namespace tenline
