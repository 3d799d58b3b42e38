#include "oracles/trace.h"

#include <gtest/gtest.h>

#include "tests/fakes.h"

namespace tenline {
namespace {

bool is_a_or_b(const std::string& file) { return file == "a.py" || file == "b.py"; }

constexpr std::string_view k_trace = R"({
  "functions": [
    {"file": "b.py", "name": "g", "first_line": 9, "depth": 2, "calls": 3, "last_event": 7,
     "lines": [10, 11]},
    {"file": "a.py", "name": "f", "first_line": 1, "depth": 1, "calls": 1, "last_event": 8,
     "lines": [3, 2, 2]}],
  "exceptions": [
    {"type": "KeyError", "message": "'x'", "escaped": false, "frames": []},
    {"type": "ValueError", "message": "bad", "escaped": true, "frames": [
      {"file": "a.py", "line": 3, "function": "f", "values": {"x": {"type": "int", "repr": "1"}}},
      {"file": "/lib/c.py", "line": 1, "function": "c", "values": {}},
      {"file": "b.py", "line": 10, "function": "g",
       "values": {"self.items": {"type": "list", "length": 2}}}]}],
  "files": ["b.py", "a.py", "c.py", "a.py"]})";

TEST(ParseTraceTest, ReadsWhatTheTracedRunWrote) {
  const FailureTrace trace = parse_trace(k_trace, is_a_or_b).value();
  ASSERT_EQ(trace.functions.size(), 2U);
  EXPECT_EQ(trace.functions[0].name, "f");
  EXPECT_EQ(trace.functions[0].lines, (std::vector<int>{2, 3}));
  EXPECT_EQ(trace.functions[1].depth, 2);
  ASSERT_EQ(trace.exceptions.size(), 2U);
  EXPECT_FALSE(trace.exceptions[0].escaped);
  ASSERT_NE(trace.main_exception(), nullptr);
  ASSERT_EQ(trace.main_exception()->frames.size(), 2U);
  EXPECT_EQ(trace.main_exception()->frames[0].values.at("x").repr, "1");
  EXPECT_EQ(trace.main_exception()->frames[0].values.at("x").length, -1);
  EXPECT_EQ(trace.main_exception()->frames[1].values.at("self.items").length, 2);
  EXPECT_EQ(trace.files, (std::vector<std::string>{"a.py", "b.py"}));
}

TEST(ParseTraceTest, DropsWhatDoesNotFit) {
  for (
      const std::string_view text : {
          R"({})",
          R"([])",
          R"(3)",
          R"("x")",
          R"(null)",
          R"({"functions": {"file": "a.py"}, "exceptions": 3, "files": "a.py"})",
          R"({"functions": [3, null, [], {}, {"file": "a.py"}, {"file": "../a.py", "name": "f"}]})",
          R"({"exceptions": [null, {}, {"type": 3}, {"type": "", "frames": [{}]}]})",
          R"({"files": [3, null, "/etc/passwd", "../a.py", {"a.py": 1}]})",
      }) {
    const Result<FailureTrace> trace = parse_trace(text, is_a_or_b);
    ASSERT_TRUE(trace) << text;
    EXPECT_TRUE(trace->functions.empty() && trace->exceptions.empty() && trace->files.empty())
        << text;
  }
  EXPECT_FALSE(parse_trace("", is_a_or_b));
  EXPECT_FALSE(parse_trace("{", is_a_or_b));
  EXPECT_FALSE(parse_trace(std::string(100'000, '['), is_a_or_b));
}

TEST(ParseTraceTest, TakesNumbersOutOfRangeForNone) {
  const FailureTrace trace =
      parse_trace(R"({"functions": [{"file": "a.py", "name": "f", "first_line": -5, "depth": 1e300,
                   "calls": 99999999999999999999, "last_event": true, "lines": [-1, 0, 1.5, "2", 3,
                   18446744073709551615]}]})",
                  is_a_or_b)
          .value();
  ASSERT_EQ(trace.functions.size(), 1U);
  EXPECT_EQ(trace.functions[0].first_line, 0);
  EXPECT_EQ(trace.functions[0].depth, 0);
  EXPECT_EQ(trace.functions[0].calls, 0);
  EXPECT_EQ(trace.functions[0].lines, std::vector<int>{3});
}

TEST(ParseTraceTest, CutsLongTextsToValidUtf8) {
  const std::string text =
      R"({"exceptions": [{"type": "E", "message": ")" + std::string(1'999, 'x') + "\xC3\xA9\"}]}";
  const FailureTrace trace = parse_trace(text, is_a_or_b).value();
  ASSERT_EQ(trace.exceptions.size(), 1U);
  EXPECT_EQ(trace.exceptions[0].message, std::string(1'999, 'x') + "\xEF\xBF\xBD");
}

TEST(MergeTracesTest, JoinsTheProcesses) {
  const FailureTrace one = parse_trace(k_trace, is_a_or_b).value();
  FailureTrace two = one;
  two.functions[0].lines = {3, 4};
  two.functions[0].depth = 5;
  two.exceptions.back().message = "later";
  const FailureTrace both = merge_traces({one, two});
  ASSERT_EQ(both.functions.size(), 2U);
  EXPECT_EQ(both.functions[0].lines, (std::vector<int>{2, 3, 4}));
  EXPECT_EQ(both.functions[0].depth, 1);
  EXPECT_EQ(both.main_exception()->message, "later");
  EXPECT_EQ(both.files.size(), 2U);
  EXPECT_TRUE(merge_traces({}).functions.empty());
}

TEST(ReadTracesTest, NeedsTheMainProcessAndPassesOverBadChildren) {
  const TemporaryFolder folder;
  EXPECT_FALSE(read_traces(folder.path(), is_a_or_b));
  folder.write("trace-12.json", "not JSON");
  folder.write("trace-13.json", R"({"files": ["b.py"]})");
  std::filesystem::create_symlink("/dev/zero", folder.path() + "/trace-14.json");
  EXPECT_FALSE(read_traces(folder.path(), is_a_or_b));
  folder.write("trace-main.json", R"({"files": ["a.py"]})");
  EXPECT_EQ(read_traces(folder.path(), is_a_or_b)->files.size(), 2U);
  EXPECT_FALSE(read_traces(folder.path() + "/none", is_a_or_b));
}

}  // namespace
}  // namespace tenline
