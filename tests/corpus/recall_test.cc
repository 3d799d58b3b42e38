#include "corpus/recall.h"

#include <random>
#include <set>

#include "corpus/facts_bytes.h"
#include "corpus/fixes.h"
#include "corpus/tokens.h"
#include "engine/platform/git_history.h"
#include "tests/platform/git_fixture.h"

namespace tenline::corpus {
namespace {

// What mined fixes look like.

std::string row(std::string_view replace = "", std::string_view by = "") {
  std::string text =
      R"({"framework": "demo", "repository": "owner/name", )"
      R"("parent_commit": "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa", )"
      R"("fix_commit": "000abbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb", "date": "2025-06-19", )"
      R"("strategy": "rename", "edit_shapes": ["one_token"], "files": ["a.py", "d/b.py"]})";
  if (!replace.empty()) text.replace(text.find(replace), replace.size(), by);
  return text;
}

TEST(FixesTest, ARowIsReadWhole) {
  const auto fixes = read_fixes(row() + "\n");
  ASSERT_TRUE(fixes.has_value()) << fixes.error().message;
  ASSERT_EQ(fixes->size(), 1U);
  const Fix& fix = fixes->front();
  EXPECT_EQ(fix.framework, "demo");
  EXPECT_EQ(fix.repository, "owner/name");
  EXPECT_EQ(fix.parent_commit, std::string(40, 'a'));
  EXPECT_EQ(fix.fix_commit, "000a" + std::string(36, 'b'));
  EXPECT_EQ(fix.date, "2025-06-19");
  EXPECT_EQ(fix.strategy, "rename");
  EXPECT_EQ(fix.shape, "one_token");
  EXPECT_EQ(fix.files, (std::vector<std::string>{"a.py", "d/b.py"}));
}

TEST(FixesTest, BothNamesOfTheShapeAndMissingWordsAreRead) {
  EXPECT_EQ(read_fixes(row(R"("edit_shapes": ["one_token"])", R"("edit_shape": "other")"))
                .value()[0]
                .shape,
            "other");
  EXPECT_EQ(read_fixes(row(R"("strategy": "rename", )", "")).value()[0].strategy, "");
  EXPECT_EQ(read_fixes(row(R"("date": "2025-06-19", )", R"("date": 7, )")).value()[0].date, "");
}

TEST(FixesTest, BlankLinesAreSkippedAndCounted) {
  EXPECT_EQ(read_fixes("\n" + row() + "\n  \n" + row()).value().size(), 2U);
  EXPECT_TRUE(read_fixes("\n\n{").error().message.starts_with("line 3: "));
}

TEST(FixesTest, EachBadRowNamesItsLine) {
  const std::string commit(40, 'a');
  const std::vector<std::string> bad = {
      "{",
      "7",
      "[]",
      "null",
      row("\"parent_commit\"", "\"other\""),
      row(commit, "HEAD"),
      row(commit, std::string(40, 'A')),
      row(commit, std::string(41, 'a')),
      row("\"owner/name\"", "7"),
      row("owner/name", "name"),
      row("owner/name", "owner/name/more"),
      row("owner/name", "../name"),
      row(R"(["a.py", "d/b.py"])", "[]"),
      row(R"(["a.py", "d/b.py"])", "\"a.py\""),
      row("\"d/b.py\"", "null"),
      row() + row(),
      std::string(100'000, '['),
      std::string("\0\xff", 2),
  };
  for (const std::string& line : bad) {
    const auto fixes = read_fixes(row() + "\n" + line + "\n" + row());
    ASSERT_FALSE(fixes.has_value()) << line.substr(0, 300);
    EXPECT_TRUE(fixes.error().message.starts_with("line 2: ")) << fixes.error().message;
    EXPECT_EQ(fixes.error().message.find('\n'), std::string::npos) << fixes.error().message;
    EXPECT_LT(fixes.error().message.size(), 500U);
  }
}

TEST(FixesTest, ATextWithoutFixesIsRefused) {
  EXPECT_FALSE(read_fixes("").has_value());
  EXPECT_FALSE(read_fixes("\n \n").has_value());
}

TEST(FixesTest, AFifthIsHeldOut) {
  int held_out = 0;
  for (int i = 0; i < 0x10000; ++i) {
    Fix fix;
    fix.fix_commit = fmt::format("{:04x}{}", i, std::string(36, 'f'));
    held_out += is_held_out(fix) ? 1 : 0;
  }
  EXPECT_NEAR(held_out, 0x10000 / 5.0, 1);
}

// Sums of tokens.

Tree parse(std::string text) { return Tree::parse(Language::python, std::move(text)); }

/// What FileTokens says of edits that replace the first `old` after the one before, and what
/// whole files say.
struct Changes {
  TokenSum told = 0;
  TokenSum real = 0;
  std::string after;
};

Changes changes(const std::string& source,
                const std::vector<std::pair<std::string, std::string>>& replaced) {
  std::vector<Edit> edits;
  std::size_t from = 0;
  for (const auto& [old, text] : replaced) {
    const std::size_t at = source.find(old, from);
    EXPECT_NE(at, std::string::npos) << old;
    // "=>": behind the text instead of it.
    const bool behind = text.starts_with("=>");
    from = at + old.size();
    edits.push_back({"a.py", {behind ? from : at, from}, behind ? text.substr(2) : text});
  }
  const Tree before = parse(source);
  const Tree after = parse(apply_edits(source, edits).value());
  const FileTokens tokens(before);
  return {tokens.change(edits), FileTokens(after).sum() - tokens.sum(), after.source()};
}

constexpr const char* k_source =
    "def area(width, height):\n"
    "    # multiplies\n"
    "    name = 'area of it' \"s\"\n"
    "    if width > 2 and height:\n"
    "        return width * height\n"
    "    return {'a': [width, f'{height}']}\n";

TEST(FileTokensTest, ChangesAreTheDifferencesOfSums) {
  const std::vector<std::vector<std::pair<std::string, std::string>>> cases = {
      {{"width * height", "height * height"}},     // A rename.
      {{"wid", "=>th_of_wid"}},                    // Within a word.
      {{"return width", "=>_all"}},                // Behind a word.
      {{"width ", "=>+ 1"}},                       // Behind a blank.
      {{"area of", "place of"}},                   // In a string.
      {{"'area of it' \"s\"", "'one' 'two'"}},     // Whole strings.
      {{"of it'", "of'"}},                         // Its end.
      {{"multiplies", "adds two"}},                // In a comment.
      {{"    # multiplies\n", ""}},                // The whole comment.
      {{"    # multiplies\n", "    go(1)\n"}},     // Code for a comment.
      {{"wid", "w"}, {"th", "ide"}},               // Two edits of one word.
      {{"width", "=>_a"}, {", ", ", b"}},          // Two that touch.
      {{" > ", " >= "}, {"2", "3"}},               // Two neighbours.
      {{"> 2", "=>0"}, {" and", " or"}},           // Apart by nothing.
      {{"return width", ""}, {" * height", ""}},   // All of a line.
      {{"{height}", "{height!r}"}},                // In an interpolation.
      {{"if width > 2 and height:", "while x:"}},  // A keyword.
      {{"'a': ", "=>'b': 1, "}},                   // An item.
      {{"]}\n", "=>x = 1\n"}},                     // At the end of the file.
      {{"def", "=>ault = 1\ndef"}},                // At its begin.
      {{"return {", "return not {"}, {"]}", "]}\n    pass"}},
  };
  for (const auto& edits : cases) {
    const Changes seen = changes(k_source, edits);
    EXPECT_NE(seen.after, k_source);
    EXPECT_EQ(seen.told, seen.real) << seen.after;
  }
}

TEST(FileTokensTest, NoEditsChangeNothing) {
  EXPECT_EQ(FileTokens(parse(k_source)).change({}), 0U);
}

TEST(FileTokensTest, OnlyWhatCountsChangesTheSum) {
  EXPECT_EQ(changes(k_source, {{"multiplies", "adds"}}).told, 0U);
  EXPECT_EQ(changes(k_source, {{"'area of it'", "\"area of it\""}}).told, 0U);
  EXPECT_EQ(changes(k_source, {{"width * height", "(width * height)"}}).told, 0U);
  EXPECT_NE(changes(k_source, {{"area of", "area  of"}}).told, 0U);
  EXPECT_NE(changes(k_source, {{"width *", "width +"}}).told, 0U);
  EXPECT_NE(changes(k_source, {{"return width", "return height"}}).told, 0U);
}

TEST(FileTokensTest, DocstringsCountNothing) {
  EXPECT_EQ(FileTokens(parse("def f():\n    'One.'\n    return 1\n")).sum(),
            FileTokens(parse("def f():\n    return 1\n")).sum());
  EXPECT_NE(FileTokens(parse("def f():\n    return 'One.'\n")).sum(),
            FileTokens(parse("def f():\n    return 1\n")).sum());
}

TEST(FileTokensTest, ElifCountsAsElseIf) {
  EXPECT_EQ(token_sum("if a:\n  b\nelif c:\n  d\n"),
            token_sum("if a:\n  b\nelse:\n  if c:\n    d\n"));
}

TEST(TokensTest, AreWordsSignsAndContentsOfStrings) {
  EXPECT_EQ(tokens("x_1 += f('a b', r\"c\\\"d\")  # no\n"),
            (std::vector<std::string>{"x_1", "+", "=", "f", "\"a b", "\"c\\\"d"}));
  EXPECT_EQ(tokens("'''a\n'b''' y"), (std::vector<std::string>{"\"a\n'b", "y"}));
}

TEST(TokensTest, AnyBytesAreRead) {
  EXPECT_EQ(tokens(""), std::vector<std::string>{});
  EXPECT_EQ(tokens("'open"), std::vector<std::string>{"\"open"});
  EXPECT_EQ(tokens("'\\"), std::vector<std::string>{"\"\\"});
  EXPECT_EQ(tokens("# only"), std::vector<std::string>{});
  EXPECT_EQ(tokens(std::string("\xff\xfe")).size(), 1U);
  EXPECT_EQ(tokens(std::string(100'000, '\'')).size(), 16'667U);
}

// Facts as bytes.

std::string facts_bytes() {
  return to_bytes(read_facts(
      "a.py", parse("import os\nfrom a.b import c as d\n\n\nclass A(B, e.C):\n    x = 1\n\n"
                    "    def f(self, a, *, b: int = 2, **more):\n        self.y = g(a, k=-1)\n\n\n"
                    "def h(*all, z=None):\n    return A(all).f(1, b=z)\n")));
}

TEST(FactsBytesTest, FactsComeBackAsTheyWere) {
  const std::string bytes = facts_bytes();
  const auto facts = facts_from_bytes(bytes);
  ASSERT_TRUE(facts.has_value());
  EXPECT_EQ(to_bytes(*facts), bytes);
  ASSERT_EQ(facts->functions.size(), 2U);
  const PythonFunction& f = facts->functions.front();
  EXPECT_EQ(f.file, "a.py");
  EXPECT_EQ(f.line, 8);
  EXPECT_EQ(f.name, "f");
  EXPECT_EQ(f.class_name, "A");
  ASSERT_EQ(f.parameters.size(), 3U);
  EXPECT_EQ(f.parameters[1].name, "b");
  EXPECT_EQ(f.parameters[1].kind, ParameterKind::keyword_only);
  EXPECT_TRUE(f.parameters[1].has_default);
  EXPECT_EQ(f.parameters[1].default_text, "2");
  EXPECT_EQ(f.parameters[1].type_text, "int");
  EXPECT_EQ(f.parameters[2].kind, ParameterKind::double_star);
  ASSERT_EQ(facts->classes.size(), 1U);
  EXPECT_EQ(facts->classes[0].bases, (std::vector<std::string>{"B", "C"}));
  EXPECT_TRUE(facts->classes[0].members.contains("y"));
  EXPECT_TRUE(facts->imports.contains("d"));
  EXPECT_EQ(facts->call_keywords.at("f").at("b"), 1);
  EXPECT_EQ(facts->call_values.at("g").at("k=-1"), 1);
}

TEST(FactsBytesTest, NoFactsComeBackEmpty) {
  const auto facts = facts_from_bytes(to_bytes({}));
  ASSERT_TRUE(facts.has_value());
  EXPECT_TRUE(facts->functions.empty());
  EXPECT_TRUE(facts->imports.empty());
}

TEST(FactsBytesTest, TruncatedBytesFail) {
  const std::string bytes = facts_bytes();
  for (std::size_t size = 0; size < bytes.size(); ++size) {
    EXPECT_FALSE(facts_from_bytes(std::string_view(bytes).substr(0, size)).has_value()) << size;
  }
  EXPECT_FALSE(facts_from_bytes(bytes + '\0').has_value());
}

TEST(FactsBytesTest, RandomBytesFail) {
  std::mt19937 random(7);  // NOLINT: the same bytes each time
  for (int round = 0; round < 2000; ++round) {
    std::string bytes(random() % 200 + 1, '\0');
    for (char& c : bytes) c = static_cast<char>(random());
    EXPECT_FALSE(facts_from_bytes(bytes).has_value());
  }
}

TEST(FactsBytesTest, DamagedBytesFailOrAreFactsAgain) {
  std::mt19937 random(8);  // NOLINT: the same bytes each time
  const std::string good = facts_bytes();
  int failed = 0;
  for (int round = 0; round < 5000; ++round) {
    std::string bytes = good;
    bytes[random() % bytes.size()] = static_cast<char>(random());
    const auto facts = facts_from_bytes(bytes);
    if (facts) {
      for (const PythonFunction& function : facts->functions) {
        for (const Parameter& parameter : function.parameters) {
          EXPECT_LE(parameter.kind, ParameterKind::double_star);
        }
      }
    } else {
      ++failed;
    }
  }
  EXPECT_GT(failed, 500);
}

TEST(FactsBytesTest, ATableComesBackAsItWas) {
  const std::map<std::string, std::string> table = {
      {"", ""}, {"a", std::string("\0\xff", 2)}, {"b", std::string(100'000, 'x')}};
  EXPECT_EQ(unpack(pack(table)).value(), table);
  EXPECT_TRUE(unpack(pack({})).value().empty());
}

TEST(FactsBytesTest, DamagedTablesFail) {
  const std::string bytes = pack({{"key", "value"}, {"other", "text"}});
  for (std::size_t size = 0; size < bytes.size(); ++size) {
    EXPECT_FALSE(unpack(std::string_view(bytes).substr(0, size)).has_value()) << size;
  }
  EXPECT_FALSE(unpack(bytes + "x").has_value());
  EXPECT_FALSE(unpack("tenline facts 0\n" + bytes.substr(16)).has_value());
}

// Recall.

constexpr const char* k_wrong =
    "def first(return_value):\n    return retrun_value\n\n\ndef second(x):\n    return x\n";
constexpr const char* k_right =
    "def first(return_value):\n    return return_value\n\n\ndef second(x):\n    return x\n";

class RecallTest : public GitTest {
 protected:
  void SetUp() override {
    GitTest::SetUp();
    commit({{"a.py", k_wrong}, {"b.py", "x = 1\n"}, {"c.cc", "int x;\n"}});
    parent_ = git("rev-parse HEAD");
  }

  /// A fix that writes these texts.
  Fix fix(const std::map<std::string, std::string>& texts) {
    git("checkout -q " + parent_);
    commit(texts);
    Fix made{.framework = "demo",
             .repository = "owner/name",
             .parent_commit = parent_,
             .fix_commit = git("rev-parse HEAD"),
             .date = "2025-06-19",
             .strategy = "rename",
             .shape = "one_token",
             .files = {}};
    for (const auto& [path, text] : texts) made.files.push_back(path);
    return made;
  }

  std::vector<FixRecall> measure(const std::vector<Fix>& fixes, const RecallOptions& options = {}) {
    Repositories repositories;
    auto history = GitHistory::open(user);
    EXPECT_TRUE(history.has_value());
    if (history) repositories.emplace("owner/name", *std::move(history));
    std::size_t done = 0;
    auto answers = measure_recall(fixes, repositories, options, [&] { ++done; });
    EXPECT_EQ(done, fixes.size());
    EXPECT_EQ(answers.size(), fixes.size());
    return answers;
  }

  std::string parent_;
};

/// All of an answer that may not depend on the run.
std::string summary(const FixRecall& answer) {
  std::string text = fmt::format("{} {} {} {} {}", answer.fix.fix_commit, answer.rank,
                                 answer.generated, answer.template_id, to_string(answer.reason));
  for (const auto& [key, count] : answer.counts) {
    text += fmt::format(" {}@{}:{}/{}", key.first, key.second, count.hits, count.candidates);
  }
  return text;
}

std::vector<std::string> summaries(const std::vector<FixRecall>& answers) {
  std::vector<std::string> list;
  list.reserve(answers.size());
  for (const FixRecall& answer : answers) list.push_back(summary(answer));
  return list;
}

TEST_F(RecallTest, ARenameIsFoundFromItsLine) {
  const FixRecall answer = measure({fix({{"a.py", k_right}})}).front();
  EXPECT_GT(answer.rank, 0U);
  EXPECT_LE(answer.rank, 10U);
  EXPECT_GE(answer.generated, answer.rank);
  EXPECT_FALSE(answer.template_id.empty());
  EXPECT_EQ(answer.reason, MissReason::none);
  EXPECT_TRUE(answer.measured());
}

TEST_F(RecallTest, CountsHaveEachCandidateAndOneHit) {
  const FixRecall answer = measure({fix({{"a.py", k_right}})}).front();
  Count all;
  for (const auto& [key, count] : answer.counts) {
    all.candidates += count.candidates;
    all.hits += count.hits;
  }
  EXPECT_EQ(all.candidates, answer.generated);
  EXPECT_EQ(all.hits, 1U);
}

TEST_F(RecallTest, ToldFunctionsGiveMoreCandidates) {
  const std::vector<Fix> fixes = {fix({{"a.py", k_right}})};
  const FixRecall lines = measure(fixes).front();
  const FixRecall functions = measure(fixes, {.told = Told::functions}).front();
  EXPECT_GT(functions.generated, lines.generated);
  EXPECT_GT(functions.rank, 0U);
}

TEST_F(RecallTest, CommentsAndLayoutOfTheDevelopersDoNotMatter) {
  const FixRecall answer =
      measure({fix({{"a.py",
                     "def first(return_value):\n    # Spelled right.\n    return (return_value)\n"
                     "\n\ndef second(x):\n    'Gives it.'\n    return x\n"}})})
          .front();
  EXPECT_GT(answer.rank, 0U);
}

TEST_F(RecallTest, AnyNumberOfJobsAndAFilledCacheGiveTheSame) {
  std::vector<Fix> fixes = {fix({{"a.py", k_right}}), fix({{"b.py", "x = 2\n"}}),
                            fix({{"c.cc", "int y;\n"}})};
  for (int i = 0; i < 6; ++i) fixes.push_back(fixes[0]);
  std::map<std::string, std::string> cache;
  const auto one = summaries(measure(fixes));
  EXPECT_EQ(summaries(measure(fixes, {.jobs = 2})), one);
  EXPECT_EQ(summaries(measure(fixes, {.cache = &cache})), one);
  EXPECT_FALSE(cache.empty());
  EXPECT_EQ(summaries(measure(fixes, {.jobs = 2, .cache = &cache})), one);
  for (auto& [key, bytes] : cache) bytes = "damaged";
  EXPECT_EQ(summaries(measure(fixes, {.cache = &cache})), one);
  EXPECT_TRUE(one[0].find(fixes[0].fix_commit) == 0 && one[2].find(fixes[2].fix_commit) == 0);
}

TEST_F(RecallTest, WhatTheRepositoryLacksIsUnreadable) {
  const Fix good = fix({{"a.py", k_right}});
  std::vector<Fix> fixes(5, good);
  fixes[0].parent_commit = std::string(40, 'a');
  fixes[1].fix_commit = std::string(40, 'a');
  fixes[2].files = {"absent.py"};
  fixes[3].repository = "owner/other";
  const auto answers = measure(fixes);
  for (std::size_t i = 0; i < 4; ++i) {
    EXPECT_EQ(answers[i].reason, MissReason::unreadable) << i;
    EXPECT_EQ(answers[i].rank, 0U) << i;
    EXPECT_FALSE(answers[i].measured()) << i;
  }
  EXPECT_GT(answers[4].rank, 0U);
}

TEST_F(RecallTest, OtherFilesAreNotPython) {
  const auto answers =
      measure({fix({{"c.cc", "int y;\n"}}), fix({{"a.py", k_right}, {"c.cc", "int y;\n"}})});
  for (const FixRecall& answer : answers) {
    EXPECT_EQ(answer.reason, MissReason::not_python);
    EXPECT_EQ(answer.rank, 0U);
    EXPECT_FALSE(answer.measured());
  }
}

TEST_F(RecallTest, MissesSayWhatTheFixNeeds) {
  const auto answers = measure({
      fix({{"b.py", "x = undreamt_of(1)\n"}}),
      fix({{"b.py", "x = 'undreamt of'\n"}}),
      fix({{"b.py", "x = x - x - x - x - x - x - x - x - x - x - x\n"}}),
  });
  EXPECT_EQ(answers[0].reason, MissReason::new_name);
  EXPECT_EQ(answers[1].reason, MissReason::new_literal);
  EXPECT_EQ(answers[2].rank, 0U);
  EXPECT_TRUE(answers[2].measured());
}

TEST_F(RecallTest, NoFixesGiveNoAnswers) { EXPECT_TRUE(measure({}).empty()); }

TEST(MissReasonTest, EachHasItsOwnWords) {
  std::set<std::string_view> words;
  for (int i = 0; i <= static_cast<int>(MissReason::shape); ++i) {
    words.insert(to_string(static_cast<MissReason>(i)));
  }
  EXPECT_EQ(words.size(), 8U);
  EXPECT_FALSE(words.contains("?"));
}

}  // namespace
}  // namespace tenline::corpus
