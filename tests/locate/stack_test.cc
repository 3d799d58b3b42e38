#include "engine/locate/stack.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace tenline {
namespace {

TEST(StackTest, FindsTheRepositoryFileThatATracebackMeans) {
  const std::vector<std::string> files = {"lib/core/pkg/c.py", "pkg/a.py",     "pkg/sub/a.py",
                                          "setup.py",          "src/one/b.py", "src/two/one/b.py"};
  struct Case {
    std::string printed;
    std::string file;
  };
  const std::vector<Case> cases = {
      {"pkg/a.py", "pkg/a.py"},
      {"/home/me/lib/site-packages/pkg/a.py", "pkg/a.py"},
      {"/home/me/lib/pkg/sub/a.py", "pkg/sub/a.py"},
      {R"(C:\work\pkg\a.py)", "pkg/a.py"},
      {"pkg/c.py", "lib/core/pkg/c.py"},
      {"one/b.py", ""},  // Two files end like this.
      {"setup.py", "setup.py"},
      {"/other/project/setup.py", ""},
      {"a.py", ""},
      {"xpkg/a.py", ""},
      {"<string>", ""},
      {"", ""},
  };
  for (const Case& c : cases) EXPECT_EQ(repository_file(c.printed, files), c.file) << c.printed;
}

Frame frame(int line, std::string function, std::string code) {
  Frame result;
  result.line = line;
  result.function = std::move(function);
  result.code = std::move(code);
  return result;
}

TEST(StackTest, FollowsALineThatHasMoved) {
  const SourceFile file = read_source("a.py",
                                      "import os\n"
                                      "\n"
                                      "def f(x):\n"
                                      "    y = x.size()\n"
                                      "    return y\n"
                                      "\n"
                                      "def g(x):\n"
                                      "    return y\n");
  EXPECT_EQ(matching_line(frame(4, "f", "y = x.size()"), file), 4);
  EXPECT_EQ(matching_line(frame(99, "f", "y = x.size()"), file), 4);
  EXPECT_EQ(matching_line(frame(2, "f", "y = x.size()"), file), 4);
  EXPECT_EQ(matching_line(frame(1, "g", "return y"), file), 8);
  EXPECT_EQ(matching_line(frame(5, "f", ""), file), 5);
  EXPECT_EQ(matching_line(frame(5, "g", ""), file), 0);
  EXPECT_EQ(matching_line(frame(5, "f", "something.else()"), file), 0);
  EXPECT_EQ(matching_line(frame(0, "", ""), file), 0);
}

FailureException exception(std::string type, bool escaped, std::string file, int line) {
  FailureException result;
  result.type = std::move(type);
  result.escaped = escaped;
  FailureFrame inner;
  inner.file = std::move(file);
  inner.line = line;
  result.frames.push_back(std::move(inner));
  return result;
}

TEST(StackTest, BelievesTheReportedExceptionMost) {
  BugReport report;
  Traceback error;
  error.exception_type = "pkg.errors.ShapeError";
  report.errors.push_back(error);
  const IssueTerms terms(report, nullptr);
  FailureTrace trace;
  trace.exceptions.push_back(exception("StopIteration", false, "a.py", 1));
  trace.exceptions.push_back(exception("ShapeError", false, "b.py", 2));
  trace.exceptions.push_back(exception("AttributeError", false, "c.py", 3));
  const std::vector<BlamedFrame> caught = blamed_frames(trace, terms);
  ASSERT_EQ(caught.size(), 2U);
  EXPECT_EQ(caught[0].file, "b.py");
  EXPECT_GT(caught[0].weight, caught[1].weight);

  trace.exceptions.push_back(exception("ShapeError", true, "d.py", 4));
  const std::vector<BlamedFrame> escaped = blamed_frames(trace, terms);
  ASSERT_FALSE(escaped.empty());
  EXPECT_EQ(escaped[0].file, "d.py");
  EXPECT_DOUBLE_EQ(escaped[0].weight, 1.0);
}

TEST(StackTest, CountsCallsFromTheInside) {
  FailureTrace trace;
  FailureException failure = exception("ValueError", true, "a.py", 1);
  FailureFrame middle;
  middle.file = "b.py";
  middle.line = 2;
  failure.frames.push_back(middle);
  FailureFrame inner;
  inner.file = "b.py";
  inner.line = 3;
  inner.function = "f.<locals>.<listcomp>";
  failure.frames.push_back(inner);
  trace.exceptions.push_back(failure);
  const std::vector<BlamedFrame> frames = blamed_frames(trace, IssueTerms(BugReport{}, nullptr));
  ASSERT_EQ(frames.size(), 3U);
  EXPECT_EQ(frames[0].line, 3);
  EXPECT_EQ(frames[0].level, 0);
  EXPECT_EQ(frames[1].line, 2);
  EXPECT_EQ(frames[1].level, 0);  // A comprehension is not a caller.
  EXPECT_EQ(frames[2].line, 1);
  EXPECT_EQ(frames[2].level, 1);
}

}  // namespace
}  // namespace tenline
