#include "engine/syntax/tree.h"

#include <gtest/gtest.h>

#include <chrono>
#include <random>

#include "engine/base/text.h"

namespace tenline {
namespace {

Tree parse(std::string source) { return Tree::parse(Language::python, std::move(source)); }

/// The first node of a kind, in source order.
Node first(const Tree& tree, std::string_view kind) {
  Node found;
  tree.root().walk([&](const Node& node) {
    if (!found && node.is(kind)) found = node;
    return !found;
  });
  return found;
}

std::string shape(const Tree& tree) {
  std::string text;
  tree.root().walk([&](const Node& node) {
    text += fmt::format("{}[{},{})", node.kind(), node.span().begin, node.span().end);
    return true;
  });
  return text;
}

constexpr std::string_view k_module = R"(import os
from dataclasses import dataclass, field


@dataclass(frozen=True)
class Config:
    """Settings of a run."""

    name: str = "a"
    sizes: list[int] = field(default_factory=list)

    @property
    def total(self) -> int:  # all of them
        return sum(size for size in self.sizes if size > 0)


class Engine(Base):
    def __init__(self, config, *args, rank=0, **kwargs):
        super().__init__(*args, **kwargs)
        self.config = config
        self.rank = rank if rank is not None else int(os.environ["RANK"])

    async def step(self, batch):
        async with self.lock:
            for i, (key, value) in enumerate(batch.items()):
                try:
                    self.losses[key] += value[i, :-1] * 2
                except (KeyError, ValueError) as error:
                    raise RuntimeError(f"no loss {key!r} of {self.rank}") from error
                else:
                    continue
        return {**batch, "rank": self.rank}
)";

TEST(NodeTest, ANullNodeAnswersEverythingWithNothing) {
  const Node node;
  EXPECT_TRUE(node.null());
  EXPECT_FALSE(node);
  EXPECT_EQ(node.kind(), "");
  EXPECT_EQ(node.text(), "");
  EXPECT_EQ(node.line(), 0);
  EXPECT_EQ(node.span(), (Span{}));
  EXPECT_TRUE(node.parent().null());
  EXPECT_TRUE(node.field("body").null());
  EXPECT_TRUE(node.fields("body").empty());
  EXPECT_TRUE(node.children().empty());
  EXPECT_TRUE(node.ancestor({"module"}).null());
  EXPECT_TRUE(node.next_sibling().null());
  EXPECT_FALSE(node.contains(node));
  EXPECT_EQ(node, Node());
  int visited = 0;
  node.walk([&](const Node&) { return ++visited > 0; });
  EXPECT_EQ(visited, 0);
}

TEST(NodeTest, FieldsGivesAllChildrenOfAName) {
  const Tree tree = parse("if a:\n  x\nelif b:\n  y\nelif c:\n  z\nelse:\n  w\n");
  const Node statement = first(tree, "if_statement");
  const std::vector<Node> alternatives = statement.fields("alternative");
  ASSERT_EQ(alternatives.size(), 3U);
  EXPECT_EQ(alternatives[0].field("condition").text(), "b");
  EXPECT_EQ(alternatives[1].field("condition").text(), "c");
  EXPECT_TRUE(alternatives[2].is("else_clause"));
}

TEST(NodeTest, FieldsGivesTheNamesOfAnImportAndTheOperatorsOfAChain) {
  const Tree tree = parse("from a import b, c as d, e\nx = 0 <= y < z is not None\n");
  const std::vector<Node> names = first(tree, "import_from_statement").fields("name");
  ASSERT_EQ(names.size(), 3U);
  EXPECT_EQ(names[0].text(), "b");
  EXPECT_EQ(names[1].text(), "c as d");
  EXPECT_EQ(names[2].text(), "e");
  const std::vector<Node> operators = first(tree, "comparison_operator").fields("operators");
  ASSERT_EQ(operators.size(), 3U);
  EXPECT_EQ(operators[0].text(), "<=");
  EXPECT_EQ(operators[2].text(), "is not");
}

TEST(NodeTest, ChildrenLeaveCommentsOut) {
  const Tree tree = parse("f(a,  # one\n  # two\n  b)\n");
  const std::vector<Node> arguments = first(tree, "argument_list").children();
  ASSERT_EQ(arguments.size(), 2U);
  EXPECT_EQ(arguments[1].text(), "b");
  EXPECT_TRUE(first(tree, "argument_list").child(2).null());
}

TEST(NodeTest, LinesCountFromOneWithCrLfAndTabs) {
  const Tree tree = parse("def f():\r\n\tif x:\r\n\t\treturn (1,\r\n\t\t\t2)\r\n");
  EXPECT_EQ(count_errors(tree), 0);
  const Node statement = first(tree, "return_statement");
  EXPECT_EQ(statement.line(), 3);
  EXPECT_EQ(statement.end_line(), 4);
  EXPECT_EQ(statement.text(), "return (1,\r\n\t\t\t2)");
}

TEST(NodeTest, AtGivesTheSmallestNamedNode) {
  const Tree tree = parse("x = f(alpha + 1)\n");
  const std::size_t begin = tree.source().find("alpha");
  EXPECT_EQ(tree.root().at({begin, begin + 5}).text(), "alpha");
  EXPECT_EQ(tree.root().at({begin, begin + 9}).kind(), "binary_operator");
}

TEST(TreeTest, KnowsNewSyntax) {
  const std::vector<std::string> sources = {
      "def f[T: int](x: T) -> T: ...\n",
      "class A[T, *Ts, **P]: pass\n",
      "type Pair[T] = tuple[T, T]\n",
      "match x:\n    case Point(x=0, y=b) if b > 1:\n        pass\n",
      "match x:\n    case [a, *rest]:\n        pass\n",
      "match x:\n    case {'k': a, **rest} | A():\n        pass\n    case _:\n        pass\n",
      "try:\n    pass\nexcept* (A, B) as group:\n    pass\n",
      "if (n := len(x)) > 1:\n    pass\n",
      "def f(a, /, b, *, c): ...\n",
      "x = f'{a!r:>{width}} {b=}'\n",
      "async def f():\n    return [x async for x in y if await x]\n",
      "with (open(a) as b, open(c) as d):\n    pass\n",
  };
  for (const std::string& source : sources) EXPECT_EQ(count_errors(parse(source)), 0) << source;
}

TEST(TreeTest, ErrorsAreCountedAndTheRestIsStillThere) {
  const Tree tree = parse("def f(:\n    return 1\n\n\ndef g(x):\n    return x.value\n");
  EXPECT_GE(count_errors(tree), 1);
  EXPECT_TRUE(tree.root().has_error());
  const Node attribute = first(tree, "attribute");
  EXPECT_EQ(attribute.text(), "x.value");
  EXPECT_FALSE(attribute.has_error());
}

TEST(TreeTest, TakesAnyBytes) {
  std::mt19937 random(7);  // NOLINT: a fixed seed, the same bytes in every run.
  for (int round = 0; round < 50; ++round) {
    std::string source;
    for (int i = 0; i < 400; ++i) source += static_cast<char>(random() % 256);
    const Tree tree = parse(source);
    EXPECT_EQ(tree.root().source(), source);
    EXPECT_GE(count_errors(tree), 0);
  }
  EXPECT_EQ(count_errors(parse("")), 0);
  EXPECT_EQ(parse(std::string("a\0b = 1\n", 8)).source().size(), 8U);
}

TEST(TreeTest, ATreeKeepsItsNodesWhenItMoves) {
  Tree tree = parse("value = 1\n");
  const Node node = first(tree, "identifier");
  const Tree moved = std::move(tree);
  EXPECT_EQ(node.text(), "value");
  EXPECT_EQ(moved.root().source(), "value = 1\n");
}

/// One edit of a token or a blank at a random place.
Edit random_edit(const std::string& source, std::mt19937& random) {
  static const std::vector<std::string> k_texts = {
      "",         "x",         " + 1", "not ", "()", "\n",   "        return None\n",
      "\"text\"", "# comment", "[0]",  "(",    ":",  "None", ", b",
      "'",        "if x:\n"};
  const std::size_t begin = random() % source.size();
  const std::size_t size = std::min<std::size_t>(random() % 8, source.size() - begin);
  return {"", {begin, begin + size}, k_texts[random() % k_texts.size()]};
}

TEST(TreeTest, ReparseEqualsParse) {
  std::mt19937 random(42);  // NOLINT: a fixed seed.
  const Tree base = parse(std::string(k_module));
  ASSERT_EQ(count_errors(base), 0);
  int valid = 0;
  for (int round = 0; round < 400; ++round) {
    std::vector<Edit> edits = {random_edit(base.source(), random)};
    const Edit second = random_edit(base.source(), random);
    if (second.span.begin > edits[0].span.end) edits.push_back(second);
    const Result<std::string> text = apply_edits(base.source(), std::span<const Edit>(edits));
    ASSERT_TRUE(text);
    const Tree again = base.reparse(edits, *text);
    const Tree fresh = parse(*text);
    EXPECT_EQ(again.source(), *text);
    EXPECT_EQ(count_errors(again) == 0, count_errors(fresh) == 0) << *text;
    if (count_errors(fresh) != 0) continue;  // Errors may be mended in more than one way.
    ++valid;
    EXPECT_EQ(shape(again), shape(fresh)) << *text;
  }
  EXPECT_GT(valid, 50);
}

TEST(TreeTest, ReparseLeavesTheOldTreeAlone) {
  const Tree base = parse("a = 1\nb = 2\n");
  const std::string before = shape(base);
  const std::vector<Edit> edits = {{"", {0, 1}, "name"}, {"", {6, 6}, "\n\n"}};
  const Result<std::string> text = apply_edits(base.source(), std::span<const Edit>(edits));
  ASSERT_TRUE(text);
  EXPECT_EQ(base.reparse(edits, *text).root().text(), "name = 1\n\n\nb = 2\n");
  EXPECT_EQ(shape(base), before);
  EXPECT_EQ(base.source(), "a = 1\nb = 2\n");
}

double seconds_of(auto&& work) {
  const auto begin = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

TEST(TreeTest, AMegabyteIsReadInSeconds) {
  std::string source;
  while (source.size() < (std::size_t{1} << 20U)) source += k_module;
  const double seconds = seconds_of([&] {
    const Tree tree = parse(source);
    EXPECT_EQ(count_errors(tree), 0);
    int nodes = 0;
    tree.root().walk([&](const Node&) { return ++nodes > 0; });
    EXPECT_GT(nodes, 100'000);
  });
  EXPECT_LT(seconds, 20);  // 1 s on an idle machine; sanitizers and neighbours take their share.
}

TEST(TreeTest, DeepNestingIsNoRecursion) {
  constexpr std::size_t k_depth = 20'000;
  const std::string source = "x = " + std::string(k_depth, '[') + std::string(k_depth, ']') + "\n";
  const Tree tree = parse(source);
  std::size_t lists = 0;
  tree.root().walk([&](const Node& node) {
    if (node.is("list")) ++lists;
    return true;
  });
  EXPECT_EQ(lists, k_depth);
  EXPECT_GE(count_errors(parse(std::string(k_depth, '('))), 1);
}

TEST(QueryTest, GivesCapturesByNameInSourceOrder) {
  const Tree tree = parse("f(a)\nself.g(b, c)\n");
  const Result<Query> query =
      Query::compile(Language::python, "(call arguments: (argument_list) @arguments) @call");
  ASSERT_TRUE(query);
  const std::vector<Match> matches = query->run(tree);
  ASSERT_EQ(matches.size(), 2U);
  EXPECT_EQ(matches[0].first().text(), "f(a)");
  EXPECT_EQ(matches[1]["arguments"].text(), "(b, c)");
  EXPECT_TRUE(matches[1]["other"].null());
}

TEST(QueryTest, SaysWhereAQueryIsWrong) {
  const Result<Query> query = Query::compile(Language::python, "(call) @call (no_such_node) @x");
  ASSERT_FALSE(query);
  EXPECT_NE(query.error().message.find("no_such_node"), std::string::npos);
  EXPECT_FALSE(Query::compile(Language::python, "(call"));
}

}  // namespace
}  // namespace tenline
