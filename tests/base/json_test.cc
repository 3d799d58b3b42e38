#include "engine/base/json.h"

#include <gtest/gtest.h>

namespace tenline {
namespace {

TEST(ParseJsonTest, ReadsADocument) {
  EXPECT_EQ(parse_json(R"({"a": [1, "x", null]})").value()["a"][1], "x");
}

TEST(ParseJsonTest, RefusesWhatIsNotJson) {
  for (const std::string_view text : {"", "{", "{} x", "{'a': 1}", "[1,]", "\xff", "nul"}) {
    const Result<Json> parsed = parse_json(text);
    ASSERT_FALSE(parsed) << text;
    EXPECT_EQ(parsed.error().code, ErrorCode::invalid_input);
  }
}

TEST(ParseJsonTest, RefusesTooManyBytes) {
  EXPECT_EQ(parse_json("[1, 2, 3]", 8).error().code, ErrorCode::limit);
  EXPECT_TRUE(parse_json("[1, 2, 3]", 9));
}

TEST(ParseJsonTest, RefusesDeepNesting) {
  const auto nested = [](std::size_t depth) {
    return std::string(depth, '[') + std::string(depth, ']');
  };
  EXPECT_TRUE(parse_json(nested(60)));
  EXPECT_EQ(parse_json(nested(100)).error().code, ErrorCode::limit);
  EXPECT_FALSE(parse_json(nested(200'000)));
  EXPECT_FALSE(parse_json(std::string(200'000, '[')));
}

TEST(JsonTextTest, ReplacesBytesThatAreNotUtf8) {
  EXPECT_EQ(to_text(Json("a\xff"
                         "b")),
            "\"a\xEF\xBF\xBD"
            "b\"");
}

}  // namespace
}  // namespace tenline
