#include "engine/core/rank.h"

#include <gtest/gtest.h>

namespace tenline {
namespace {

Candidate replacing(std::string template_id, std::size_t size, std::string text) {
  Candidate candidate;
  candidate.template_id = std::move(template_id);
  candidate.edits = {{"x.py", {10, 10 + size}, std::move(text)}};
  candidate.score = 1.0;
  candidate.changed_lines = 2;
  return candidate;
}

CheckedCandidate passing(std::size_t position, Candidate candidate, Level level = Level::e1) {
  CheckedCandidate checked;
  checked.position = position;
  checked.candidate = std::move(candidate);
  checked.verdict.outcome = Outcome::passes;
  checked.verdict.level = level;
  return checked;
}

std::vector<std::size_t> order(std::vector<CheckedCandidate> candidates) {
  rank(candidates);
  std::vector<std::size_t> positions;
  positions.reserve(candidates.size());
  for (const CheckedCandidate& c : candidates) positions.push_back(c.position);
  return positions;
}

TEST(SuspicionTest, NamesWholeKindsOfEdits) {
  struct {
    Candidate candidate;
    Suspicion expected;
  } cases[] = {
      {replacing("replace-name", 5, "strict"), Suspicion::none},
      {replacing("forward-argument", 0, ", strict=strict"), Suspicion::none},
      {replacing("guard-none", 0, "if x is None:\n    x = {}\n"), Suspicion::none},
      {replacing("guard-none", 0, "if x is None:\n    return\n"), Suspicion::leaves_early},
      {replacing("guard-none", 0, "if not x: continue\n"), Suspicion::leaves_early},
      {replacing("guard-none", 0, "if x is None:\n    return default\n"), Suspicion::none},
      {replacing("any", 30, "pass"), Suspicion::leaves_early},
      {replacing("default-value", 0, ", **kwargs"), Suspicion::ignores_arguments},
      {replacing("pass-spread", 0, ", **kwargs"), Suspicion::none},
      {replacing("move-to", 30, "x = f(y)\n"), Suspicion::moves_code},
      {replacing("delete-statement", 30, ""), Suspicion::removes_code},
      {replacing("any", 30, "  \n"), Suspicion::removes_code},
      {replacing("drop-argument", 12, ""), Suspicion::removes_code},
      {replacing("any", 9, "try:\n    f()\nexcept Exception:\n    pass"),
       Suspicion::swallows_exception},
      {replacing("add-clause", 0, " and False"), Suspicion::fixes_condition},
      {replacing("any", 4, "if True:"), Suspicion::fixes_condition},
      {replacing("change-condition", 4, "True"), Suspicion::fixes_condition},
      {replacing("replace-literal", 5, "True"), Suspicion::none},
      {replacing("any", 4, "if flag == True:"), Suspicion::none},
      {replacing("any", 4, "if 0 < x:"), Suspicion::none},
      {replacing("replace-literal", 5, "'except False'"), Suspicion::changes_text_only},
      {replacing("replace-literal", 5, "rb\"return\""), Suspicion::changes_text_only},
      {replacing("replace-literal", 5, "'a' + b"), Suspicion::none},
      {replacing("any", 0, "# except for this\nx = 1\n"), Suspicion::none},
      {Candidate{}, Suspicion::none},
  };
  for (const auto& c : cases) {
    EXPECT_EQ(suspicion(c.candidate), c.expected)
        << c.candidate.template_id << ": "
        << (c.candidate.edits.empty() ? "" : c.candidate.edits[0].text);
  }
}

TEST(SuspicionTest, SurvivesUnfinishedStrings) {
  for (const std::string text : {"'", "\"\\", "'abc\\", "#", "\xff'"}) {
    EXPECT_NE(suspicion(replacing("any", 3, text)), Suspicion::removes_code) << text;
  }
}

TEST(GuardedScoreTest, IsNeverLargerThanTheScore) {
  for (const double score : {2.0, 0.0, -3.0}) {
    Candidate candidate = replacing("delete-statement", 4, "");
    candidate.score = score;
    EXPECT_LE(guarded_score(candidate), score);
  }
}

TEST(ConvincingTest, RemovalsAndSwallowedExceptionsAreNot) {
  EXPECT_TRUE(is_convincing(replacing("replace-name", 5, "strict")));
  EXPECT_TRUE(is_convincing(replacing("replace-literal", 5, "'strict'")));
  EXPECT_FALSE(is_convincing(replacing("delete-statement", 5, "")));
  EXPECT_FALSE(is_convincing(replacing("failing-import", 5, "try:\n  a\nexcept E:\n  b = None")));
}

TEST(RankTest, PutsARemovalBehindARepairOfSimilarScore) {
  Candidate removal = replacing("delete-statement", 30, "");
  removal.score = 1.2;
  EXPECT_EQ(order({passing(1, removal), passing(2, replacing("replace-name", 3, "abc"))}),
            (std::vector<std::size_t>{2, 1}));
}

TEST(RankTest, PutsTestedCandidatesFirstUnlessTheyAreSuspected) {
  Candidate weak = replacing("replace-name", 3, "abc");
  weak.score = 0.1;
  EXPECT_EQ(order({passing(1, replacing("replace-name", 3, "xyz")), passing(2, weak, Level::e2)}),
            (std::vector<std::size_t>{2, 1}));
  EXPECT_EQ(order({passing(1, replacing("replace-name", 3, "xyz")),
                   passing(2, replacing("delete-statement", 9, ""), Level::e2)}),
            (std::vector<std::size_t>{1, 2}));
}

TEST(RankTest, BreaksTiesByFewerLinesThenPosition) {
  Candidate large = replacing("replace-name", 3, "abc");
  large.changed_lines = 6;
  EXPECT_EQ(order({passing(1, large), passing(3, replacing("replace-name", 3, "b")),
                   passing(2, replacing("replace-name", 3, "c"))}),
            (std::vector<std::size_t>{2, 3, 1}));
}

}  // namespace
}  // namespace tenline
