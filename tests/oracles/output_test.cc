#include "oracles/output.h"

#include <gtest/gtest.h>

namespace tenline {
namespace {

TEST(LastErrorLineTest, TakesTheLastLineThatNamesAnException) {
  EXPECT_EQ(last_error_line("Traceback (most recent call last):\n  File \"x\", line 1\n"
                            "KeyError: 'a'\n\nDuring handling\nRuntimeError: b\n  Missing key\n"),
            "RuntimeError: b");
  EXPECT_EQ(last_error_line("torch.cuda.OutOfMemoryError: CUDA\n"),
            "torch.cuda.OutOfMemoryError: CUDA");
  EXPECT_EQ(last_error_line("E   AssertionError: assert 1 == 2\n"),
            "AssertionError: assert 1 == 2");
  EXPECT_EQ(last_error_line("AssertionError\n"), "AssertionError");
  EXPECT_EQ(last_error_line("BUG PRESENT: KeyError - x\n    RuntimeError: indented\n"), "");
  EXPECT_EQ(last_error_line(""), "");
}

TEST(LastErrorTest, PrefersTheStandardErrorAndFallsBackToTheLastLine) {
  ProcessOutput output;
  EXPECT_EQ(last_error(output), "");
  output.out = "hello\n\n";
  EXPECT_EQ(last_error(output), "hello");
  output.out = "ValueError: out\n";
  output.err = "a warning\n";
  EXPECT_EQ(last_error(output), "ValueError: out");
  output.err = "TypeError: err\n";
  EXPECT_EQ(last_error(output), "TypeError: err");
}

TEST(LastErrorTest, IsOneShortLineOfValidText) {
  ProcessOutput output;
  output.err = "ValueError: \x1b[31m\xff" + std::string(1'000'000, 'x');
  const std::string line = last_error(output);
  EXPECT_LT(line.size(), 400U);
  EXPECT_EQ(line.find('\x1b'), std::string::npos);
}

TEST(MissingModuleTest, ReadsTheNameOfTheModule) {
  EXPECT_EQ(missing_module("ModuleNotFoundError: No module named 'apex.x'"), "apex.x");
  EXPECT_EQ(missing_module("ModuleNotFoundError: No module named 'a'; 'a' is not a package"), "a");
  EXPECT_EQ(missing_module("ImportError: No module named a"), "a");
  for (const std::string_view line :
       {"", "ImportError: cannot import name 'x' from 'y'", "ValueError: No module named 'x'",
        "ModuleNotFoundError: No module named ''", "ModuleNotFoundError: No module named '../x'",
        "ModuleNotFoundError: No module named '"}) {
    EXPECT_EQ(missing_module(line), "") << line;
  }
}

TEST(NeedsGpusTest, KnowsTheTexts) {
  for (const std::string_view line :
       {"RuntimeError: Found no NVIDIA driver on your system.",
        "AssertionError: Torch not compiled with CUDA enabled",
        "RuntimeError: No CUDA GPUs are available", "ValueError: this test requires 2 GPUs"}) {
    EXPECT_TRUE(needs_gpus(line)) << line;
  }
  for (const std::string_view line :
       {"RuntimeError: x must be on cuda", "KeyError: 'gpu'", "", "ValueError: requires a name"}) {
    EXPECT_FALSE(needs_gpus(line)) << line;
  }
}

TEST(EndOfTest, NamesTheLimit) {
  ProcessLimits limits;
  limits.time = std::chrono::seconds(10);
  limits.memory = std::size_t{512} << 20U;
  ProcessOutput output;
  output.exit_code = 2;
  EXPECT_EQ(end_of(output, limits), "exit 2");
  output.end = ProcessEnd::signalled;
  output.signal = 11;
  EXPECT_EQ(end_of(output, limits), "signal 11");
  output.end = ProcessEnd::timed_out;
  EXPECT_EQ(end_of(output, limits), "time limit of 10 s");
  output.end = ProcessEnd::memory_limit;
  EXPECT_EQ(end_of(output, limits), "memory limit of 512 MiB");
}

TEST(UncaughtExceptionTest, IsATracebackOnTheStandardError) {
  ProcessOutput output;
  output.out = "Traceback (most recent call last):\nKeyError: 1\n";
  EXPECT_FALSE(ends_with_uncaught_exception(output));
  output.err = "warning\nTraceback (most recent call last):\n  File \"x\"\nKeyError: 1\n";
  EXPECT_TRUE(ends_with_uncaught_exception(output));
  output.err = "Traceback (most recent call last):\n";
  EXPECT_FALSE(ends_with_uncaught_exception(output));
}

}  // namespace
}  // namespace tenline
