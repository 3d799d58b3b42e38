#include "engine/syntax/python_index.h"

#include <gtest/gtest.h>

#include "engine/base/text.h"

namespace tenline {
namespace {

PythonIndex index_of(const std::vector<std::pair<std::string, std::string>>& files) {
  PythonIndex index;
  for (const auto& [file, source] : files) {
    index.add(file, Tree::parse(Language::python, source));
  }
  return index;
}

TEST(PythonIndexTest, ReadsSignatures) {
  const PythonIndex index = index_of(
      {{"a.py", "async def f(a, /, b: int, c=1, *args: int, d, e: str = 'x', **kw): ...\n"}});
  ASSERT_EQ(index.functions("f").size(), 1U);
  const std::vector<Parameter>& parameters = index.functions("f")[0].parameters;
  std::string text;
  for (const Parameter& p : parameters) {
    text += fmt::format("{}:{}:{} ", p.name, static_cast<int>(p.kind), p.default_text);
  }
  EXPECT_EQ(text, "a:0: b:0: c:0:1 args:2: d:1: e:1:'x' kw:3: ");
}

TEST(PythonIndexTest, MethodsComeWithoutSelf) {
  const PythonIndex index = index_of({{"a.py",
                                       "class A:\n    def f(self, x): ...\n"
                                       "    @classmethod\n    def g(cls, y): ...\n"
                                       "    @staticmethod\n    def h(z): ...\n"}});
  EXPECT_EQ(index.functions("f")[0].parameters[0].name, "x");
  EXPECT_EQ(index.functions("f")[0].class_name, "A");
  EXPECT_EQ(index.functions("g")[0].parameters[0].name, "y");
  EXPECT_EQ(index.functions("h")[0].parameters[0].name, "z");
}

TEST(PythonIndexTest, MethodsAreLookedUpThroughBases) {
  const PythonIndex index =
      index_of({{"a.py", "class Base:\n    def f(self, x): ...\n    def g(self): ...\n"},
                {"b.py", "import a\nclass Derived(a.Base):\n    def g(self, y): ...\n"},
                {"c.py", "class Loop(Loop): ...\n"}});
  ASSERT_NE(index.method("Derived", "f"), nullptr);
  EXPECT_EQ(index.method("Derived", "f")->file, "a.py");
  EXPECT_EQ(index.method("Derived", "g")->file, "b.py");
  EXPECT_EQ(index.method("Derived", "h"), nullptr);
  EXPECT_EQ(index.method("Loop", "f"), nullptr);
  EXPECT_TRUE(index.members("Loop").empty());
}

TEST(PythonIndexTest, MembersAreMethodsVariablesAndAttributesOfSelf) {
  const PythonIndex index = index_of({{"a.py",
                                       "class A:\n    limit: int = 1\n    class Inner: ...\n"
                                       "    def f(self, x):\n"
                                       "        self.x, self.y = x\n        local = 1\n"
                                       "        def inner():\n            self.z = 1\n"
                                       "        self.count += 1\n        x.other = 2\n"}});
  const std::set<std::string> members = index.members("A");
  EXPECT_EQ(members, (std::set<std::string>{"limit", "Inner", "f", "x", "y", "z", "count"}));
}

TEST(PythonIndexTest, SiblingsAreTheMembersOfClassesThatHaveTheMember) {
  const PythonIndex index = index_of({{"a.py",
                                       "class A:\n    def f(self): ...\n    def g(self): ...\n"
                                       "class B:\n    def f(self): ...\n    def h(self): ...\n"
                                       "class C:\n    def k(self): ...\n"}});
  EXPECT_EQ(index.siblings_of_member("f"), (std::set<std::string>{"f", "g", "h"}));
  EXPECT_TRUE(index.siblings_of_member("nothing").empty());
}

TEST(PythonIndexTest, ImportsCommonestFirst) {
  const PythonIndex index =
      index_of({{"a.py", "from x import name\n"},
                {"b.py", "from y import name\n"},
                {"c.py", "def f():\n    from y import name, other as alias\n    import p.q\n"}});
  EXPECT_EQ(index.imports_of("name"),
            (std::vector<std::string>{"from y import name", "from x import name"}));
  EXPECT_EQ(index.imports_of("alias"), (std::vector<std::string>{"from y import other as alias"}));
  EXPECT_EQ(index.imports_of("p"), (std::vector<std::string>{"import p.q"}));
  EXPECT_TRUE(index.imports_of("other").empty());
}

TEST(PythonIndexTest, DefinersAreOfModuleLevel) {
  const PythonIndex index = index_of(
      {{"a.py",
        "LIMIT = 1\ndef f():\n    def g(): ...\n    LOCAL = 1\nclass A:\n    def m(self): ...\n"},
       {"b.py", "@cached\ndef f(): ...\n"}});
  EXPECT_EQ(index.definers("f"), (std::vector<std::string>{"a.py", "b.py"}));
  EXPECT_EQ(index.definers("LIMIT"), (std::vector<std::string>{"a.py"}));
  EXPECT_EQ(index.definers("A"), (std::vector<std::string>{"a.py"}));
  for (const char* name : {"g", "LOCAL", "m"}) EXPECT_TRUE(index.definers(name).empty()) << name;
}

TEST(PythonIndexTest, CountsKeywordsOfCalls) {
  const PythonIndex index =
      index_of({{"a.py", "f(x=1)\nmodule.f(x=2, y=3)\nobject.method(z=1)(w=1)\n"}});
  EXPECT_EQ(index.call_keywords("f"), (std::map<std::string, int>{{"x", 2}, {"y", 1}}));
  EXPECT_EQ(index.call_keywords("method"), (std::map<std::string, int>{{"z", 1}}));
}

TEST(PythonIndexTest, CountsShortValuesOfKeywords) {
  const std::string long_value(100, 'a');
  const PythonIndex index =
      index_of({{"a.py", "f(x=1)\nf(x=1, y=self.y)\nf(y=[\n1])\nf(z=" + long_value + ")\n"}});
  EXPECT_EQ(index.call_values("f"), (std::map<std::string, int>{{"x=1", 2}, {"y=self.y", 1}}));
  EXPECT_TRUE(index.call_values("g").empty());
}

TEST(PythonIndexTest, KeepsHowParametersAreWritten) {
  const PythonIndex index = index_of(
      {{"a.py", "def f(dim: int = -1, *dims, k): ...\nclass A:\n    def g(self, dim): ...\n"}});
  EXPECT_EQ(index.parameter_forms("dim"),
            (std::map<std::string, int>{{"dim", 1}, {"dim: int = -1", 1}}));
  EXPECT_TRUE(index.parameter_forms("dims").empty());
}

TEST(PythonIndexTest, FieldsOfADataclassAreItsConstructorsParameters) {
  const PythonIndex index = index_of(
      {{"a.py",
        "@dataclass(frozen=True)\nclass A:\n    'text'\n    size: int\n    dtype: str = 'f'\n"
        "    LIMIT = 3\n"
        "@dataclass\nclass Own:\n    size: int\n    def __init__(self): ...\n"
        "class Plain:\n    size: int = 1\n"}});
  const PythonFunction* made = index.method("A", "__init__");
  ASSERT_NE(made, nullptr);
  ASSERT_EQ(made->parameters.size(), 2U);
  EXPECT_EQ(made->parameters[0].name, "size");
  EXPECT_FALSE(made->parameters[0].has_default);
  EXPECT_EQ(made->parameters[1].type_text, "str");
  EXPECT_EQ(made->parameters[1].default_text, "'f'");
  ASSERT_NE(index.method("Own", "__init__"), nullptr);
  EXPECT_TRUE(index.method("Own", "__init__")->parameters.empty());
  EXPECT_EQ(index.method("Plain", "__init__"), nullptr);
}

TEST(PythonIndexTest, TakesWhatIsWholeOfABrokenFile) {
  const PythonIndex index =
      index_of({{"a.py", "def broken(:\n    pass\n\ndef whole(x):\n    return x\n"}});
  ASSERT_EQ(index.functions("whole").size(), 1U);
  EXPECT_EQ(index.functions("whole")[0].parameters.size(), 1U);
}

TEST(ModuleNameTest, FollowsPaths) {
  EXPECT_EQ(module_name("a/b/c.py"), "a.b.c");
  EXPECT_EQ(module_name("a/b/__init__.py"), "a.b");
  EXPECT_EQ(module_name("setup.py"), "setup");
}

TEST(PythonIndexTest, KnowsWhatIsWrittenBehindObjects) {
  const PythonIndex index =
      index_of({{"a.py", "lib.cuda.ready()\nx.dim(0)\nx.get(key)\ny = x.shape\nf(x)[0].item()\n"},
                {"b.py", "x.dim(0)\nx.at(f'{y}')\nx.run(k=1)\n"}});
  using Counts = PythonIndex::Counts;
  EXPECT_EQ(index.accesses("lib.cuda"), (Counts{{"ready()", 1}}));
  EXPECT_EQ(index.accesses("lib"), (Counts{{"cuda", 1}}));
  EXPECT_EQ(index.accesses("x"),
            (Counts{{"dim(0)", 2}, {"get(", 1}, {"shape", 1}, {"at(", 1}, {"run(k=1)", 1}}));
  EXPECT_EQ(index.accesses(""), (Counts{{"item()", 1}}));
  EXPECT_TRUE(index.accesses("nothing").empty());
}

TEST(PythonIndexTest, KnowsWhatConditionsAskOfObjects) {
  const PythonIndex index = index_of(
      {{"a.py",
        "if a.size > 1 and not (b.go() or a.kind in ('x', 'y')): ...\nassert ready(), 'no'\n"
        "v = 1 if c.f(x) else 2\nw = [i for i in j if i.on]\nif a.size > limit: ...\n"
        "while 1 < a.size < 3: ...\nif x: ...\n"}});
  using Counts = PythonIndex::Counts;
  EXPECT_EQ(index.tests("a"), (Counts{{"kind in ('x', 'y')", 1}, {"size > 1", 1}}));
  EXPECT_EQ(index.tests("b"), (Counts{{"go()", 1}}));
  EXPECT_EQ(index.tests("i"), (Counts{{"on", 1}}));
  EXPECT_EQ(index.tests(""), (Counts{{"ready()", 1}}));
  EXPECT_TRUE(index.tests("c").empty()) << "its argument has a name of its own";
}

TEST(PythonIndexTest, CommonSuffixesAndQuestionsComeCommonestFirst) {
  const PythonIndex index = index_of(
      {{"a.py", "a.t()\nb.t()\nf(x).t()\na.n\nb.n\nc.n\nd.n\na.once\na.use(a)\nb.use(b)\n"},
       {"b.py", "if e.on: ...\nif f.on: ...\nif e.off and e.off: ...\n"}});
  EXPECT_EQ(index.common_suffixes(), (PythonIndex::Ranked{{"n", 4}, {"t()", 3}}));
  EXPECT_EQ(index.common_questions(), (PythonIndex::Ranked{{"on", 2}}));
  EXPECT_TRUE(index_of({}).common_suffixes().empty());
}

TEST(PythonIndexTest, ImportableNamesAreFoundByTheirWords) {
  const PythonIndex index =
      index_of({{"a.py", "def get_device(): ...\nclass LayoutError: ...\nlimit = 1\n"},
                {"b.py", "from a import get_device\nfrom lib import DeviceMesh as Mesh\n"}});
  const auto like = index.importable_like({"device"}, 5);
  ASSERT_EQ(like.size(), 1U) << "Mesh is bound, DeviceMesh is not";
  EXPECT_EQ(like[0].first, "get_device");
  EXPECT_GE(like[0].second, 0.5);
  EXPECT_EQ(index.importable_like({"layout", "device"}, 1).size(), 1U);
  EXPECT_TRUE(index.importable_like({"none"}, 5).empty());
}

}  // namespace
}  // namespace tenline
