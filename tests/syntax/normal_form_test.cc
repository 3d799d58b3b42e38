#include "engine/syntax/normal_form.h"

#include <gtest/gtest.h>

#include <chrono>
#include <string>

namespace tenline {
namespace {

std::string form(std::string source) {
  const Tree tree = Tree::parse(Language::python, std::move(source));
  return normal_form(tree.root());
}

/// `depth` times one text, a middle and `depth` times another text.
std::string nested(int depth, std::string_view open, std::string_view middle,
                   std::string_view close) {
  std::string text;
  for (int i = 0; i < depth; ++i) text += open;
  text += middle;
  for (int i = 0; i < depth; ++i) text += close;
  return text;
}

TEST(NormalFormTest, CommentsAndBlankLinesMeanNothing) {
  EXPECT_EQ(form("x = 1\ny = 2\n"), form("# a\nx = 1  # b\n\n\ny = 2\n# c\n"));
  EXPECT_EQ(form("if a:\n    b()\n"), form("if a:\n    # why\n    b()\n"));
  EXPECT_EQ(form("f(a, b)\n"), form("f(a,  # one\n  b)  # two\n"));
}

TEST(NormalFormTest, DocstringsMeanNothing) {
  EXPECT_EQ(form("def f():\n    return 1\n"),
            form("def f():\n    \"\"\"One.\"\"\"\n    return 1\n"));
  EXPECT_EQ(form("class A:\n    x = 1\n"), form("class A:\n    'One.' ' Two.'\n    x = 1\n"));
  EXPECT_EQ(form("x = 1\n"), form("\"\"\"A module.\"\"\"\nx = 1\n"));
}

TEST(NormalFormTest, StringsThatAreNoDocstringsCount) {
  EXPECT_NE(form("x = 1\n"), form("x = 1\n'late'\n"));
  EXPECT_NE(form("if a:\n    b()\n"), form("if a:\n    'not of a function'\n    b()\n"));
}

TEST(NormalFormTest, TheStyleOfQuotesMeansNothing) {
  EXPECT_EQ(form("x = 'a'\n"), form("x = \"a\"\n"));
  EXPECT_EQ(form("x = 'a'\n"), form("x = \"\"\"a\"\"\"\n"));
  EXPECT_EQ(form("x = 'a'\n"), form("x = u'a'\n"));
  EXPECT_EQ(form("x = b'a'\n"), form("x = B\"a\"\n"));
}

TEST(NormalFormTest, ParenthesesThatOnlyGroupMeanNothing) {
  EXPECT_EQ(form("x = a + b * c\n"), form("x = (a + ((b * c)))\n"));
  EXPECT_EQ(form("if a:\n    b\n"), form("if (a):\n    (b)\n"));
  EXPECT_EQ(form("return_ = a, b\n"), form("return_ = (a, b)\n"));
  EXPECT_EQ(form("for a, b in c:\n    d\n"), form("for (a, b) in (c):\n    d\n"));
}

TEST(NormalFormTest, ParenthesesThatChangeTheTreeCount) {
  EXPECT_NE(form("x = a + b * c\n"), form("x = (a + b) * c\n"));
  EXPECT_NE(form("x = a\n"), form("x = (a,)\n"));
  EXPECT_NE(form("x = a\n"), form("x = a()\n"));
  EXPECT_NE(form("x = not a == b\n"), form("x = (not a) == b\n"));
  EXPECT_NE(form("f(a, b)\n"), form("f((a, b))\n"));
  EXPECT_NE(form("x = a < b < c\n"), form("x = (a < b) < c\n"));
}

TEST(NormalFormTest, BracketsOfDifferentKindsDiffer) {
  EXPECT_NE(form("x = [a, b]\n"), form("x = (a, b)\n"));
  EXPECT_NE(form("x = [a, b]\n"), form("x = {a, b}\n"));
  EXPECT_NE(form("x = f(a)\n"), form("x = f[a]\n"));
  EXPECT_NE(form("x = {a: b}\n"), form("x = {a, b}\n"));
  EXPECT_NE(form("x = [a for a in b]\n"), form("x = (a for a in b)\n"));
}

TEST(NormalFormTest, TrailingCommasMeanNothing) {
  EXPECT_EQ(form("f(a, b)\n"), form("f(a, b,)\n"));
  EXPECT_EQ(form("x = [a, b]\n"), form("x = [\n  a,\n  b,\n]\n"));
  EXPECT_EQ(form("x = {a: b}\n"), form("x = {a: b,}\n"));
  EXPECT_EQ(form("def f(a, b):\n    c\n"), form("def f(\n    a,\n    b,\n):\n    c\n"));
  EXPECT_EQ(form("x = a, b\n"), form("x = a, b,\n"));
}

TEST(NormalFormTest, LineContinuationsAndSemicolonsMeanNothing) {
  EXPECT_EQ(form("x = a + b\n"), form("x = a + \\\n    b\n"));
  EXPECT_EQ(form("x = a + b\n"), form("x = (a +\n     b)\n"));
  EXPECT_EQ(form("x = 1\ny = 2\n"), form("x = 1; y = 2\n"));
  EXPECT_EQ(form("if a:\n    b\n"), form("if a: b\n"));
  EXPECT_EQ(form("if a:\n    b\n"), form("if a:\n\tb\n"));
}

TEST(NormalFormTest, ElifIsElseIf) {
  EXPECT_EQ(form("if a:\n    b\nelif c:\n    d\nelse:\n    e\n"),
            form("if a:\n    b\nelse:\n    if c:\n        d\n    else:\n        e\n"));
  EXPECT_EQ(form("if a:\n    b\nelif c:\n    d\nelif e:\n    f\n"),
            form("if a:\n    b\nelse:\n    if c:\n        d\n    elif e:\n        f\n"));
}

TEST(NormalFormTest, BranchesAreNotMixedUp) {
  EXPECT_NE(form("if a:\n    b\nelif c:\n    d\n"), form("if a:\n    b\nif c:\n    d\n"));
  EXPECT_NE(form("if a:\n    b\nelse:\n    c\n"), form("if a:\n    b\nc\n"));
  EXPECT_NE(form("if a:\n    b\nelse:\n    if c:\n        d\n"),
            form("if a:\n    b\nelse:\n    if c:\n        d\n    e\n"));
  EXPECT_NE(form("if a:\n    b\nelif c:\n    d\nelse:\n    e\n"),
            form("if a:\n    b\nelse:\n    if c:\n        d\n    e\n"));
}

TEST(NormalFormTest, AdjacentStringsAreOne) {
  EXPECT_EQ(form("x = 'a' 'b'\n"), form("x = 'ab'\n"));
  EXPECT_EQ(form("x = ('a'\n     \"b\")\n"), form("x = 'ab'\n"));
  EXPECT_NE(form("x = 'a', 'b'\n"), form("x = 'ab'\n"));
  EXPECT_NE(form("x = 'a' + 'b'\n"), form("x = 'ab'\n"));
}

TEST(NormalFormTest, NamesOperatorsAndStringsCount) {
  EXPECT_NE(form("x = a\n"), form("x = b\n"));
  EXPECT_NE(form("x.a\n"), form("x.b\n"));
  EXPECT_NE(form("x = a + b\n"), form("x = a - b\n"));
  EXPECT_NE(form("x = a < b\n"), form("x = a <= b\n"));
  EXPECT_NE(form("x = a and b\n"), form("x = a or b\n"));
  EXPECT_NE(form("x = a is b\n"), form("x = a is not b\n"));
  EXPECT_NE(form("x = a in b\n"), form("x = a not in b\n"));
  EXPECT_NE(form("x = -a\n"), form("x = a\n"));
  EXPECT_NE(form("x = a\n"), form("x += a\n"));
  EXPECT_NE(form("x = 'a'\n"), form("x = 'b'\n"));
  EXPECT_NE(form("x = 'a'\n"), form("x = 'a '\n"));
  EXPECT_NE(form("x = 'a'\n"), form("x = a\n"));
  EXPECT_NE(form("x = 'a'\n"), form("x = b'a'\n"));
  EXPECT_NE(form("x = 1\n"), form("x = 1.0\n"));
}

TEST(NormalFormTest, PrefixesOfStringsAreNoContent) {
  EXPECT_NE(form("x = b'a'\n"), form("x = 'ba'\n"));
  EXPECT_NE(form("x = r'a'\n"), form("x = 'ra'\n"));
  EXPECT_NE(form("x = 'a' r'b'\n"), form("x = 'arb'\n"));
  EXPECT_NE(form("x = r'\\n' '\\n'\n"), form("x = r'\\n\\n'\n"));
  EXPECT_EQ(form("x = b'a' b'b'\n"), form("x = b'ab'\n"));
}

TEST(NormalFormTest, CallsCountTheirKeywordsOrderAndStars) {
  EXPECT_NE(form("f(a=1, b=2)\n"), form("f(b=2, a=1)\n"));
  EXPECT_NE(form("f(a, b)\n"), form("f(b, a)\n"));
  EXPECT_NE(form("f(a=1)\n"), form("f(1)\n"));
  EXPECT_NE(form("f(a)\n"), form("f(*a)\n"));
  EXPECT_NE(form("f(*a)\n"), form("f(**a)\n"));
  EXPECT_NE(form("def f(a):\n    b\n"), form("def f(*, a):\n    b\n"));
  EXPECT_NE(form("def f(a):\n    b\n"), form("async def f(a):\n    b\n"));
}

TEST(NormalFormTest, SlicesCountTheSideOfTheirColon) {
  EXPECT_NE(form("x = a[1:]\n"), form("x = a[:1]\n"));
  EXPECT_NE(form("x = a[1:]\n"), form("x = a[1]\n"));
  EXPECT_NE(form("x = a[1:2]\n"), form("x = a[1, 2]\n"));
  EXPECT_NE(form("x = a[::2]\n"), form("x = a[:2]\n"));
}

TEST(NormalFormTest, InterpolationsCount) {
  EXPECT_NE(form("x = f'{a}'\n"), form("x = '{a}'\n"));
  EXPECT_NE(form("x = f'{a}'\n"), form("x = f'{b}'\n"));
  EXPECT_NE(form("x = f'{a}'\n"), form("x = f'{a!r}'\n"));
  EXPECT_NE(form("x = f'{a:2}'\n"), form("x = f'{a:3}'\n"));
  EXPECT_NE(form("x = f'a{b}c'\n"), form("x = f'{b}ac'\n"));
  EXPECT_EQ(form("x = f'a{b}'\n"), form("x = 'a' f\"{b}\"\n"));
  EXPECT_NE(form("x = f'{a:{b}}'\n"), form("x = f'{a:{c}}'\n"));
  EXPECT_EQ(form("x = f'a'\n"), form("x = 'a'\n"));
}

TEST(NormalFormTest, DoubledBracesAreOneOnlyWhereBracesInterpolate) {
  EXPECT_EQ(form("x = f'{{a}}'\n"), form("x = '{a}'\n"));
  EXPECT_NE(form("x = f'{{a}}'\n"), form("x = '{{a}}'\n"));
  EXPECT_NE(form("x = f'{{{a}}}'\n"), form("x = f'{a}'\n"));
}

TEST(NormalFormTest, TheOrderAndDepthOfStatementsCount) {
  EXPECT_NE(form("a()\nb()\n"), form("b()\na()\n"));
  EXPECT_NE(form("if a:\n    b()\n    c()\n"), form("if a:\n    b()\nc()\n"));
  EXPECT_NE(form("for a in b:\n    c()\n    d()\n"), form("for a in b:\n    c()\nd()\n"));
  EXPECT_NE(form("def f():\n    a()\n    return b\n"),
            form("def f():\n    if c:\n        a()\n    return b\n"));
  EXPECT_NE(form("a()\n"), form("a()\na()\n"));
}

TEST(NormalFormTest, TheEmptyTextHasTheFormOfOnlyComments) {
  EXPECT_EQ(form(""), form("# nothing\n\n"));
  EXPECT_NE(form(""), form("pass\n"));
}

TEST(NormalFormTest, BrokenTextsHaveAForm) {
  EXPECT_NE(form("def f(:\n  )))\n"), form("x = 1\n"));
  EXPECT_FALSE(form(std::string("\0\xff\xfe'''", 6)).empty());
  EXPECT_EQ(form("if a:\n"), form("if a:\n"));
}

TEST(NormalFormTest, NestingOfAnyDepthIsSurvivedInTime) {
  const auto begin = std::chrono::steady_clock::now();
  constexpr int k_depth = 100'000;
  const std::string lists = nested(k_depth, "[", "1", "]");
  EXPECT_FALSE(form("x = " + lists + "\n").empty());
  EXPECT_FALSE(form("x = " + nested(k_depth, "(", "1", ")") + "\n").empty());
  EXPECT_FALSE(form("x = " + nested(k_depth, "f(", "1", ")") + "\n").empty());
  EXPECT_FALSE(form("x = " + nested(k_depth, "not ", "1", "") + "\n").empty());
  EXPECT_FALSE(form("x = " + nested(k_depth, "-", "1", "") + "\n").empty());
  EXPECT_FALSE(form("x = a" + nested(k_depth, ".b", "", "") + "\n").empty());
  EXPECT_FALSE(form("if a:\n    b\n" + nested(k_depth, "elif c:\n    d\n", "", "")).empty());
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(60));
}

TEST(NormalFormTest, ChangesBelowTheDepthThatIsReadCount) {
  constexpr int k_deep = 5'000;
  EXPECT_NE(form("x = " + nested(k_deep, "[", "1", "]") + "\n"),
            form("x = " + nested(k_deep, "[", "2", "]") + "\n"));
}

TEST(NormalFormTest, ManyBranchesDifferInTheirLastOne) {
  constexpr int k_many = 5'000;
  const std::string many = "if a:\n    b\n" + nested(k_many, "elif c:\n    d\n", "", "");
  EXPECT_NE(form(many + "else:\n    e\n"), form(many + "else:\n    f\n"));
}

}  // namespace
}  // namespace tenline
