// What the parts of a rule do to a text: each case is a template of a few lines, a file, and the
// proposals that it must give, in their order.

#include "templates/user_rule.h"

#include <gtest/gtest.h>

#include "engine/base/text.h"
#include "templates/proposer.h"
#include "templates/user_template.h"

namespace tenline::templates {
namespace {

using Texts = std::vector<std::string>;

/// A template of a query and the keys that follow it.
std::unique_ptr<UserTemplate> form_of(const std::string& query, const std::string& rest) {
  auto read = UserTemplate::read(
      "x.yaml", "id: x\nfamily: other\nsummary: x\nlanguage: python\nquery: '" + query + "'\n" +
                    rest + "\nexamples: [{before: a, after: b}]\n");
  EXPECT_TRUE(read) << read.error().message;
  return read ? *std::move(read) : nullptr;
}

/// The texts that a template proposes for a file, best first.
Texts proposed(const std::string& query, const std::string& rest, const std::string& source) {
  const std::unique_ptr<UserTemplate> form = form_of(query, rest);
  if (form == nullptr) return {};
  const std::string file = "a.py";
  const Tree tree = Tree::parse(Language::python, source);
  std::vector<Location> locations;
  const auto lines = static_cast<int>(split_lines(source).size());
  for (int line = 1; line <= lines; ++line) locations.push_back({file, line, "", 1.0, {}});
  PythonIndex index;
  index.add(file, tree);
  const BugReport report;
  const FailureTrace trace;
  const Symptom symptom;
  const Context context({file, tree, report, trace, index, symptom, locations});
  Texts texts;
  for (const Candidate& candidate : propose_in_file(context, {&form->form()}, 10)) {
    const Result<std::string> text = apply_edits(source, candidate.edits);
    EXPECT_TRUE(text);
    if (text) texts.push_back(*text);
  }
  return texts;
}

/// A call's function, as @f; the call becomes `g()` where the constraints on @f hold.
bool fires(const std::string& constraints, const std::string& source) {
  return !proposed("(call function: (_) @f arguments: (argument_list) @args) @call",
                   "constraints: " + constraints + "\nrewrite: {replace: call, text: changed}",
                   source)
              .empty();
}

TEST(UserRuleTest, EachConstraintDecides) {
  EXPECT_TRUE(fires("{f: {equals: a.b}}", "a.b()\n"));
  EXPECT_FALSE(fires("{f: {equals: a.b}}", "a.bc()\n"));
  EXPECT_TRUE(fires("{f: {matches: \"^a\"}}", "a.b()\n"));
  EXPECT_FALSE(fires("{f: {matches: \"^b\"}}", "a.b()\n"));
  EXPECT_FALSE(fires("{f: {not_matches: \"^a\"}}", "a.b()\n"));
  EXPECT_TRUE(fires("{f: {not_matches: \"^b\"}}", "a.b()\n"));
  EXPECT_TRUE(fires("{f: {in: [a, b]}}", "b()\n"));
  EXPECT_FALSE(fires("{f: {in: [a, b]}}", "c()\n"));
  EXPECT_FALSE(fires("{f: {not_in: [a, b]}}", "b()\n"));
  EXPECT_TRUE(fires("{f: {not_in: [a, b]}}", "c()\n"));
  EXPECT_TRUE(fires("{f: {kind: identifier}}", "a()\n"));
  EXPECT_FALSE(fires("{f: {kind: [attribute, subscript]}}", "a()\n"));
  EXPECT_TRUE(fires("{f: {differs: \"@args\"}}", "a()\n"));
  EXPECT_TRUE(fires("{call: {inside: function_definition}}", "def f():\n    a()\n"));
  EXPECT_FALSE(fires("{call: {inside: function_definition}}", "a()\n"));
  EXPECT_FALSE(
      fires("{call: {not_inside: [while_statement, for_statement]}}", "for x in y:\n    a()\n"));
  EXPECT_TRUE(fires("{call: {not_inside: [while_statement, for_statement]}}", "a()\n"));
  EXPECT_TRUE(fires("{call: {has_argument: k}}", "a(1, k=2)\n"));
  EXPECT_FALSE(fires("{call: {has_argument: k}}", "a(1, k)\n"));
  EXPECT_TRUE(fires("{args: {lacks_argument: k}}", "a(1, k)\n"));
  EXPECT_FALSE(fires("{args: {lacks_argument: k}}", "a(k=1)\n"));
  EXPECT_FALSE(fires("{args: {lacks_argument: k}}", "a(**more)\n")) << "it may be in there";
}

TEST(UserRuleTest, DiffersComparesTheTextsOfTwoCaptures) {
  const auto with = [](const std::string& source) {
    return proposed("(comparison_operator (_) @a (_) @b) @c",
                    "constraints: {a: {differs: b}}\nrewrite: {replace: c, text: x}", source);
  };
  EXPECT_EQ(with("u == v\n"), Texts{"x\n"});
  EXPECT_EQ(with("u == u\n"), Texts{});
}

TEST(UserRuleTest, ACaptureThatAMatchLacksGivesNothing) {
  const std::string query = "(return_statement (_)? @value) @return";
  const std::string rewrite = "rewrite: {replace: return, text: \"return int($value)\"}";
  EXPECT_EQ(proposed(query, rewrite, "def f():\n    return\n"), Texts{});
  EXPECT_EQ(proposed(query, rewrite, "def f():\n    return 1\n"),
            Texts{"def f():\n    return int(1)\n"});
}

TEST(UserRuleTest, DollarsBracesAndColonsOfPython) {
  EXPECT_EQ(proposed("(identifier) @x", "rewrite: {replace: x, text: \"${x}_rank\"}", "a\n"),
            Texts{"a_rank\n"});
  EXPECT_EQ(proposed("(identifier) @x", "rewrite: {replace: x, text: \"'$$x' + $x\"}", "a\n"),
            Texts{"'$x' + a\n"});
  EXPECT_EQ(proposed("(slice (_) @x)", "rewrite: {replace: x, text: \"1, ${x}:y\"}", "a[b:]\n"),
            Texts{"a[1, b:y:]\n"});
}

TEST(UserRuleTest, AnOperandGetsParenthesesWhereItNeedsThem) {
  const std::string rewrite = "rewrite: {replace: x, text: \"not $x:operand\"}";
  EXPECT_EQ(proposed("(return_statement (_) @x)", rewrite, "return a or b\n"),
            Texts{"return not (a or b)\n"});
  EXPECT_EQ(proposed("(return_statement (_) @x)", rewrite, "return a\n"), Texts{"return not a\n"});
}

const std::string k_class =
    "class A:\n"
    "    def __init__(self, tp_group):\n"
    "        self.dp_group = tp_group\n"
    "    def f(self, x, y_group):\n"
    "        near = {}\n"
    "        near['rank'], near['group']\n"
    "        use(near)\n";

Texts uses(const std::string& hole, const std::string& constraints = {}) {
  Texts found;
  const std::string rule =
      fmt::format("{}\nrewrite: {{replace: f, text: \"{}\"}}", constraints, hole);
  for (const std::string& text : proposed(
           "(call function: (identifier) @f arguments: (argument_list (_) @o))", rule, k_class)) {
    const std::vector<std::string_view> lines = split_lines(text);
    found.emplace_back(trim(lines[6]));
  }
  return found;
}

TEST(UserRuleTest, IngredientsFillAHoleWithWhatIsThere) {
  EXPECT_EQ(uses("$group:parameter"), (Texts{"y_group(near)", "x(near)"}));
  EXPECT_EQ(uses("$group:own_member").front(), "dp_group(near)");
  EXPECT_EQ(uses("near[$group:key_of(@o)]"), (Texts{"near['group'](near)", "near['rank'](near)"}));
  const Texts scope = uses("$neat:in_scope");
  EXPECT_EQ(scope.front(), "near(near)");
  EXPECT_EQ(std::count(scope.begin(), scope.end(), "self(near)"), 0);
  EXPECT_EQ(proposed("(assignment left: (_) @o right: (_) @v)",
                     "rewrite: {replace: v, text: \"$o.$m:member_of(@o)\"}", "a.b()\na = 1\n"),
            Texts{"a.b()\na = a.b\n"});
}

TEST(UserRuleTest, AConstraintChoosesAmongTheValuesOfAHole) {
  EXPECT_EQ(uses("$group:parameter", "constraints: {group: {matches: _group$}}"),
            Texts{"y_group(near)"});
  EXPECT_EQ(uses("$x:parameter", "constraints: {x: {not_in: [x, y_group]}}"), Texts{});
  EXPECT_EQ(uses("$a:parameter.$b:parameter", "constraints: {a: {differs: b}}").size(), 2U);
  EXPECT_EQ(uses("$a:parameter.$b:parameter").size(), 4U);
  EXPECT_EQ(uses("$a:parameter.$a"), (Texts{"x.x(near)", "y_group.y_group(near)"}));
}

TEST(UserRuleTest, ValuesOfAHoleAreBounded) {
  std::string source = "def f():\n";
  for (int i = 0; i < 300; ++i) source += fmt::format("    name_{} = 0\n", i);
  source += "    use()\n";
  EXPECT_EQ(
      proposed("(call function: (_) @f)", "rewrite: {replace: f, text: \"$x:in_scope\"}", source)
          .size(),
      8U);
  EXPECT_EQ(proposed("(call function: (_) @f)",
                     "rewrite: {replace: f, text: \"$x:in_scope.$y:in_scope.$z:in_scope\"}", source)
                .size(),
            64U);
}

TEST(UserRuleTest, InsertedLinesTakeTheIndentationAndLineEndsOfThePlace) {
  const std::string rewrite =
      "rewrite:\n  insert_before: call\n  text: |\n    if $f:\n      stop()\n";
  const std::string query = "(call function: (identifier) @f arguments: (argument_list (_))) @call";
  EXPECT_EQ(proposed(query, rewrite, "def g():\n    a = f(1)  # why\n"),
            Texts{"def g():\n    if f:\n        stop()\n    a = f(1)  # why\n"});
  EXPECT_EQ(proposed(query, rewrite, "def g():\r\n\tf(1)\r\n"),
            Texts{"def g():\r\n\tif f:\r\n\t\tstop()\r\n\tf(1)\r\n"});
  EXPECT_EQ(proposed(query, rewrite, "f(1)"), Texts{"if f:\n    stop()\nf(1)"});
  EXPECT_EQ(proposed(query, rewrite, "if a: f(1)\n"), Texts{}) << "no line of its own";
}

TEST(UserRuleTest, InsertedLinesComeBehindTheWholeStatementAndItsComment) {
  const std::string rewrite = "rewrite: {insert_after: call, text: \"$f.wait()\"}";
  EXPECT_EQ(proposed("(call function: (identifier) @f) @call", rewrite,
                     "def g():\n  x = f(\n      1,\n  )  # why\n  return x\n"),
            Texts{"def g():\n  x = f(\n      1,\n  )  # why\n  f.wait()\n  return x\n"});
  EXPECT_EQ(proposed("(call function: (identifier) @f) @call", rewrite, "f()"),
            Texts{"f()\nf.wait()"});
}

TEST(UserRuleTest, AWrappedStatementKeepsItsLines) {
  EXPECT_EQ(proposed("(expression_statement (call)) @s",
                     "rewrite:\n  replace: s\n  text: |\n    if ready:\n        $s\n",
                     "def g():\n\tf(\n\t    \"\"\"a\nb\"\"\",\n\t    1)\n"),
            Texts{"def g():\n\tif ready:\n\t\tf(\n\t\t    \"\"\"a\nb\"\"\",\n\t\t    1)\n"});
}

TEST(UserRuleTest, DeletedStatementsAndArgumentsLeaveSoundText) {
  const std::string one = "(expression_statement (call function: (_) @f)) @s";
  const std::string rewrite = "constraints: {f: {equals: f}}\nrewrite: {delete: s}";
  EXPECT_EQ(proposed(one, rewrite, "if a:\n    f()\n    b\n"), Texts{"if a:\n    b\n"});
  EXPECT_EQ(proposed(one, rewrite, "if a:\n    f()\n"), Texts{"if a:\n    pass\n"});
  EXPECT_EQ(proposed("(keyword_argument) @k", "rewrite: {delete: k}", "f(a, k=1, **b)\n"),
            Texts{"f(a, **b)\n"});
  EXPECT_EQ(proposed("(keyword_argument) @k", "rewrite: {delete: k}", "f(k=1)\n"), Texts{"f()\n"});
  EXPECT_EQ(proposed("(identifier) @k", "rewrite: {delete: k}", "a = b\n"), Texts{});
}

TEST(UserRuleTest, AnArgumentIsAddedWherePythonTakesIt) {
  const auto add = [](const std::string& text, const std::string& source) {
    return proposed("(call) @c", "rewrite: {add_argument: c, text: \"" + text + "\"}", source);
  };
  EXPECT_EQ(add("k=1", "f()\n"), Texts{"f(k=1)\n"});
  EXPECT_EQ(add("k=1", "f(a)\n"), Texts{"f(a, k=1)\n"});
  EXPECT_EQ(add("k=1", "f(\n    a,  # why\n)\n"), Texts{"f(\n    a, k=1,  # why\n)\n"});
  EXPECT_EQ(add("k=1", "f(k=2)\n"), Texts{}) << "twice the same keyword";
  EXPECT_EQ(add("b", "f(a=1)\n"), Texts{}) << "by position behind a keyword";
  EXPECT_EQ(add("k=1", "f(x for x in y)\n"), Texts{}) << "a bare generator";
}

TEST(UserRuleTest, AnImportComesWithItsUseUnlessItIsThere) {
  const std::string rewrite =
      "rewrite:\n  - {replace: f, text: math.prod}\n  - {add_import: import math}\n";
  const std::string query = "(call function: (identifier) @f)";
  EXPECT_EQ(proposed(query, rewrite, "import os\n\nprod(a)\n"),
            Texts{"import os\nimport math\n\nmath.prod(a)\n"});
  EXPECT_EQ(proposed(query, rewrite, "import math\n\nprod(a)\n"),
            Texts{"import math\n\nmath.prod(a)\n"});
}

TEST(UserRuleTest, TheSameEditIsOfferedAtAllEqualPlaces) {
  const std::string source = "a = f(1)\nb = f(1)\n";
  const Texts all =
      proposed("(call function: (_) @f) @c", "rewrite: {replace: f, text: g}", source);
  EXPECT_EQ(std::count(all.begin(), all.end(), "a = g(1)\nb = g(1)\n"), 1);
  EXPECT_EQ(std::count(all.begin(), all.end(), "a = g(1)\nb = f(1)\n"), 1);
}

TEST(UserRuleTest, StepsThatOverlapGiveNothing) {
  EXPECT_EQ(proposed("(call function: (_) @f) @c",
                     "rewrite:\n  - {replace: c, text: x}\n  - {replace: f, text: y}\n", "f()\n"),
            Texts{});
}

TEST(UserRuleTest, ATemplateThatWouldBreakTheSyntaxGivesNothing) {
  EXPECT_EQ(proposed("(call) @c", "rewrite: {replace: c, text: \"(((\"}", "f()\n"), Texts{});
}

}  // namespace
}  // namespace tenline::templates
