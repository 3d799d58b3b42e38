#include "templates/prior.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <set>

#include "engine/base/text.h"

namespace tenline::templates {

extern const char* const k_prior_text;

namespace {

/// A template of this name that says nothing.
Template form_named(const char* id, double prior = 1) {
  return {.id = id,
          .family = Family{},
          .summary = "",
          .language = Language::python,
          .query = "",
          .prior = prior,
          .rewrite = Rewrite([](const Match&, const Context&, Proposals&) {})};
}

/// A row where bin i has the probability i + first.
std::string row(std::string_view key, int first, int bins = Prior::k_bins) {
  std::string text = fmt::format("{}:", key);
  for (int i = 0; i < bins; ++i) text += fmt::format(" {}", i + first);
  return text + "\n";
}

/// A weight at the lower end of a bin.
double weight_in(int bin) { return std::exp2(bin - Prior::k_bins * 3 / 4); }

constexpr double k_nothing = 1e-3;  // Of an unknown template with a weight and a prior of one.

TEST(PriorTest, RowsGiveEachBinItsProbability) {
  const Prior prior = Prior::parse(row("a/call", 1) + row("b", 100));
  for (int bin = 0; bin < Prior::k_bins; ++bin) {
    EXPECT_DOUBLE_EQ(prior.probability(form_named("a"), "a/call", weight_in(bin)), bin + 1);
    EXPECT_DOUBLE_EQ(prior.probability(form_named("b"), "b", weight_in(bin)), bin + 100);
  }
}

TEST(PriorTest, AKindThatWasNotSeenHasTheRowOfItsTemplate) {
  const Prior prior = Prior::parse(row("a", 100) + row("a/call", 1));
  EXPECT_DOUBLE_EQ(prior.probability(form_named("a"), "a/lambda", weight_in(0)), 100);
  EXPECT_DOUBLE_EQ(prior.probability(form_named("a"), "a/call", weight_in(0)), 1);
}

TEST(PriorTest, CommentsAndEmptyLinesAreNoRows) {
  const Prior prior = Prior::parse("# words: 1 2\n\n#" + row("a", 5) + row("b", 5));
  EXPECT_DOUBLE_EQ(prior.probability(form_named("a"), "a", 1), k_nothing);
  EXPECT_DOUBLE_EQ(prior.probability(form_named("#a"), "#a", 1), k_nothing);
  EXPECT_DOUBLE_EQ(prior.probability(form_named("b"), "b", weight_in(0)), 5);
}

TEST(PriorTest, DamagedLinesAreIgnoredAndTheOthersRead) {
  const std::string bytes("\0\xff: \xfe \0\n", 8);
  const Prior prior = Prior::parse(row("short", 5, Prior::k_bins - 1) + "empty:\nempty: \n: 1 2\n" +
                                   "words: one two three\n" + bytes + "colon\n" + row("good", 5));
  for (const char* id : {"short", "empty", "words", "colon"}) {
    EXPECT_DOUBLE_EQ(prior.probability(form_named(id), id, 1), k_nothing) << id;
  }
  EXPECT_DOUBLE_EQ(prior.probability(form_named("good"), "good", weight_in(0)), 5);
}

TEST(PriorTest, AnUnknownTemplateHasItsOwnPriorAndGrowsWithTheWeight) {
  const Prior prior = Prior::parse("");
  EXPECT_DOUBLE_EQ(prior.probability(form_named("a", 3), "a/call", 1),
                   3 * prior.probability(form_named("a", 1), "a/call", 1));
  double last = 0;
  for (const double weight : {1e-9, 1e-3, 0.5, 0.7, 1.0, 2.0, 1e6}) {
    const double now = prior.probability(form_named("a"), "a/call", weight);
    EXPECT_GT(now, last) << weight;
    last = now;
  }
}

TEST(PriorTest, ALargerWeightComesFirstWithinABin) {
  const Prior prior = Prior::parse(row("a", 1));
  const Template form = form_named("a");
  EXPECT_GT(prior.probability(form, "a", 1.9), prior.probability(form, "a", 1.1));
  EXPECT_GT(prior.probability(form, "a", 0.24), prior.probability(form, "a", 0.13));
}

TEST(PriorTest, JointEditsWithoutARowAreLessLikelyThanOne) {
  const Prior prior = Prior::parse("");
  EXPECT_GT(prior.joint("pair", 0.5), 0);
  EXPECT_LT(prior.joint("pair", 0.5), 0.5);
  EXPECT_LT(prior.joint("pair", 0.1), prior.joint("pair", 0.2));
}

TEST(PriorTest, JointEditsAreBinnedAsScaled) {
  const Prior prior = Prior::parse(row("pair", 1));
  for (int bin = 0; bin < Prior::k_bins; ++bin) {
    EXPECT_DOUBLE_EQ(prior.joint("pair", weight_in(bin) / Prior::k_joint_scale), bin + 1);
  }
}

TEST(PriorTest, BinsAreOctavesAndTheirEndsTakeTheRest) {
  EXPECT_EQ(Prior::bin_of(1), 18);
  EXPECT_EQ(Prior::bin_of(1.99), 18);
  EXPECT_EQ(Prior::bin_of(2), 19);
  EXPECT_EQ(Prior::bin_of(0.99), 17);
  EXPECT_EQ(Prior::bin_of(0), 0);
  EXPECT_EQ(Prior::bin_of(-1), 0);
  EXPECT_EQ(Prior::bin_of(std::numeric_limits<double>::denorm_min()), 0);
  EXPECT_EQ(Prior::bin_of(1e300), Prior::k_bins - 1);
  EXPECT_EQ(Prior::bin_of(std::numeric_limits<double>::max()), Prior::k_bins - 1);
}

TEST(PriorTest, EveryBinHasWeights) {
  for (int bin = 0; bin < Prior::k_bins; ++bin) EXPECT_EQ(Prior::bin_of(weight_in(bin)), bin);
}

TEST(PriorTest, WeightsOfAnySizeGiveNumbers) {
  const Prior prior = Prior::parse(row("a", 1) + row("pair", 1));
  for (const double weight : {0.0, -1.0, 1e-300, 1e300, std::numeric_limits<double>::max()}) {
    EXPECT_TRUE(std::isfinite(prior.probability(form_named("a"), "a", weight))) << weight;
    EXPECT_TRUE(std::isfinite(prior.joint("pair", std::min(weight, 1.0)))) << weight;
  }
}

/// The keys of the table that is built in.
std::set<std::string> learned_keys() {
  std::set<std::string> keys;
  for (const std::string_view line : split_lines(k_prior_text)) {
    const std::size_t colon = line.find(": ");
    if (colon != std::string_view::npos && line[0] != '#') keys.emplace(line.substr(0, colon));
  }
  return keys;
}

constexpr std::string_view k_joints[] = {"everywhere",    "same-edit", "same-line", "pair",
                                         "pair-of-three", "triple",    "group-pair"};

TEST(LearnedPriorTest, KnowsTemplatesOfTheRegistryAndJointEditsOnly) {
  std::set<std::string, std::less<>> known(std::begin(k_joints), std::end(k_joints));
  for (const Template* form : registry()) known.insert(form->id);
  const std::set<std::string> keys = learned_keys();
  EXPECT_GT(keys.size(), registry().size());
  for (const std::string& key : keys) {
    EXPECT_TRUE(known.contains(key.substr(0, key.find('/')))) << key;
  }
}

TEST(LearnedPriorTest, LargerBinsAreNeverWorseAndWithinThemLargerWeightsAreBetter) {
  const Prior& prior = Prior::learned();
  std::size_t rows = 0;
  for (const std::string& key : learned_keys()) {
    for (const Template* form : registry()) {
      if (key.substr(0, key.find('/')) != form->id) continue;
      ++rows;
      double last = 0;
      for (int bin = 0; bin < Prior::k_bins; ++bin) {
        const double now = prior.probability(*form, key, weight_in(bin));
        EXPECT_GE(now, last) << key << " bin " << bin;
        EXPECT_GT(now, 0) << key << " bin " << bin;
        EXPECT_LT(now, 1) << key << " bin " << bin;
        EXPECT_GT(prior.probability(*form, key, weight_in(bin) * 1.3), now) << key << " " << bin;
        last = now;
      }
    }
  }
  EXPECT_GT(rows, registry().size());
}

/// Where neighbouring bins are equal, the end of one is a hundredth above the begin of the next.
TEST(LearnedPriorTest, ALargerWeightCostsAtMostAHundredth) {
  const Prior& prior = Prior::learned();
  for (const Template* form : registry()) {
    double best = 0;
    double weight = 1e-6;
    while (weight < 100) {
      const double now = prior.probability(*form, form->id, weight);
      EXPECT_GE(now * 1.01, best) << form->id << " " << weight;
      best = std::max(best, now);
      weight *= 1.05;
    }
  }
}

TEST(LearnedPriorTest, LargerBinsOfJointEditsAreNeverWorse) {
  for (const std::string_view key : k_joints) {
    double last = 0;
    for (int bin = 0; bin < Prior::k_bins; ++bin) {
      const double now = Prior::learned().joint(key, weight_in(bin) / Prior::k_joint_scale);
      EXPECT_GE(now, last) << key << " bin " << bin;
      last = now;
    }
  }
}

}  // namespace
}  // namespace tenline::templates
