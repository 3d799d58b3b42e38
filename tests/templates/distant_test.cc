#include "templates/distant.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace tenline::templates {
namespace {

/// A file, another one of its repository, and what fits in the place of an expression of the first.
class Place {
 public:
  Place(const std::string& own, const std::string& other)
      : tree_(Tree::parse(Language::python, own)) {
    index_.add("a.py", tree_);
    index_.add("b.py", Tree::parse(Language::python, other));
  }

  [[nodiscard]] std::vector<std::string> fitting(std::string_view expression,
                                                 const std::unordered_set<std::string_view>& scope,
                                                 std::size_t most = 100) const {
    Node place;
    tree_.root().walk([&](const Node& node) {
      if (place.null() && node.named() && node.text() == expression) place = node;
      return place.null();
    });
    EXPECT_FALSE(place.null());
    const DistantValues values(tree_, index_);
    std::vector<std::string> texts;
    for (const DistantValues::Fit& fit : values.fitting(place, scope, most)) {
      texts.push_back(fit.value->text);
    }
    return texts;
  }

 private:
  Tree tree_;
  PythonIndex index_;
};

using Texts = std::vector<std::string>;

TEST(DistantValuesTest, GivesWhatOtherFilesReadOfTheSameObject) {
  const Place place("def f(args):\n    width = 1\n    return args.depth\n",
                    "def g(args):\n    return args.depth, args.num_widths, args.size(key)\n");
  EXPECT_EQ(place.fitting("1", {"args"}), Texts{"args.num_widths"})
      << "args.depth is in the file, args.size needs a name";
}

TEST(DistantValuesTest, LikeWordsAndManyUsesComeFirst) {
  const Place place("def f(args):\n    width = 1\n    args.go(1)\n",
                    "a = args.height, args.height, args.height, args.low, args.max_width\n");
  const Texts texts = place.fitting("1", {"args"});
  ASSERT_GE(texts.size(), 3U);
  EXPECT_EQ(Texts(texts.begin(), texts.begin() + 2), (Texts{"args.max_width", "args.height"}));
  EXPECT_EQ(place.fitting("1", {"args"}, 1), Texts{"args.max_width"});
}

TEST(DistantValuesTest, TheObjectMustBeInScope) {
  const Place place("import lib\n\ndef f(x):\n    return x\n",
                    "a = lib.cuda.device()\nb = x.value\nc = self.other\n");
  EXPECT_TRUE(place.fitting("x", {"y"}).empty());
  EXPECT_EQ(place.fitting("x", {"x"}), Texts{"x.value"});
}

TEST(DistantValuesTest, DottedObjectsCountAndSelfDoesNot) {
  const Place place("def f(self, lib):\n    return lib.cuda.go(self)\n",
                    "a = lib.cuda.device()\nb = self.other\n");
  const Texts texts = place.fitting("lib.cuda", {"lib", "self"});
  EXPECT_EQ(std::ranges::count(texts, "lib.cuda.device()"), 1);
  EXPECT_EQ(std::ranges::count(texts, "self.other"), 0);
}

}  // namespace
}  // namespace tenline::templates
