#include "engine/issue/read_issue.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace tenline {
namespace {

const std::string k_plain =
    "Traceback (most recent call last):\n"
    "  File \"train.py\", line 9, in main\n"
    "    engine.step()\n"
    "  File \"pkg/engine.py\", line 41, in step\n"
    "    total = sum(t.norm() for t in grads)\n"
    "            ^^^^^^^^^^^^^^^^^^^^^^^^^^^^\n"
    "AttributeError: 'NoneType' object has no attribute 'norm'\n";

std::string with_prefix(const std::string& prefix, const std::string& text) {
  std::string result;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = text.find('\n', at) + 1;
    result += prefix + text.substr(at, end - at);
    at = end;
  }
  return result;
}

BugReport read(const std::string& text) {
  const Result<BugReport> report = read_issue(text);
  EXPECT_TRUE(report.has_value()) << (report ? "" : report.error().message);
  return report.value_or(BugReport{});
}

void expect_plain(const Traceback& traceback, const std::string& label) {
  EXPECT_EQ(traceback.exception_type, "AttributeError") << label;
  EXPECT_EQ(traceback.message, "'NoneType' object has no attribute 'norm'") << label;
  ASSERT_EQ(traceback.frames.size(), 2U) << label;
  EXPECT_EQ(traceback.frames[0].file, "train.py") << label;
  EXPECT_EQ(traceback.frames[0].code, "engine.step()") << label;
  EXPECT_EQ(traceback.frames[1].file, "pkg/engine.py") << label;
  EXPECT_EQ(traceback.frames[1].line, 41) << label;
  EXPECT_EQ(traceback.frames[1].function, "step") << label;
  EXPECT_EQ(traceback.frames[1].code, "total = sum(t.norm() for t in grads)") << label;
}

TEST(ReadIssueTest, ReadsATracebackInAnyWrapping) {
  struct Case {
    std::string label;
    std::string text;
    int rank;
  };
  const std::vector<Case> cases = {
      {"plain", k_plain, -1},
      {"windows line ends", "", -1},
      {"fence", "It fails:\n\n```\n" + k_plain + "```\nPlease help.\n", -1},
      {"quote", with_prefix("> ", k_plain), -1},
      {"indented", with_prefix("    ", k_plain), -1},
      {"rank", with_prefix("[rank3]: ", k_plain), 3},
      {"torchrun", with_prefix("[default2]:", k_plain), 2},
      {"srun", with_prefix("5: ", k_plain), 5},
      {"pdsh", with_prefix("node1: ", k_plain), -1},
      {"mpirun", with_prefix("[1,4]<stderr>:", k_plain), 4},
      {"logger", with_prefix("[2023-10-18 12:00:01,123] [ERROR] ", k_plain), -1},
      {"time", with_prefix("2024-01-01 12:00:00 ", k_plain), -1},
      {"actor", with_prefix("(worker pid=123) ", k_plain), -1},
      {"quoted rank", with_prefix("> [rank1]: ", k_plain), 1},
      {"no header", k_plain.substr(k_plain.find('\n') + 1), -1},
      {"colours", "\x1b[31m" + k_plain + "\x1b[0m", -1},
      {"note after it", k_plain + "please install the package first\n", -1},
  };
  for (Case c : cases) {
    if (c.text.empty()) {
      for (const char letter : k_plain) c.text += letter == '\n' ? "\r\n" : std::string(1, letter);
    }
    const BugReport report = read(c.text);
    ASSERT_EQ(report.tracebacks.size(), 1U) << c.label;
    expect_plain(report.tracebacks[0], c.label);
    EXPECT_EQ(report.tracebacks[0].rank, c.rank) << c.label;
    EXPECT_TRUE(report.errors.empty()) << c.label;
  }
}

TEST(ReadIssueTest, ReadsATracebackThatLostItsIndentation) {
  const BugReport report = read(
      "Traceback (most recent call last):\n"
      "File \"a.py\", line 3, in f\n"
      "g()\n"
      "File \"b.py\", line 5, in g\n"
      "raise KeyError(name)\n"
      "KeyError: 'x'\n");
  ASSERT_EQ(report.tracebacks.size(), 1U);
  ASSERT_EQ(report.tracebacks[0].frames.size(), 2U);
  EXPECT_EQ(report.tracebacks[0].frames[1].code, "raise KeyError(name)");
  EXPECT_EQ(report.tracebacks[0].exception_type, "KeyError");
  EXPECT_EQ(report.tracebacks[0].message, "'x'");
}

TEST(ReadIssueTest, KeepsInterleavedRanksApart) {
  const BugReport report = read(
      "[rank0]: Traceback (most recent call last):\n"
      "[rank1]: Traceback (most recent call last):\n"
      "[rank1]:   File \"a.py\", line 1, in one\n"
      "[rank0]:   File \"a.py\", line 2, in zero\n"
      "[rank0]:     zero_code()\n"
      "[rank1]:     one_code()\n"
      "starting up\n"
      "[rank1]: ValueError: one\n"
      "[rank0]: TypeError: zero\n");
  ASSERT_EQ(report.tracebacks.size(), 2U);
  EXPECT_EQ(report.tracebacks[0].rank, 0);
  EXPECT_EQ(report.tracebacks[0].exception_type, "TypeError");
  EXPECT_EQ(report.tracebacks[0].frames.at(0).code, "zero_code()");
  EXPECT_EQ(report.tracebacks[1].rank, 1);
  EXPECT_EQ(report.tracebacks[1].exception_type, "ValueError");
  EXPECT_EQ(report.tracebacks[1].frames.at(0).code, "one_code()");
}

TEST(ReadIssueTest, SaysHowChainedTracebacksHangTogether) {
  const BugReport report = read(
      "Traceback (most recent call last):\n"
      "  File \"a.py\", line 1, in f\n"
      "    import fast\n"
      "ModuleNotFoundError: No module named 'fast'\n"
      "\n"
      "During handling of the above exception, another exception occurred:\n"
      "\n"
      "Traceback (most recent call last):\n"
      "  File \"a.py\", line 3, in f\n"
      "    slow()\n"
      "ValueError: too slow\n"
      "\n"
      "The above exception was the direct cause of the following exception:\n"
      "\n"
      "Traceback (most recent call last):\n"
      "  File \"b.py\", line 9, in main\n"
      "    f()\n"
      "RuntimeError: cannot start\n");
  ASSERT_EQ(report.tracebacks.size(), 3U);
  EXPECT_EQ(report.tracebacks[0].chain, Chain::none);
  EXPECT_EQ(report.tracebacks[1].chain, Chain::context);
  EXPECT_EQ(report.tracebacks[2].chain, Chain::cause);
  ASSERT_NE(report.main_error(), nullptr);
  EXPECT_EQ(report.main_error()->exception_type, "RuntimeError");
}

TEST(ReadIssueTest, ReadsTheExceptionLine) {
  struct Case {
    std::string lines;
    std::string type;
    std::string message;
  };
  const std::vector<Case> cases = {
      {"AssertionError\n", "AssertionError", ""},
      {"socket.gaierror: [Errno -2] unknown name\n", "socket.gaierror", "[Errno -2] unknown name"},
      {"torch.cuda.OutOfMemoryError: no memory\n", "torch.cuda.OutOfMemoryError", "no memory"},
      {"__main__.f.<locals>.Stop: now\n", "__main__.f.<locals>.Stop", "now"},
      {"queue.Empty\n", "queue.Empty", ""},
      {"KeyboardInterrupt\n", "KeyboardInterrupt", ""},
      {"RuntimeError: Error(s) in loading:\n\tMissing key(s): \"bias\".\n\tMore.\n\nNext "
       "paragraph\n",
       "RuntimeError", "Error(s) in loading:\n\tMissing key(s): \"bias\".\n\tMore."},
      {"ValidationError: 1 error for Config\nstage\n  must be below 4\nbye\n", "ValidationError",
       "1 error for Config\nstage\n  must be below 4"},
      {"AssertionError: \nvalues differ\n", "AssertionError", "values differ"},
      {"ValueError: bad\nplease install the package\n", "ValueError", "bad"},
      {"[Previous line repeated 996 more times]\nRecursionError: too deep\n", "RecursionError",
       "too deep"},
      {"some log line\nanother: log line\nValueError: bad\n", "ValueError", "bad"},
  };
  for (const Case& c : cases) {
    const BugReport report = read(
        "Traceback (most recent call last):\n"
        "  File \"a.py\", line 1, in f\n"
        "    g(x)\n"
        "    ~^^^\n" +
        c.lines);
    ASSERT_EQ(report.tracebacks.size(), 1U) << c.lines;
    EXPECT_EQ(report.tracebacks[0].exception_type, c.type) << c.lines;
    EXPECT_EQ(report.tracebacks[0].message, c.message) << c.lines;
  }
}

TEST(ReadIssueTest, ReadsASyntaxError) {
  const BugReport report = read(
      "Traceback (most recent call last):\n"
      "  File \"a.py\", line 1, in <module>\n"
      "    import b\n"
      "  File \"b.py\", line 7\n"
      "    x = = 1\n"
      "        ^\n"
      "SyntaxError: invalid syntax\n");
  ASSERT_EQ(report.tracebacks.size(), 1U);
  ASSERT_EQ(report.tracebacks[0].frames.size(), 2U);
  EXPECT_EQ(report.tracebacks[0].frames[1].line, 7);
  EXPECT_EQ(report.tracebacks[0].frames[1].function, "");
  EXPECT_EQ(report.tracebacks[0].frames[1].code, "x = = 1");
  EXPECT_EQ(report.tracebacks[0].exception_type, "SyntaxError");
}

TEST(ReadIssueTest, ReadsAnExceptionGroup) {
  const BugReport report = read(
      "  + Exception Group Traceback (most recent call last):\n"
      "  |   File \"a.py\", line 1, in f\n"
      "  |     run()\n"
      "  | ExceptionGroup: several (2 sub-exceptions)\n"
      "  +-+---------------- 1 ----------------\n"
      "    | Traceback (most recent call last):\n"
      "    |   File \"b.py\", line 2, in one\n"
      "    |     one()\n"
      "    | ValueError: first\n"
      "    +---------------- 2 ----------------\n"
      "    | TypeError: second\n"
      "    +------------------------------------\n");
  ASSERT_EQ(report.tracebacks.size(), 2U);
  EXPECT_EQ(report.tracebacks[0].exception_type, "ExceptionGroup");
  EXPECT_EQ(report.tracebacks[1].exception_type, "ValueError");
  EXPECT_EQ(report.tracebacks[1].frames.at(0).file, "b.py");
  ASSERT_EQ(report.errors.size(), 1U);
  EXPECT_EQ(report.errors[0].exception_type, "TypeError");
}

TEST(ReadIssueTest, KeepsATracebackThatWasCutOff) {
  const BugReport report = read(
      "Traceback (most recent call last):\n"
      "  File \"a.py\", line 4, in f\n"
      "    g(x)\n");
  ASSERT_EQ(report.tracebacks.size(), 1U);
  EXPECT_EQ(report.tracebacks[0].frames.at(0).line, 4);
  EXPECT_EQ(report.tracebacks[0].exception_type, "");
}

TEST(ReadIssueTest, FindsErrorsInProseAndLogs) {
  struct Case {
    std::string text;
    std::string type;
    std::string message;
  };
  const std::vector<Case> cases = {
      {"AssertionError: size is 3", "AssertionError", "size is 3"},
      {"log: AssertionError: size is 3", "AssertionError", "size is 3"},
      {"It stops with AttributeError: 'NoneType' object has no attribute 'kind' in halve if empty.",
       "AttributeError", "'NoneType' object has no attribute 'kind'"},
      {"I get TypeError: A.b() got an unexpected keyword argument 'wait'. The other works.",
       "TypeError", "A.b() got an unexpected keyword argument 'wait'"},
      {"Zero is refused (ValueError: math domain error) here", "ValueError", "math domain error"},
      {"It ends with `RuntimeError: no group` each time", "RuntimeError", "no group"},
      {"It ends with `KeyError`: 'lr' each time. Sad.", "KeyError", "'lr' each time"},
      {"crashes: KeyError 'SSH_ARGS' in get_cmd", "KeyError", "'SSH_ARGS'"},
      {"That raises a TypeError for lists", "TypeError", ""},
      {"ends in torch.cuda.OutOfMemoryError: too large", "torch.cuda.OutOfMemoryError",
       "too large"},
  };
  for (const Case& c : cases) {
    const BugReport report = read(c.text);
    EXPECT_TRUE(report.tracebacks.empty()) << c.text;
    ASSERT_EQ(report.errors.size(), 1U) << c.text;
    EXPECT_EQ(report.errors[0].exception_type, c.type) << c.text;
    EXPECT_EQ(report.errors[0].message, c.message) << c.text;
    EXPECT_EQ(report.main_error(), report.errors.data());
  }
}

TEST(ReadIssueTest, DoesNotTakeOtherTextForErrors) {
  for (const std::string text :
       {"except ValueError: pass", "raise ValueError(\"x\")", "Error: it failed", "Note: see below",
        "see https://example.org/ValueError: x", "UserWarning: old", "an error: it fails"}) {
    const BugReport report = read(text);
    EXPECT_TRUE(report.tracebacks.empty()) << text;
    EXPECT_TRUE(report.errors.empty()) << text;
  }
}

TEST(ReadIssueTest, NamesTheSameErrorOnce) {
  const BugReport report = read("ValueError: bad\n\nValueError: bad\n\nValueError: worse\n");
  ASSERT_EQ(report.errors.size(), 2U);
  EXPECT_EQ(report.errors[1].message, "worse");
}

}  // namespace
}  // namespace tenline
