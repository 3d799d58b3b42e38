#include "oracles/test_command.h"

#include <gtest/gtest.h>

namespace tenline {
namespace {

using Words = std::vector<std::string>;

TEST(SplitCommandTest, UnderstandsQuotesAndBackslashes) {
  struct {
    std::string_view command;
    Words words;
  } cases[] = {
      {"", {}},
      {"  a\t b\n", {"a", "b"}},
      {"a 'b c' \"d e\"", {"a", "b c", "d e"}},
      {"a'b'\"c\"d", {"abcd"}},
      {"''", {""}},
      {R"(a\ b \" \\)", {"a b", "\"", "\\"}},
      {R"("a\"b" "c\d" 'e\f')", {"a\"b", "c\\d", "e\\f"}},
      {R"(-k 'x and not y' t.py::t[a-b])", {"-k", "x and not y", "t.py::t[a-b]"}},
      {"'$HOME;|&'", {"$HOME;|&"}},
  };
  for (const auto& c : cases) EXPECT_EQ(split_command(c.command).value(), c.words) << c.command;
}

TEST(SplitCommandTest, RefusesWhatOnlyAShellCanDo) {
  for (const std::string_view command : {"a; b", "a | b", "a && b", "a > f", "a < f", "a $B",
                                         "a `b`", "'a", "\"a", R"("a\")", "a\\"}) {
    const Result<Words> words = split_command(command);
    ASSERT_FALSE(words) << command;
    EXPECT_EQ(words.error().code, ErrorCode::invalid_input);
  }
  EXPECT_FALSE(split_command(std::string_view("a\0b", 3)));
}

TEST(PytestArgumentsTest, TakesPytestByEveryName) {
  for (const std::string_view command :
       {"pytest -q t.py", "py.test -q t.py", "python -m pytest -q t.py",
        "/usr/bin/python3.11 -m pytest -q t.py"}) {
    EXPECT_EQ(pytest_arguments(command).value(), (Words{"-q", "t.py"})) << command;
  }
  EXPECT_EQ(pytest_arguments("pytest").value(), Words{});
  for (const std::string_view command : {"", "tox", "python t.py", "python -m unittest",
                                         "bash -c pytest", "X=1 pytest", "ruby -m pytest"}) {
    EXPECT_FALSE(pytest_arguments(command)) << command;
  }
}

TEST(TestFilesTest, AreTheFilesOfTheNodeIds) {
  EXPECT_EQ(test_files({"-q", "./tests/a.py::T::t[x.py]", "tests/a.py", "tests", "--x=b.py"}),
            (Words{"tests/a.py"}));
}

}  // namespace
}  // namespace tenline
