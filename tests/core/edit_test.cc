#include "engine/core/edit.h"

#include <gtest/gtest.h>

#include "engine/core/candidate.h"

namespace tenline {
namespace {

Edit edit(std::size_t begin, std::size_t end, std::string text) {
  return {"x.py", {begin, end}, std::move(text)};
}

TEST(ApplyEditsTest, ReplacesInsertsAndDeletesAtOnce) {
  const std::vector<Edit> edits = {edit(8, 9, ""), edit(0, 3, "one"), edit(4, 4, "+")};
  EXPECT_EQ(apply_edits("abc def ghi", edits).value(), "one +def hi");
}

TEST(ApplyEditsTest, NoEditsLeaveTheTextAsItWas) {
  EXPECT_EQ(apply_edits("a\r\nb", {}).value(), "a\r\nb");
  EXPECT_EQ(apply_edits("", {}).value(), "");
}

TEST(ApplyEditsTest, InsertionsAtOnePlaceKeepTheirOrder) {
  const std::vector<Edit> edits = {edit(1, 1, "1"), edit(1, 1, "2"), edit(2, 2, "3")};
  EXPECT_EQ(apply_edits("ab", edits).value(), "a12b3");
}

TEST(ApplyEditsTest, TouchingEditsDoNotOverlap) {
  const std::vector<Edit> edits = {edit(2, 4, "y"), edit(0, 2, "x")};
  EXPECT_EQ(apply_edits("abcd", edits).value(), "xy");
}

TEST(ApplyEditsTest, RefusesOverlapAndRangesOutsideTheText) {
  EXPECT_FALSE(apply_edits("abcd", std::vector{edit(0, 2, ""), edit(1, 3, "")}));
  EXPECT_FALSE(apply_edits("abcd", std::vector{edit(0, 5, "")}));
  EXPECT_FALSE(apply_edits("abcd", std::vector{edit(3, 2, "")}));
  const Result<std::string> outside = apply_edits("abcd", std::vector{edit(9, 9, "x")});
  ASSERT_FALSE(outside);
  EXPECT_EQ(outside.error().code, ErrorCode::invalid_input);
  EXPECT_NE(outside.error().message.find("x.py"), std::string::npos);
}

TEST(ChangedLinesTest, CountsAddedAndRemovedLinesOfTwoTexts) {
  struct {
    std::string_view before, after;
    int expected;
  } cases[] = {
      {"a\nb\nc\n", "a\nb\nc\n", 0},
      {"a\nb\nc\n", "a\nB\nc\n", 2},
      {"a\nc\n", "a\nb\nc\n", 1},
      {"a\nb\nc\n", "a\nc\n", 1},
      {"", "a\nb\n", 2},
      {"a\na\n", "a\na\na\n", 1},
  };
  for (const auto& c : cases) {
    EXPECT_EQ(changed_lines(c.before, c.after), c.expected) << c.before << "->" << c.after;
  }
}

TEST(ChangedLinesTest, CountsDistantEditsByThemselves) {
  const std::string source = "a\nb\nc\nd\ne\nf\n";
  const std::vector<Edit> far = {edit(0, 1, "A"), edit(10, 11, "F")};
  EXPECT_EQ(changed_lines(source, far), 4);
  const std::vector<Edit> same_line = {edit(0, 0, "x"), edit(1, 1, "y")};
  EXPECT_EQ(changed_lines(source, same_line), 2);
  EXPECT_EQ(changed_lines(source, std::vector{edit(2, 2, "new\n")}), 1);
}

TEST(CandidateTextsTest, AppliesTheEditsOfEachFile) {
  Candidate candidate;
  candidate.edits = {{"a.py", {0, 1}, "A"}, {"b.py", {0, 0}, "B"}, {"a.py", {2, 3}, "C"}};
  const auto read = [](const std::string& path) -> Result<std::string> {
    if (path == "a.py") return "a c";
    if (path == "b.py") return "b";
    return fail(ErrorCode::not_found, path);
  };
  EXPECT_EQ(candidate_texts(candidate, read).value(), (FileTexts{{"a.py", "A C"}, {"b.py", "Bb"}}));
  candidate.edits.push_back({"c.py", {0, 0}, ""});
  EXPECT_EQ(candidate_texts(candidate, read).error().code, ErrorCode::not_found);
}

}  // namespace
}  // namespace tenline
