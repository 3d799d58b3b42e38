#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "engine/base/text.h"
#include "templates/draft.h"

namespace tenline::templates {
namespace {

using Texts = std::map<std::string, std::string>;  ///< By path.

/// Trees and an index of some files, and the places that are told.
class Files {
 public:
  explicit Files(const Texts& texts) {
    for (const auto& [path, text] : texts) {
      trees_.emplace(path, Tree::parse(Language::python, text));
      index_.add(path, trees_.at(path));
    }
  }

  Files& tell(const std::string& path, const std::vector<int>& lines) {
    for (const int line : lines) places_.push_back({path, line, {}, 1.0, {}});
    return *this;
  }

  [[nodiscard]] Drafts drafts(int max_changed_lines = 10) const {
    return make_drafts({.trees = trees_,
                        .locations = places_,
                        .report = report_,
                        .trace = trace_,
                        .index = index_,
                        .templates = registry(),
                        .max_changed_lines = max_changed_lines});
  }

  /// The texts that drafts of several places make of a file.
  [[nodiscard]] std::set<std::string> joined_texts(const Drafts& drafts,
                                                   const std::string& path) const {
    std::set<std::string> texts;
    for (const Draft& draft : drafts.all) {
      if (draft.joined < 2) continue;
      std::vector<Edit> edits = drafts.edits(draft);
      std::erase_if(edits, [&](const Edit& edit) { return edit.file != path; });
      Result<std::string> text = apply_edits(trees_.at(path).source(), edits);
      EXPECT_TRUE(text.has_value()) << draft.summary;
      if (text) texts.insert(*std::move(text));
    }
    return texts;
  }

 private:
  std::map<std::string, Tree> trees_;
  PythonIndex index_;
  std::vector<Location> places_;
  BugReport report_;
  FailureTrace trace_;
};

constexpr const char* k_twice =
    "def f(values, weights):\n"
    "    total = sum(weihgts)\n"
    "    print(values)\n"
    "    return [v / len(weihgts) for v in values]\n";

/// A function of many lines that say little.
std::string long_function(int lines) {
  std::string text = "def f(a, b, c):\n";
  for (int i = 0; i < lines; ++i) text += fmt::format("    x{} = a + b * {}\n", i, i);
  return text + "    return c\n";
}

std::string spelled_right(std::string text) {
  const std::string_view wrong = "weihgts";
  for (std::size_t at = 0; (at = text.find(wrong)) != std::string::npos;) {
    text.replace(at, wrong.size(), "weights");
  }
  return text;
}

TEST(JointTest, TheSameWrongNameOnTwoToldLinesIsChangedOnBoth) {
  Files files(Texts{{"a.py", k_twice}});
  files.tell("a.py", {2, 4});
  const std::string fixed = spelled_right(k_twice);
  EXPECT_TRUE(files.joined_texts(files.drafts(), "a.py").contains(fixed));
}

TEST(JointTest, TheSameWrongNameIsChangedTogetherAmongMoreLinesThanPairsAreMadeOf) {
  const std::string text =
      "def f(values, weights):\n    a = sum(weihgts)\n    b = sum(values)\n"
      "    c = len(weihgts)\n    d = max(values)\n    return a, b, c, d\n";
  Files files(Texts{{"a.py", text}});
  files.tell("a.py", {2, 3, 4, 5, 6});
  const Drafts drafts = files.drafts();
  EXPECT_TRUE(files.joined_texts(drafts, "a.py").contains(spelled_right(text)));
  EXPECT_TRUE(std::ranges::any_of(
      drafts.all, [](const Draft& draft) { return draft.prior_key == "same-edit"; }));
}

TEST(JointTest, TheSameWrongNameInTwoFilesIsChangedInBoth) {
  const std::string text = "def f(weights):\n    return sum(weihgts)\n";
  Files files(Texts{{"a.py", text}, {"b.py", text}});
  files.tell("a.py", {2}).tell("b.py", {2});
  const Drafts drafts = files.drafts();
  const bool both = std::ranges::any_of(drafts.all, [&](const Draft& draft) {
    const std::vector<Edit> edits = drafts.edits(draft);
    if (draft.joined != 2 || edits.size() != 2) return false;
    return edits[0].file == "a.py" && edits[1].file == "b.py" &&
           apply_edits(text, std::span(edits).subspan(0, 1)).value() == spelled_right(text) &&
           edits[0].span == edits[1].span && edits[0].text == edits[1].text;
  });
  EXPECT_TRUE(both);
}

TEST(JointTest, TwoNeighboursGetTwoDifferentEdits) {
  Files files(
      Texts{{"a.py", "def f(first, second):\n    a = frist\n    b = secnod\n    return a, b\n"}});
  files.tell("a.py", {2, 3});
  EXPECT_TRUE(files.joined_texts(files.drafts(), "a.py")
                  .contains("def f(first, second):\n    a = first\n    b = second\n"
                            "    return a, b\n"));
}

TEST(JointTest, WholeWordsAreChangedTogetherToo) {
  // What is replaced begins and ends with its words: the strict and the loose deed are the same.
  const std::string text =
      "def f(mode):\n    if ready(Mode.DATA) and size(Mode.DATA):\n        return "
      "group(Mode.DATA)\n";
  std::string fixed = text;
  for (std::size_t at = fixed.find("Mode.DATA"); at != std::string::npos;
       at = fixed.find("Mode.DATA", at)) {
    fixed.replace(at, 9, "mode");
  }
  Files files(Texts{{"a.py", text}});
  files.tell("a.py", {2, 3});
  EXPECT_TRUE(files.joined_texts(files.drafts(), "a.py").contains(fixed));
}

TEST(JointTest, ARepeatedEditGoesWithOneOfAnotherPlace) {
  const std::string text =
      "def f(weights, first):\n    a = sum(weihgts)\n    b = len(weihgts)\n    c = frist\n"
      "    return a, b, c\n";
  std::string fixed = spelled_right(text);
  fixed.replace(fixed.find("frist"), 5, "first");
  Files files(Texts{{"a.py", text}});
  files.tell("a.py", {2, 3, 4});
  EXPECT_TRUE(files.joined_texts(files.drafts(), "a.py").contains(fixed));
}

TEST(JointTest, OneToldLineHasNoPairs) {
  Files files(Texts{{"a.py", "def f(weights):\n    return weihgts\n"}});
  files.tell("a.py", {2});
  const Drafts drafts = files.drafts();
  EXPECT_FALSE(drafts.all.empty());
  for (const Draft& draft : drafts.all) {
    EXPECT_FALSE(draft.prior_key.starts_with("pair") || draft.prior_key == "triple" ||
                 draft.prior_key == "same-edit")
        << draft.summary;
  }
}

TEST(JointTest, AddedLinesAreNotRepeated) {
  Files files(Texts{{"a.py", k_twice}});
  files.tell("a.py", {2, 3, 4});
  const Drafts drafts = files.drafts();
  std::size_t adding = 0;
  for (const Draft& draft : drafts.all) {
    const bool adds = std::ranges::all_of(draft.changes, [](const PlacedChange& change) {
      return change.span.size() == 0 && change.text.find('\n') != std::string::npos;
    });
    if (!adds) continue;
    ++adding;
    EXPECT_NE(draft.prior_key, "same-edit") << draft.summary;
    EXPECT_NE(draft.prior_key, "same-line") << draft.summary;
  }
  EXPECT_GT(adding, 0U);
}

class DraftsOf : public ::testing::TestWithParam<const char*> {
 protected:
  DraftsOf()
      : files_(Texts{{"a.py", k_twice}, {"b.py", "def g(x, y=None):\n    return x.size(y)\n"}}) {
    const std::string told = GetParam();
    if (told == "one") files_.tell("a.py", {2});
    if (told == "two") files_.tell("a.py", {2, 4});
    if (told == "three") files_.tell("a.py", {2, 3, 4});
    if (told == "files") files_.tell("a.py", {2}).tell("b.py", {2});
    if (told == "all") files_.tell("a.py", {1, 2, 3, 4}).tell("b.py", {1, 2});
  }

  Files files_;
};

TEST_P(DraftsOf, AreUnique) {
  const Drafts drafts = files_.drafts();
  std::set<std::vector<PlacedChange>> seen;
  for (const Draft& draft : drafts.all) {
    EXPECT_TRUE(seen.insert(draft.changes).second) << draft.summary;
  }
  EXPECT_GT(seen.size(), 10U);
}

TEST_P(DraftsOf, AreSortedByScore) {
  const Drafts drafts = files_.drafts();
  ASSERT_GT(drafts.all.size(), 10U);
  for (std::size_t i = 1; i < drafts.all.size(); ++i) {
    EXPECT_GE(drafts.all[i - 1].score, drafts.all[i].score) << i;
    EXPECT_GT(drafts.all[i].score, 0) << drafts.all[i].summary;
  }
}

TEST_P(DraftsOf, AreTheSameEachTime) {
  const Drafts one = files_.drafts();
  const Drafts two = files_.drafts();
  ASSERT_EQ(one.all.size(), two.all.size());
  for (std::size_t i = 0; i < one.all.size(); ++i) {
    EXPECT_EQ(one.all[i].changes, two.all[i].changes);
    EXPECT_EQ(one.all[i].score, two.all[i].score);
    EXPECT_EQ(one.all[i].summary, two.all[i].summary);
  }
}

TEST_P(DraftsOf, HaveChangesInOrderWithoutOverlap) {
  const Drafts drafts = files_.drafts();
  std::size_t several = 0;
  for (const Draft& draft : drafts.all) {
    ASSERT_FALSE(draft.changes.empty());
    if (draft.changes.size() > 1) ++several;
    for (std::size_t i = 1; i < draft.changes.size(); ++i) {
      const PlacedChange& a = draft.changes[i - 1];
      const PlacedChange& b = draft.changes[i];
      EXPECT_TRUE(a.file < b.file || (a.file == b.file && a.span.end <= b.span.begin))
          << draft.summary;
      EXPECT_NE(a, b) << draft.summary;
    }
  }
  EXPECT_GT(several, 0U);
}

TEST_P(DraftsOf, AreSmallWhereTheyAreNotJoined) {
  for (const int most : {2, 10}) {
    const Drafts drafts = files_.drafts(most);
    EXPECT_FALSE(drafts.all.empty());
    for (const Draft& draft : drafts.all) {
      if (draft.joined > 1) continue;  // Their size is for the proposer to judge.
      EXPECT_LE(drafts.candidate(draft).changed_lines, most) << draft.summary;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Told, DraftsOf, ::testing::Values("one", "two", "three", "files", "all"),
                         [](const auto& told) { return std::string(told.param); });

TEST(JointTest, ManyToldLinesGiveNoPairs) {
  Files files(Texts{{"a.py", long_function(40)}});
  std::vector<int> lines;
  for (int i = 2; i < 40; ++i) lines.push_back(i);
  files.tell("a.py", lines);
  const Drafts drafts = files.drafts();
  for (const Draft& draft : drafts.all) {
    EXPECT_FALSE(draft.prior_key.starts_with("pair")) << draft.summary;
    EXPECT_LE(draft.joined, 10) << draft.summary;
  }
  EXPECT_FALSE(drafts.all.empty());
}

TEST(JointTest, NothingToldAndLinesThatAreNotThereGiveNothing) {
  Files nothing(Texts{{"a.py", k_twice}});
  EXPECT_TRUE(nothing.drafts().all.empty());
  nothing.tell("a.py", {0, -1, 1'000'000}).tell("absent.py", {1});
  EXPECT_TRUE(nothing.drafts().all.empty());
}

/// A draft of changes in file 0.
Draft draft_of(std::vector<PlacedChange> changes, const Tree& tree, double score) {
  return {.changes = std::move(changes),
          .form = registry().front(),
          .prior_key = "key",
          .score = score,
          .line = 1,
          .anchor = tree.root().child(0)};
}

TEST(JoinDraftsTest, OverlappingChangesAreNotJoined) {
  const Tree tree = Tree::parse(Language::python, "aa = aa\nbb = bb\n");
  const Node second = tree.root().child(1);
  std::vector<Draft> drafts = {draft_of({{0, {0, 10}, "x"}}, tree, 0.5),
                               draft_of({{0, {8, 10}, "y"}}, tree, 0.5)};
  drafts.back().anchor = second;
  join_drafts({&tree}, drafts);
  EXPECT_EQ(drafts.size(), 2U);
  drafts.front().changes.front().span.end = 2;
  join_drafts({&tree}, drafts);
  EXPECT_GT(drafts.size(), 2U);
}

TEST(JoinDraftsTest, NoDraftsStayNone) {
  std::vector<Draft> drafts;
  join_drafts({}, drafts);
  EXPECT_TRUE(drafts.empty());
}

TEST(PutInOrderTest, RefusesOverlapAndEqualChangesAndSortsTheOthers) {
  std::vector<PlacedChange> overlap = {{0, {4, 8}, "a"}, {0, {0, 5}, "b"}};
  EXPECT_FALSE(put_in_order(overlap));
  std::vector<PlacedChange> equal = {{0, {4, 4}, "a"}, {0, {4, 4}, "a"}};
  EXPECT_FALSE(put_in_order(equal));
  std::vector<PlacedChange> fine = {{1, {0, 5}, "c"}, {0, {4, 8}, "b"}, {0, {0, 4}, "a"}};
  EXPECT_TRUE(put_in_order(fine));
  EXPECT_EQ(fine,
            (std::vector<PlacedChange>{{0, {0, 4}, "a"}, {0, {4, 8}, "b"}, {1, {0, 5}, "c"}}));
}

TEST(SortUniqueTest, EqualEditsCountOnceUnderTheBetterScore) {
  const Tree tree = Tree::parse(Language::python, "aa = aa\n");
  const std::vector<PlacedChange> change = {{0, {0, 2}, "x"}};
  std::vector<Draft> drafts = {draft_of(change, tree, 0.1), draft_of(change, tree, 0.7),
                               draft_of({{0, {0, 2}, "y"}}, tree, 0.4)};
  std::vector<Draft> reversed(drafts.rbegin(), drafts.rend());
  sort_unique(drafts);
  sort_unique(reversed);
  ASSERT_EQ(drafts.size(), 2U);
  ASSERT_EQ(reversed.size(), 2U);
  EXPECT_EQ(drafts[0].score, 0.7);
  EXPECT_EQ(drafts[1].score, 0.4);
  for (std::size_t i = 0; i < 2; ++i) EXPECT_EQ(drafts[i].changes, reversed[i].changes);
}

}  // namespace
}  // namespace tenline::templates
