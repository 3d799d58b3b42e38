#include "engine/locate/bm25.h"

#include <gtest/gtest.h>

namespace tenline {
namespace {

TEST(Bm25Test, GivesTheBestDocumentOne) {
  const auto scores =
      bm25({{"split", "grad", "type"}, {"grad", "norm"}, {"read", "file"}}, {"split", "grad"});
  ASSERT_EQ(scores.size(), 3U);
  EXPECT_DOUBLE_EQ(scores[0], 1.0);
  EXPECT_GT(scores[1], 0.0);
  EXPECT_LT(scores[1], 1.0);
  EXPECT_DOUBLE_EQ(scores[2], 0.0);
}

TEST(Bm25Test, PrefersRareWords) {
  const auto scores = bm25({{"step", "bucket"}, {"step", "other"}, {"step", "more"}}, {"bucket"});
  EXPECT_DOUBLE_EQ(scores[0], 1.0);
  EXPECT_DOUBLE_EQ(scores[1], 0.0);
}

TEST(Bm25Test, IsZeroWithoutACommonWord) {
  for (const double score : bm25({{"a"}, {}, {"b"}}, {"c"})) EXPECT_DOUBLE_EQ(score, 0.0);
  EXPECT_TRUE(bm25({}, {"a"}).empty());
  EXPECT_DOUBLE_EQ(bm25({{"a"}}, {}).at(0), 0.0);
}

}  // namespace
}  // namespace tenline
