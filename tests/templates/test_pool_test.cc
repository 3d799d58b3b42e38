#include "templates/python/test_pool.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "engine/base/text.h"

namespace tenline::templates {
namespace {

/// The tests that may be asked about the first statement that begins with a text.
std::vector<Test> tests_at(const std::string& source, std::string_view statement,
                           std::size_t most = 1000, const std::string& other = {}) {
  const Tree tree = Tree::parse(Language::python, source);
  const BugReport report;
  const FailureTrace trace;
  PythonIndex index;
  index.add("a.py", tree);
  index.add("b.py", Tree::parse(Language::python, other));
  const Symptom symptom;
  const std::vector<Location> locations;
  const Context context({"a.py", tree, report, trace, index, symptom, locations});
  Node place;
  tree.root().walk([&](const Node& node) {
    if (place.null() && node.kind().ends_with("_statement") && node.text().starts_with(statement)) {
      place = node;
    }
    return place.null();
  });
  EXPECT_FALSE(place.null());
  return possible_tests(context, place, {place}, most);
}

double weight_of(const std::vector<Test>& tests, std::string_view text) {
  const auto found =
      std::find_if(tests.begin(), tests.end(), [&](const Test& test) { return test.text == text; });
  return found == tests.end() ? 0 : found->weight;
}

TEST(TestPoolTest, SharesAddUpToLessThanOneAndFall) {
  const auto tests = tests_at("def f(x, y=None):\n    x.go(y)\n", "x.go");
  double sum = 0;
  double last = 1;
  for (const auto& test : tests) {
    EXPECT_GT(test.weight, 0);
    EXPECT_LE(test.weight, last);
    EXPECT_FALSE(test.opposite.empty());
    last = test.weight;
    sum += test.weight;
  }
  EXPECT_GT(tests.size(), 4U);
  EXPECT_LT(sum, 1);
}

TEST(TestPoolTest, KeepsOnlyTheLikeliest) {
  EXPECT_EQ(tests_at("def f(x, y=None):\n    x.go(y)\n", "x.go", 3).size(), 3U);
}

TEST(TestPoolTest, AnOptionalParameterIsAskedForNoneFirst) {
  const auto tests = tests_at("def f(x, y=None):\n    x.go(y)\n", "x.go");
  EXPECT_GT(weight_of(tests, "y is not None"), weight_of(tests, "x is not None"));
  EXPECT_GT(weight_of(tests, "y is not None"), weight_of(tests, "y is None"));
}

TEST(TestPoolTest, TheFunctionsOwnTestsBeatThoseOfOthers) {
  const auto tests = tests_at(
      "def f(near, far):\n    if near:\n        pass\n    go(1)\n"
      "def g(near, far):\n    if far:\n        pass\n",
      "go");
  EXPECT_GT(weight_of(tests, "near"), weight_of(tests, "far"));
}

TEST(TestPoolTest, ALaterLocalCannotBeAsked) {
  const auto tests =
      tests_at("def f():\n    go(1)\n    use_late = 2\n    if use_late: pass\n", "go");
  EXPECT_EQ(weight_of(tests, "use_late"), 0);
}

TEST(TestPoolTest, ALoopSeesWhatItsLastTurnSet) {
  const auto tests = tests_at(
      "def f(a):\n    for x in a:\n        go(1)\n        use_late = 2\n"
      "        if use_late: pass\n",
      "go");
  EXPECT_GT(weight_of(tests, "use_late"), 0);
}

TEST(TestPoolTest, AChoiceGivesItsElements) {
  const auto tests =
      tests_at("def f(mode):\n    if mode in ['a', 'b']: pass\n    go(mode)\n", "go");
  EXPECT_GT(weight_of(tests, "mode == 'a'"), 0);
  EXPECT_GT(weight_of(tests, "mode != 'b'"), 0);
}

TEST(TestPoolTest, AKeyAndAnAttributeMayBeAbsent) {
  const auto tests = tests_at("def f(d, k, o):\n    d[k] = o.a\n", "d[k]");
  EXPECT_GT(weight_of(tests, "k in d"), 0);
  EXPECT_GT(weight_of(tests, "hasattr(o, \"a\")"), 0);
}

TEST(TestPoolTest, NoTestSpansLines) {
  for (const auto& test : tests_at("def f(a, b):\n    go(a +\n       b, [a\n ][0])\n", "go")) {
    EXPECT_EQ(test.text.find('\n'), std::string::npos) << test.text;
  }
}

TEST(TestPoolTest, DeepWideAndBrokenCodeGivesAnAnswer) {
  std::string deep = "x";
  std::string chain = "x";
  for (int i = 0; i < 3000; ++i) {
    deep.insert(0, "x[");
    deep += "]";
    chain += ".a";
  }
  EXPECT_LT(tests_at("def f(x):\n    go(" + deep + ")\n", "go").size(), 1001U);
  EXPECT_LT(tests_at("def f(x):\n    go(" + chain + ".b)\n", "go").size(), 1001U);
  std::string wide = "def f(x):\n";
  for (int i = 0; i < 6000; ++i) wide += fmt::format("    if x.a{}: pass\n", i);
  EXPECT_LE(tests_at(wide + "    return x\n", "return", 100).size(), 200U);
  EXPECT_LT(tests_at("if x ==:\n    go()\nreturn x\n", "return").size(), 1001U);
}

TEST(TestPoolTest, WhatOtherFilesAskOfTheSameObjectCanBeAsked) {
  const std::string own = "def f(args):\n    args.go()\n";
  const auto tests = tests_at(
      own, "args.go", 1000, "def g(args):\n    if args.impl == 'local' or args.is_ready(): ...\n");
  EXPECT_GT(weight_of(tests, "args.impl == 'local'"), 0);
  EXPECT_GT(weight_of(tests, "args.impl != 'local'"), 0);
  EXPECT_GT(weight_of(tests, "args.is_ready()"), weight_of(tests, "not args.is_ready()"));
  EXPECT_EQ(weight_of(tests_at(own, "args.go"), "args.impl == 'local'"), 0);
}

TEST(TestPoolTest, WhatStandsInAStringIsNoOperator) {
  const auto tests =
      tests_at("def f(args):\n    args.go()\n", "args.go", 1000,
               "def g(args):\n    if args.impl == 'one in two' or args.n is not None: ...\n");
  EXPECT_GT(weight_of(tests, "args.impl != 'one in two'"), 0);
  EXPECT_GT(weight_of(tests, "args.n is None"), 0);
}

TEST(TestPoolTest, WhatIsAskedOfSeveralObjectsCanBeAskedOfAny) {
  const std::string own = "def f(part):\n    part.go()\n";
  const auto tests =
      tests_at(own, "part.go", 1000,
               "def g(a, b, c):\n    if a.dim() > 0: ...\n    if b.dim() > 0 and c.open: ...\n");
  EXPECT_GT(weight_of(tests, "part.dim() > 0"), 0);
  EXPECT_GT(weight_of(tests, "part.dim() <= 0"), 0);
  EXPECT_EQ(weight_of(tests, "part.open"), 0) << "asked of one object only";
}

TEST(TestPoolTest, WhatOtherFilesAskNeedsNamesThatAreVisible) {
  const auto tests = tests_at("def f(x):\n    x.go()\n", "x.go", 1000,
                              "def g(args):\n    if args.ready or is_idle(): ...\n");
  EXPECT_EQ(weight_of(tests, "args.ready"), 0);
  EXPECT_EQ(weight_of(tests, "is_idle()"), 0);
}

}  // namespace
}  // namespace tenline::templates
