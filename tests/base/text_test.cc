#include "engine/base/text.h"

#include <gtest/gtest.h>

namespace tenline {
namespace {

using Views = std::vector<std::string_view>;
using Strings = std::vector<std::string>;

TEST(SplitLinesTest, TakesBothKindsOfLineEnds) {
  EXPECT_EQ(split_lines(""), Views{});
  EXPECT_EQ(split_lines("a"), Views{"a"});
  EXPECT_EQ(split_lines("a\n"), Views{"a"});
  EXPECT_EQ(split_lines("a\r\n\nb"), (Views{"a", "", "b"}));
  EXPECT_EQ(split_lines("a\rb\n"), Views{"a\rb"});
}

TEST(SplitTest, KeepsEmptyParts) {
  EXPECT_EQ(split("", ','), Views{""});
  EXPECT_EQ(split(",a,", ','), (Views{"", "a", ""}));
}

TEST(TrimTest, RemovesBlanksAtBothEnds) {
  EXPECT_EQ(trim(" \t a b \r\n"), "a b");
  EXPECT_EQ(trim(" \n "), "");
}

TEST(Utf8Test, KnowsWhatIsValid) {
  for (const std::string_view text :
       {"", "abc", "\xC3\xA9", "\xE2\x82\xAC", "\xF0\x9F\x98\x80", "\xF4\x8F\xBF\xBF"}) {
    EXPECT_TRUE(is_valid_utf8(text)) << text;
    EXPECT_EQ(to_valid_utf8(text), text);
  }
  for (const std::string_view text : {"\x80", "\xC0\x80", "\xC3", "\xE0\x80\x80", "\xED\xA0\x80",
                                      "\xF4\x90\x80\x80", "\xFF", "\xF0\x9F\x98"}) {
    EXPECT_FALSE(is_valid_utf8(text));
    EXPECT_TRUE(is_valid_utf8(to_valid_utf8(text)));
  }
}

TEST(Utf8Test, ReplacesEachBadByteAndNul) {
  EXPECT_EQ(to_valid_utf8("a\xFF\xFE"
                          "b"),
            "a\xEF\xBF\xBD\xEF\xBF\xBD"
            "b");
  EXPECT_EQ(to_valid_utf8(std::string_view("a\0b", 3)),
            "a\xEF\xBF\xBD"
            "b");
}

TEST(IdentifierWordsTest, SplitsCamelAndSnakeCase) {
  EXPECT_EQ(identifier_words("getHTTPCode_v2"), (Strings{"get", "http", "code", "v2"}));
  EXPECT_EQ(identifier_words("__init__"), Strings{"init"});
  EXPECT_EQ(identifier_words("ZeROStage"), (Strings{"ze", "ro", "stage"}));
  EXPECT_EQ(identifier_words("___"), Strings{});
}

TEST(EditDistanceTest, CountsEditsAndSwaps) {
  EXPECT_EQ(edit_distance("", "abc"), 3U);
  EXPECT_EQ(edit_distance("rank", "rank"), 0U);
  EXPECT_EQ(edit_distance("rank", "ranks"), 1U);
  EXPECT_EQ(edit_distance("rank", "rnak"), 1U);
  EXPECT_EQ(edit_distance("kitten", "sitting"), 3U);
}

TEST(NameSimilarityTest, IsSymmetricAndBetweenZeroAndOne) {
  const Strings names = {
      "", "a", "rank", "world_size", "size_world", "get_rank", std::string(500, 'x')};
  for (const std::string& a : names) {
    EXPECT_EQ(name_similarity(a, a), 1.0);
    for (const std::string& b : names) {
      EXPECT_EQ(name_similarity(a, b), name_similarity(b, a));
      EXPECT_GE(name_similarity(a, b), 0.0);
      EXPECT_LE(name_similarity(a, b), 1.0);
    }
  }
  EXPECT_GT(name_similarity("dp_world_size", "mp_world_size"),
            name_similarity("dp_world_size", "optimizer"));
  EXPECT_GT(name_similarity("size_of_world", "world_size"), 0.5);
}

TEST(DigestTest, IsStableAndTellsTextsApart) {
  EXPECT_EQ(digest("abc").size(), 32U);
  EXPECT_EQ(digest("abc"), digest("abc"));
  EXPECT_NE(digest("abc"), digest("acb"));
  EXPECT_NE(digest(""), digest(std::string_view("\0", 1)));
  EXPECT_EQ(digest("abc").find_first_not_of("0123456789abcdef"), std::string::npos);
}

TEST(TailTest, CutsAtALineWherePossible) {
  EXPECT_EQ(tail("short", 10), "short");
  EXPECT_EQ(tail("first\nsecond\nthird", 10), "third");
  EXPECT_EQ(tail("abcdefghij", 4), "ghij");
  EXPECT_EQ(tail("abc\n", 2), "c\n");
  EXPECT_EQ(tail("abc", 0), "");
}

TEST(IsIdentifierTest, TakesAsciiNamesOnly) {
  for (const std::string_view text : {"a", "_", "A1_b"}) EXPECT_TRUE(is_identifier(text)) << text;
  for (const std::string_view text : {"", "1a", "a-b", "a b", "\xC3\xA9"}) {
    EXPECT_FALSE(is_identifier(text)) << text;
  }
}

TEST(ModuleNameTest, FollowsThePath) {
  EXPECT_EQ(module_name("a/b.py"), "a.b");
  EXPECT_EQ(module_name("a/b/__init__.py"), "a.b");
  EXPECT_EQ(module_name("src/a/b.py"), "a.b");
  EXPECT_EQ(module_name("setup.py"), "setup");
  for (const std::string_view path : {"a/b.cpp", "a-b/c.py", "a/1.py", ".py", "", "a//b.py"}) {
    EXPECT_EQ(module_name(path), "") << path;
  }
}

}  // namespace
}  // namespace tenline
