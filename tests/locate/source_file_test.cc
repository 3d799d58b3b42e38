#include "engine/locate/source_file.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace tenline {
namespace {

const std::string k_source =
    "\"\"\"Module.\"\"\"\n"                     // 1
    "import os\n"                               // 2
    "LIMIT = (1 +\n"                            // 3
    "         2)\n"                             // 4
    "\n"                                        // 5
    "class Loader(object):\n"                   // 6
    "    size = 3\n"                            // 7
    "\n"                                        // 8
    "    @property\n"                           // 9
    "    def rest(self):\n"                     // 10
    "        \"\"\"Doc.\"\"\"\n"                // 11
    "        if (self.size and\n"               // 12
    "                LIMIT):\n"                 // 13
    "            return [x\n"                   // 14
    "                    for x in self.all]\n"  // 15
    "        elif self.none:\n"                 // 16
    "            pass\n"                        // 17
    "        else:\n"                           // 18
    "            logger.info('nothing')\n"      // 19
    "        raise ValueError('x')\n"           // 20
    "\n"                                        // 21
    "def outer(a, b=1, *rest, **named):\n"      // 22
    "    def inner(c: int = 2):\n"              // 23
    "        return c  # comment\n"             // 24
    "    for i in rest: a += i\n"               // 25
    "    return inner(a)\n";                    // 26

TEST(SourceFileTest, MapsLinesToTheStatementsAroundThem) {
  const SourceFile file = read_source("a.py", k_source);
  struct Case {
    int line;
    int statement;  ///< 0: none.
    StatementKind kind;
  };
  const std::vector<Case> cases = {
      {1, 0, {}},
      {2, 2, StatementKind::import},
      {3, 3, StatementKind::ordinary},
      {4, 3, StatementKind::ordinary},
      {5, 0, {}},
      {6, 6, StatementKind::definition},
      {7, 7, StatementKind::copy},
      {9, 9, StatementKind::decorator},
      {10, 10, StatementKind::definition},
      {12, 12, StatementKind::branch},
      {13, 12, StatementKind::branch},
      {15, 14, StatementKind::ordinary},
      {16, 16, StatementKind::branch},
      {17, 17, StatementKind::quiet},
      {18, 0, {}},
      {19, 19, StatementKind::quiet},
      {20, 20, StatementKind::stop},
      {24, 24, StatementKind::ordinary},
      {26, 26, StatementKind::ordinary},
      {27, 0, {}},
      {-1, 0, {}},
  };
  for (const Case& c : cases) {
    const Statement* statement = file.statement_at(c.line);
    EXPECT_EQ(statement == nullptr ? 0 : statement->line, c.statement) << c.line;
    if (statement == nullptr || c.statement == 0) continue;
    EXPECT_EQ(statement->kind, c.kind) << c.line;
  }
}

TEST(SourceFileTest, KnowsTheFunctionAroundALine) {
  const SourceFile file = read_source("a.py", k_source);
  const auto name = [&](int line) { return file.functions[file.function_at(line)].name; };
  EXPECT_EQ(name(2), "<module>");
  EXPECT_EQ(name(7), "<module>");
  EXPECT_EQ(name(9), "Loader.rest");
  EXPECT_EQ(name(15), "Loader.rest");
  EXPECT_EQ(name(22), "outer");
  EXPECT_EQ(name(24), "outer.<locals>.inner");
  EXPECT_EQ(name(26), "outer");
  EXPECT_EQ(name(1000), "<module>");
  const SourceFunction& rest = file.functions[file.function_at(12)];
  EXPECT_EQ(rest.class_name, "Loader");
  EXPECT_EQ(rest.short_name(), "rest");
  EXPECT_EQ(file.functions[file.function_at(26)].parameters,
            (std::vector<std::string>{"a", "b", "rest", "named"}));
  EXPECT_EQ(file.functions[file.function_at(24)].parameters, std::vector<std::string>{"c"});
}

TEST(SourceFileTest, ReadsAnythingWithoutACrash) {
  std::string nested;
  for (int i = 0; i < 500; ++i) nested += std::string(static_cast<std::size_t>(i), ' ') + "if x:\n";
  std::string deep = "x = ";
  for (int i = 0; i < 2'000; ++i) deep += "(";
  for (const std::string& text :
       {std::string(), std::string("def"), std::string("def f(:\n  return (\n\nclass"),
        std::string("\xFF\xFE\0x", 4), std::string("x = '"), nested, deep}) {
    const SourceFile file = read_source("a.py", text);
    ASSERT_FALSE(file.functions.empty());
    EXPECT_TRUE(file.functions[0].is_module());
    EXPECT_EQ(file.function_at(1) < file.functions.size(), true);
  }
}

TEST(SourceFileTest, FindsIdentifiers) {
  using Views = std::vector<std::string_view>;
  EXPECT_EQ(identifiers_in("a.b_1['k'] = 3x + _y"), (Views{"a", "b_1", "k", "_y"}));
  EXPECT_EQ(identifiers_in(""), Views{});
  EXPECT_EQ(identifiers_in("1 + 2"), Views{});
}

}  // namespace
}  // namespace tenline
