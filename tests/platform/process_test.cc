#include "engine/platform/process.h"

#include <gtest/gtest.h>
#include <sys/wait.h>

#include <atomic>
#include <csignal>
#include <filesystem>
#include <thread>

#include "tests/platform/programs.h"

namespace tenline {
namespace {

using std::chrono::milliseconds;

class ProcessTest : public testing::Test {
 protected:
  ProcessOutput run(const Command& command) { return tenline::run(*runner_, command); }
  std::atomic<bool> stopped_ = false;
  std::unique_ptr<ProcessRunner> runner_ =
      make_unsafe_runner(spawner(), [this] { return stopped_.load(); });
};

TEST(CappedTextTest, KeepsAShortTextWhole) {
  CappedText text;
  text.add("ab");
  text.add("");
  text.add("c");
  EXPECT_EQ(text.text(), "abc");
}

TEST(CappedTextTest, KeepsATextOfTwoPartsWhole) {
  CappedText text;
  const std::string whole =
      std::string(CappedText::k_part, 'a') + std::string(CappedText::k_part, 'b');
  text.add(whole);
  EXPECT_EQ(text.text(), whole);
}

TEST(CappedTextTest, SaysHowMuchIsLeftOut) {
  CappedText text;
  text.add("first ");
  for (int i = 0; i < 3000; ++i) text.add(std::string(1024, 'x'));
  text.add(" last");
  const std::string result = text.text();
  EXPECT_TRUE(result.starts_with("first x"));
  EXPECT_TRUE(result.ends_with("x last"));
  const std::size_t left_out = 6 + 3000 * 1024 + 5 - 2 * CappedText::k_part;
  EXPECT_NE(result.find(fmt::format("\n[tenline: {} bytes left out]\n", left_out)),
            std::string::npos);
  EXPECT_EQ(text.total(), 6U + 3000U * 1024U + 5U);
}

TEST_F(ProcessTest, ReportsOutputAndExitCode) {
  const ProcessOutput output = run(shell("echo out; echo err >&2; exit 3"));
  EXPECT_EQ(output.end, ProcessEnd::exited);
  EXPECT_EQ(output.exit_code, 3);
  EXPECT_EQ(output.out, "out\n");
  EXPECT_EQ(output.err, "err\n");
}

TEST_F(ProcessTest, ReportsTheSignal) {
  const ProcessOutput output = run(shell("kill -SEGV $$"));
  EXPECT_EQ(output.end, ProcessEnd::signalled);
  EXPECT_EQ(output.signal, SIGSEGV);
}

TEST_F(ProcessTest, DrainsTwoMegabytesOnBothStreams) {
  const ProcessOutput output =
      run(python("import sys\n"
                 "for i in range(2048): sys.stdout.write('o'*1024); sys.stderr.write('e'*1024)\n"));
  EXPECT_EQ(output.exit_code, 0);
  EXPECT_GT(output.out.size(), 2 * CappedText::k_part);
  EXPECT_LT(output.out.size(), 2 * CappedText::k_part + 100);
  EXPECT_NE(output.err.find("bytes left out"), std::string::npos);
}

TEST_F(ProcessTest, NamesAMissingProgram) {
  Command command;
  for (const char* name : {"no-such-program", "/no/such/program", "./none", "/etc/passwd", "/"}) {
    command.argv = {name};
    const Result<ProcessOutput> output = runner_->run(command);
    ASSERT_FALSE(output) << name;
    EXPECT_EQ(output.error().code, ErrorCode::not_found);
    EXPECT_NE(output.error().message.find(name), std::string::npos) << output.error().message;
  }
}

TEST_F(ProcessTest, RefusesWhatNoProgramCanBeGiven) {
  Command command;
  EXPECT_EQ(runner_->run(command).error().code, ErrorCode::invalid_input);
  command.argv = {"/bin/true", std::string("a\0b", 3)};
  EXPECT_EQ(runner_->run(command).error().code, ErrorCode::invalid_input);
  command.argv = {"/bin/true"};
  command.environment = {{"A=B", "c"}};
  EXPECT_EQ(runner_->run(command).error().code, ErrorCode::invalid_input);
}

TEST_F(ProcessTest, PassesOnlyTheGivenEnvironment) {
  ::setenv("TENLINE_TEST_SECRET", "secret", 1);
  Command command;
  command.argv = {"env"};
  command.environment = {{"A", "1"}, {"LANG", "C"}};
  const ProcessOutput output = run(command);
  EXPECT_EQ(output.out.find("secret"), std::string::npos);
  EXPECT_NE(output.out.find("A=1\n"), std::string::npos);
  EXPECT_NE(output.out.find("LANG=C\n"), std::string::npos);
  for (const char* name : {"HOME=", "TMPDIR=", "PATH="}) {
    EXPECT_NE(output.out.find(name), std::string::npos) << name;
  }
}

TEST_F(ProcessTest, EndsAtTheDeadline) {
  Command command = shell("sleep 100");
  command.limits.time = milliseconds{300};
  const ProcessOutput output = run(command);
  EXPECT_EQ(output.end, ProcessEnd::timed_out);
  EXPECT_GE(output.seconds, 0.3);
  EXPECT_LT(output.seconds, 2);
}

TEST_F(ProcessTest, EndsWhenStopped) {
  stopped_ = true;
  const ProcessOutput output = run(shell("sleep 100"));
  EXPECT_EQ(output.end, ProcessEnd::cancelled);
  EXPECT_LT(output.seconds, 2);
}

TEST_F(ProcessTest, EndsAnEndlessPrinter) {
  Command command = shell("yes");
  command.limits.output = std::size_t{4} << 20U;
  const ProcessOutput output = run(command);
  EXPECT_EQ(output.end, ProcessEnd::output_limit);
  EXPECT_LT(output.out.size(), 2 * CappedText::k_part + 100);
}

TEST_F(ProcessTest, LeavesNoGrandchildBehind) {
  const std::string word = unique_word();
  Command command = shell(
      "setsid sh -c 'setsid sh -c \"sleep 100; : '$0'\" & sleep 100; : '$0'' </dev/null "
      ">/dev/null 2>&1 & sleep 0.3");
  command.argv.push_back(word);
  EXPECT_EQ(run(command).exit_code, 0);
  EXPECT_EQ(processes_with(word), 0);
}

TEST_F(ProcessTest, LeavesNothingBehindAtTheDeadline) {
  const std::string word = unique_word();
  Command command = shell("trap '' TERM INT HUP; setsid sh -c 'sleep 100; : '$0 & sleep 100; : $0");
  command.argv.push_back(word);
  command.limits.time = milliseconds{400};
  EXPECT_EQ(run(command).end, ProcessEnd::timed_out);
  EXPECT_EQ(processes_with(word), 0);
}

TEST_F(ProcessTest, CountsTheCpuTimeOfChildren) {
  const ProcessOutput output =
      run(python("import os, time\n"
                 "if os.fork() == 0:\n"
                 "    while time.process_time() < 0.5: pass\n"
                 "    os._exit(0)\n"
                 "os.wait()\n"));
  EXPECT_GT(output.cpu_seconds, 0.45);
  EXPECT_LT(output.cpu_seconds, 1.5);
}

TEST_F(ProcessTest, RunsFromTwoThreads) {
  spawner();
  const auto many = [&](int code) {
    for (int i = 0; i < 10; ++i) {
      const ProcessOutput output = run(shell(fmt::format("echo {0}; exit {0}", code)));
      EXPECT_EQ(output.exit_code, code);
      EXPECT_EQ(output.out, fmt::format("{}\n", code));
    }
  };
  std::thread other(many, 1);
  many(2);
  other.join();
}

TEST_F(ProcessTest, RemovesItsScratchFolder) {
  const ProcessOutput output = run(shell("pwd; echo x >file; mkdir d; chmod 0 d"));
  EXPECT_EQ(output.exit_code, 0);
  const std::string folder = output.out.substr(0, output.out.size() - 1);
  EXPECT_NE(folder, "");
  EXPECT_FALSE(std::filesystem::exists(folder)) << folder;
}

}  // namespace
}  // namespace tenline
