#include "engine/journal/journaled_oracle.h"

#include <gtest/gtest.h>

#include <map>

#include "engine/journal/journal.h"
#include "tests/journal/samples.h"

namespace tenline {
namespace {

struct MemoryStore final : Store {
  std::map<std::string, std::string> entries;
  bool full = false;

  std::optional<std::string> find(const std::string& key) override {
    const auto entry = entries.find(key);
    if (entry == entries.end()) return std::nullopt;
    return entry->second;
  }
  Result<void> put(const std::string& key, const std::string& value) override {
    if (full) return fail(ErrorCode::io, "no space left on the disk for journal");
    entries[key] = value;
    return {};
  }
};

struct FakeOracle final : Oracle {
  Result<Reproduction> reproduction = testing::sample_reproduction();
  Result<Verdict> verdict = testing::sample_verdict();
  std::vector<std::string> asked;

  Result<Reproduction> reproduce() override {
    asked.emplace_back("base");
    return reproduction;
  }
  Result<Verdict> judge(const Candidate& candidate, Level level, int slot) override {
    asked.push_back(fmt::format("{} {} {}", candidate.id, to_string(level), slot));
    return verdict;
  }
};

Candidate named(const std::string& id) {
  Candidate candidate;
  candidate.id = id;
  return candidate;
}

struct JournaledOracleTest : ::testing::Test {
  MemoryStore store;
  FakeOracle oracle;
  JournaledOracle journaled{oracle, store};
};

TEST_F(JournaledOracleTest, AsksOncePerCandidateAndLevel) {
  for (int round = 0; round < 2; ++round) {
    ASSERT_TRUE(journaled.judge(named("a"), Level::e1, 0));
    ASSERT_TRUE(journaled.judge(named("a"), Level::e2, 1));
    ASSERT_TRUE(journaled.judge(named("b"), Level::e1, 0));
  }
  EXPECT_EQ(oracle.asked, (std::vector<std::string>{"a E1 0", "a E2 1", "b E1 0"}));
  EXPECT_EQ(journaled.remembered(), 3U);
  EXPECT_TRUE(store.entries.contains("verdict/E1/a"));
  EXPECT_TRUE(store.entries.contains("verdict/E2/a"));
}

TEST_F(JournaledOracleTest, ALaterRunIsGivenTheSameAnswers) {
  const auto first = journaled.judge(named("a"), Level::e2, 0);
  const auto base = journaled.reproduce();
  ASSERT_TRUE(first && base);

  FakeOracle other;
  other.verdict = fail(ErrorCode::io, "must not be asked");
  other.reproduction = fail(ErrorCode::io, "must not be asked");
  JournaledOracle resumed(other, store);
  const auto second = resumed.judge(named("a"), Level::e2, 3);
  const auto base_again = resumed.reproduce();
  ASSERT_TRUE(second && base_again);
  EXPECT_TRUE(other.asked.empty());
  EXPECT_EQ(second->detail, first->detail);
  EXPECT_EQ(second->cpu_seconds, first->cpu_seconds);
  EXPECT_EQ(base_again->detail, base->detail);
  EXPECT_EQ(base_again->trace.functions.size(), base->trace.functions.size());
}

TEST_F(JournaledOracleTest, AFreshAnswerReadsLikeARememberedOne) {
  oracle.verdict->detail = "bad \xff byte";
  const auto fresh = journaled.judge(named("a"), Level::e1, 0);
  const auto remembered = journaled.judge(named("a"), Level::e1, 0);
  ASSERT_TRUE(fresh && remembered);
  EXPECT_EQ(journaled.remembered(), 1U);
  EXPECT_EQ(fresh->detail, remembered->detail);
}

TEST_F(JournaledOracleTest, InfrastructureIsAskedAgain) {
  oracle.verdict->outcome = Outcome::infrastructure;
  ASSERT_TRUE(journaled.judge(named("a"), Level::e1, 0));
  oracle.verdict->outcome = Outcome::passes;
  const auto second = journaled.judge(named("a"), Level::e1, 0);
  ASSERT_TRUE(second);
  EXPECT_EQ(second->outcome, Outcome::passes);
  EXPECT_EQ(oracle.asked.size(), 2U);
}

TEST_F(JournaledOracleTest, AnEnvironmentThatWasUnusableIsTriedAgain) {
  for (const Reproduced reproduced : {Reproduced::environment, Reproduced::needs_gpus}) {
    oracle.reproduction->reproduced = reproduced;
    ASSERT_TRUE(journaled.reproduce());
  }
  EXPECT_TRUE(store.entries.empty());
  oracle.reproduction->reproduced = Reproduced::yes;
  ASSERT_TRUE(journaled.reproduce());
  ASSERT_TRUE(journaled.reproduce());
  EXPECT_EQ(oracle.asked.size(), 3U);
}

TEST_F(JournaledOracleTest, AnErrorIsPassedOnAndNotRemembered) {
  oracle.verdict = fail(ErrorCode::cancelled, "interrupted");
  oracle.reproduction = fail(ErrorCode::unavailable, "bwrap: not found");
  const auto verdict = journaled.judge(named("a"), Level::e1, 0);
  const auto base = journaled.reproduce();
  ASSERT_FALSE(verdict);
  ASSERT_FALSE(base);
  EXPECT_EQ(verdict.error().code, ErrorCode::cancelled);
  EXPECT_EQ(base.error().message, "bwrap: not found");
  EXPECT_TRUE(store.entries.empty());
}

TEST_F(JournaledOracleTest, ADamagedAnswerIsAskedAgainAndReplaced) {
  store.entries["verdict/E1/a"] = R"({"outcome": "passes"})";
  store.entries["base/reproduction"] = "\x01\x02";
  ASSERT_TRUE(journaled.judge(named("a"), Level::e1, 0));
  ASSERT_TRUE(journaled.reproduce());
  EXPECT_EQ(oracle.asked.size(), 2U);
  ASSERT_TRUE(journaled.judge(named("a"), Level::e1, 0));
  EXPECT_EQ(oracle.asked.size(), 2U);
}

TEST_F(JournaledOracleTest, AFullDiskIsAnErrorThatSaysWhatWasSaved) {
  store.full = true;
  const auto verdict = journaled.judge(named("a"), Level::e1, 0);
  ASSERT_FALSE(verdict);
  EXPECT_EQ(verdict.error().message,
            "while saving verdict/E1/a: no space left on the disk for journal");
}

TEST_F(JournaledOracleTest, WorksOnARealJournalAcrossItsReopening) {
  const testing::TemporaryFolder folder;
  {
    const auto journal = Journal::open(folder.file("journal.db"));
    ASSERT_TRUE(journal);
    JournaledOracle first(oracle, **journal);
    ASSERT_TRUE(first.reproduce());
    ASSERT_TRUE(first.judge(named("a"), Level::e1, 0));
  }
  const auto journal = Journal::open(folder.file("journal.db"));
  ASSERT_TRUE(journal);
  JournaledOracle second(oracle, **journal);
  ASSERT_TRUE(second.reproduce());
  ASSERT_TRUE(second.judge(named("a"), Level::e1, 0));
  EXPECT_EQ(second.remembered(), 2U);
  EXPECT_EQ(oracle.asked.size(), 2U);
}

}  // namespace
}  // namespace tenline
