#include "engine/syntax/python_scope.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "engine/base/text.h"

namespace tenline {
namespace {

/// A parsed source whose place is the identifier `here`.
struct Place {
  explicit Place(std::string source)
      : tree(Tree::parse(Language::python, std::move(source))), node(find("here")) {}

  [[nodiscard]] Node find(std::string_view identifier) const {
    Node found;
    tree.root().walk([&](const Node& at) {
      if (!found && at.is("identifier") && at.text() == identifier) found = at;
      return !found;
    });
    return found;
  }

  [[nodiscard]] std::map<std::string, NameKind> names() const {
    std::map<std::string, NameKind> kinds;
    for (const Name& name : names_in_scope(node)) {
      EXPECT_TRUE(kinds.emplace(name.text, name.kind).second) << name.text << " comes twice";
    }
    return kinds;
  }

  Tree tree;
  Node node;
};

TEST(NamesInScopeTest, AFunctionSeesParametersLocalsModuleAndImports) {
  const Place place(
      "import os.path\nfrom a import b as c, d\nLIMIT = 1\n\n"
      "def f(x, y=1, *args, z: int = 2, **kw):\n"
      "    local, (other, _) = x\n"
      "    self.attribute = other[index] = 1\n"
      "    here\n");
  const auto names = place.names();
  for (const char* name : {"x", "y", "args", "z", "kw"}) {
    ASSERT_TRUE(names.contains(name)) << name;
    EXPECT_EQ(names.at(name), NameKind::parameter) << name;
  }
  EXPECT_EQ(names.at("local"), NameKind::local);
  EXPECT_EQ(names.at("other"), NameKind::local);
  EXPECT_EQ(names.at("LIMIT"), NameKind::module);
  EXPECT_EQ(names.at("f"), NameKind::module);
  EXPECT_EQ(names.at("os"), NameKind::import);
  EXPECT_EQ(names.at("c"), NameKind::import);
  EXPECT_EQ(names.at("d"), NameKind::import);
  for (const char* name : {"b", "path", "a", "attribute", "index", "self", "here", "int"}) {
    EXPECT_FALSE(names.contains(name)) << name;
  }
}

TEST(NamesInScopeTest, InnermostComesFirst) {
  const Place place("a = 1\ndef f(b):\n    def g(c):\n        d = 1\n        here\n");
  const std::vector<Name> names = names_in_scope(place.node);
  const auto position = [&](std::string_view text) {
    return std::find_if(names.begin(), names.end(), [&](auto& name) { return name.text == text; });
  };
  EXPECT_LT(position("c"), position("d"));
  EXPECT_LT(position("d"), position("b"));
  EXPECT_LT(position("b"), position("a"));
  EXPECT_NE(position("a"), names.end());
}

TEST(NamesInScopeTest, AClosureSeesTheFunctionAroundIt) {
  const Place place("def f(a):\n    b = 1\n    def g():\n        here\n    return g\n");
  const auto names = place.names();
  EXPECT_EQ(names.at("b"), NameKind::enclosing);
  EXPECT_TRUE(names.contains("a"));
  EXPECT_TRUE(names.contains("g"));
}

TEST(NamesInScopeTest, AnInnerBindingHidesTheOuterOne) {
  const Place place("x = 1\ndef f():\n    x = 2\n    here\n");
  EXPECT_EQ(place.names().at("x"), NameKind::local);
}

TEST(NamesInScopeTest, AMethodDoesNotSeeTheClassBody) {
  const Place place("class A:\n    limit = 1\n    def f(self):\n        here\n");
  EXPECT_FALSE(place.names().contains("limit"));
  EXPECT_FALSE(place.names().contains("f"));
  EXPECT_TRUE(place.names().contains("A"));
}

TEST(NamesInScopeTest, AClassBodySeesItself) {
  const Place place("class A:\n    limit = 1\n    other = here\n");
  EXPECT_TRUE(place.names().contains("limit"));
}

TEST(NamesInScopeTest, DefaultsAndDecoratorsSeeTheOutside) {
  const Place place("limit = 1\n\ndef f(x, y=here):\n    z = 1\n");
  EXPECT_FALSE(place.names().contains("x"));
  EXPECT_FALSE(place.names().contains("z"));
  EXPECT_TRUE(place.names().contains("limit"));
  const Place decorator(
      "class A:\n    limit = 1\n    @here(limit)\n    def f(x):\n        z = 1\n");
  EXPECT_FALSE(decorator.names().contains("z"));
  EXPECT_TRUE(decorator.names().contains("limit"));
}

TEST(NamesInScopeTest, ComprehensionsKeepTheirNames) {
  for (const char* comprehension :
       {"[i for i, (j, k) in x]", "{i for i, (j, k) in x}", "{i: j for i, (j, k) in x}",
        "sum(i for i, (j, k) in x)", "[[i for i in j] for j, k in x]"}) {
    const Place outside(fmt::format("def f(x):\n    y = {}\n    here\n", comprehension));
    for (const char* name : {"i", "j", "k"}) {
      EXPECT_FALSE(outside.names().contains(name)) << comprehension << " leaks " << name;
    }
    EXPECT_TRUE(outside.names().contains("y"));
  }
  const Place inside("def f(x):\n    return [here for i, (j, k) in x for m in i]\n");
  for (const char* name : {"i", "j", "k", "m", "x"}) {
    EXPECT_TRUE(inside.names().contains(name)) << name;
  }
  const Place generator("def f(x):\n    return any(here for i in x)\n");
  EXPECT_TRUE(generator.names().contains("i"));
}

TEST(NamesInScopeTest, ANestedComprehensionDoesNotLeakIntoTheOuterOne) {
  const Place place("y = [here for i in [j for j in x]]\n");
  EXPECT_TRUE(place.names().contains("i"));
  EXPECT_FALSE(place.names().contains("j"));
}

TEST(NamesInScopeTest, AWalrusBindsInTheFunction) {
  const Place place(
      "def f(x):\n    if (n := len(x)) > 1:\n        pass\n"
      "    y = [last := i for i in x]\n    here\n");
  EXPECT_TRUE(place.names().contains("n"));
  EXPECT_TRUE(place.names().contains("last"));
}

TEST(NamesInScopeTest, LambdasHaveTheirParameters) {
  const Place inside("def f(x):\n    return lambda a, *b, c=1: here\n");
  for (const char* name : {"a", "b", "c", "x"}) EXPECT_TRUE(inside.names().contains(name)) << name;
  const Place outside("def f(x):\n    g = lambda a: 1\n    here\n");
  EXPECT_FALSE(outside.names().contains("a"));
}

TEST(NamesInScopeTest, StatementsBindTheirTargets) {
  const Place place(
      "async def f():\n"
      "    for i, j in x:\n        pass\n"
      "    async with a as b, c as (d, e):\n        pass\n"
      "    try:\n        import late\n    except (A, B) as error:\n        pass\n"
      "    g: int = 1\n    h = k = 2\n    m += 1\n    [n, *o] = x\n"
      "    def inner(): pass\n    class Local: pass\n"
      "    here\n");
  const auto names = place.names();
  for (const char* name :
       {"i", "j", "b", "d", "e", "late", "error", "g", "h", "k", "m", "n", "o", "inner", "Local"}) {
    EXPECT_TRUE(names.contains(name)) << name;
  }
  EXPECT_FALSE(names.contains("a"));
}

TEST(NamesInScopeTest, MatchPatternsBindCaptures) {
  const Place place(
      "def f(x):\n    match x:\n        case Point(x=px, y=0):\n            pass\n"
      "        case [first, *rest] | (first, rest):\n            pass\n"
      "        case {'k': value, **others}:\n            pass\n"
      "        case Color.RED | 1 | 'a':\n            pass\n"
      "        case int() as number:\n            pass\n"
      "        case anything if anything > 1:\n            here\n");
  const auto names = place.names();
  for (const char* name : {"px", "first", "rest", "value", "others", "number", "anything"}) {
    EXPECT_TRUE(names.contains(name)) << name;
  }
  for (const char* name : {"Point", "y", "Color", "RED", "int", "_"}) {
    EXPECT_FALSE(names.contains(name)) << name;
  }
}

TEST(NamesInScopeTest, AGlobalIsTheModules) {
  const Place place("def f():\n    global count\n    count = 1\n    here\n");
  EXPECT_EQ(place.names().at("count"), NameKind::module);
  const Place inner(
      "def f():\n    a = 1\n    def g():\n        nonlocal a\n        a = 2\n        here\n");
  EXPECT_EQ(inner.names().at("a"), NameKind::enclosing);
}

TEST(NamesInScopeTest, TypeParametersAndAliasesAreNames) {
  const Place place("type Pair = tuple[int, int]\ndef f[T: int](x: T):\n    here\n");
  EXPECT_TRUE(place.names().contains("T"));
  EXPECT_TRUE(place.names().contains("Pair"));
  EXPECT_FALSE(place.names().contains("tuple"));
  EXPECT_FALSE(place.names().contains("int"));
}

TEST(NamesInScopeTest, WorksBesideSyntaxErrors) {
  const Place place("def f(x:\n    y = \n\ndef g(a):\n    b = 1\n    here\n");
  ASSERT_TRUE(place.node);
  EXPECT_TRUE(place.names().contains("b"));
}

TEST(EnclosingTest, StatementFunctionAndClassOfANode) {
  const Place place(
      "class A:\n    @cached\n    def f(self):\n        x = [\n            here,\n        ]\n");
  EXPECT_EQ(enclosing_statement(place.node).line(), 4);
  EXPECT_EQ(enclosing_function(place.node).field("name").text(), "f");
  EXPECT_EQ(enclosing_class(place.node).field("name").text(), "A");
  EXPECT_EQ(indentation(enclosing_statement(place.node)), "        ");
  EXPECT_TRUE(enclosing_statement(enclosing_function(place.node)).is("decorated_definition"));
  EXPECT_TRUE(enclosing_function(place.find("A")).null());
}

TEST(QualifiedNameTest, FollowsPython) {
  EXPECT_EQ(qualified_name(Place("here\n").node), "<module>");
  EXPECT_EQ(qualified_name(Place("class A:\n  def f(self):\n    here\n").node), "A.f");
  EXPECT_EQ(qualified_name(Place("class A:\n  class B:\n    def f(self): here\n").node), "A.B.f");
  EXPECT_EQ(qualified_name(Place("def f():\n  def g():\n    here\n").node), "f.<locals>.g");
  EXPECT_EQ(qualified_name(Place("def f():\n  class A:\n    def g(self):\n      here\n").node),
            "f.<locals>.A.g");
}

TEST(IndentationTest, IsTheBlanksBeforeTheStatement) {
  EXPECT_EQ(indentation(enclosing_statement(Place("if x:\r\n\there\r\n").node)), "\t");
  EXPECT_EQ(indentation(enclosing_statement(Place("here\n").node)), "");
}

TEST(IsUseTest, TellsReadsFromNames) {
  const std::vector<std::string> uses = {
      "x = here\n",  "here.a = 1\n",          "here[0] = 1\n",       "f(here)\n",
      "f(k=here)\n", "def f(a=here): pass\n", "for i in here: x\n",  "[i for i in here]\n",
      "f'{here}'\n", "return here\n",         "@here\ndef f(): x\n", "class A(here): x\n",
      "here += 1\n", "(n := here)\n",
  };
  for (const std::string& source : uses) EXPECT_TRUE(is_use(Place(source).node)) << source;
  const std::vector<std::string> names = {
      "here = x\n",
      "a.here\n",
      "f(here=1)\n",
      "def here(): x\n",
      "class here: x\n",
      "def f(here): x\n",
      "def f(here=1): x\n",
      "def f(*here): x\n",
      "def f(here: int): x\n",
      "import here\n",
      "from a import here\n",
      "for here in x: y\n",
      "[i for here in x]\n",
      "here, b = x\n",
      "global here\n",
      "with a as here: x\n",
      "(here := 1)\n",
      "lambda here: 1\n",
  };
  for (const std::string& source : names) EXPECT_FALSE(is_use(Place(source).node)) << source;
}

TEST(KeywordTest, KnowsKeywordsAndBuiltins) {
  EXPECT_TRUE(is_python_keyword("lambda"));
  EXPECT_FALSE(is_python_keyword("match"));
  EXPECT_TRUE(std::is_sorted(python_builtins().begin(), python_builtins().end()));
}

}  // namespace
}  // namespace tenline
