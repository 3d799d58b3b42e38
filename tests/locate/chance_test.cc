#include "engine/locate/chance.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace tenline {
namespace {

TEST(ChanceTest, GrowsWithEachReasonButStaysBelowOne) {
  Chance chance;
  EXPECT_DOUBLE_EQ(chance.value(), 0.0);
  chance.add(0.5, "a");
  EXPECT_DOUBLE_EQ(chance.value(), 0.5);
  chance.add(0.5, "b");
  EXPECT_DOUBLE_EQ(chance.value(), 0.75);
  for (int i = 0; i < 5; ++i) chance.add(2.0, "sure");
  EXPECT_LE(chance.value(), 1.0);
  chance.add(-1.0, "never");
  EXPECT_EQ(chance.reasons(), (std::vector<std::string>{"sure", "a", "b"}));
}

TEST(ChanceTest, JoinsAShareWithItsReasons) {
  Chance function;
  function.add(0.4, "named");
  function.add(0.5, "");
  Chance line;
  line.add(0.3, "raised");
  line.join(function, 0.5);
  EXPECT_DOUBLE_EQ(line.value(), 1 - 0.7 * (1 - 0.5 * function.value()));
  EXPECT_EQ(line.reasons(), (std::vector<std::string>{"raised", "named"}));
}

TEST(ChanceTest, KeepsTheStrongestReasons) {
  Chance chance;
  for (const double c : {0.1, 0.2, 0.3, 0.4, 0.5}) chance.add(c, std::to_string(c).substr(0, 3));
  EXPECT_EQ(chance.reasons(), (std::vector<std::string>{"0.5", "0.4", "0.3", "0.2"}));
}

}  // namespace
}  // namespace tenline
