#include "engine/journal/serialize.h"

#include <gtest/gtest.h>

#include <limits>

#include "engine/base/json.h"
#include "tests/journal/samples.h"

namespace tenline {
namespace {

using testing::sample_reproduction;
using testing::sample_verdict;

TEST(SerializeTest, ReproductionComesBackWhole) {
  const Reproduction before = sample_reproduction();
  const auto after = parse_reproduction(serialize(before));
  ASSERT_TRUE(after);
  EXPECT_EQ(after->reproduced, before.reproduced);
  EXPECT_EQ(after->detail, before.detail);
  EXPECT_EQ(after->output, before.output);
  EXPECT_EQ(after->runs, before.runs);
  EXPECT_EQ(after->seconds, before.seconds);
  EXPECT_EQ(after->cpu_seconds, before.cpu_seconds);
  ASSERT_EQ(after->trace.functions.size(), 1U);
  const ExecutedFunction& function = after->trace.functions[0];
  EXPECT_EQ(function.file, "pkg/launch.py");
  EXPECT_EQ(function.name, "Launcher.run");
  EXPECT_EQ(function.first_line, 10);
  EXPECT_EQ(function.depth, 2);
  EXPECT_EQ(function.calls, 3);
  EXPECT_EQ(function.last_event, 99);
  EXPECT_EQ(function.lines, (std::vector{11, 12, 15}));
  ASSERT_NE(after->trace.main_exception(), nullptr);
  const FailureException& exception = *after->trace.main_exception();
  EXPECT_EQ(exception.type, "TypeError");
  EXPECT_EQ(exception.message, "'NoneType' object is not iterable\nsecond line");
  ASSERT_EQ(exception.frames.size(), 1U);
  EXPECT_EQ(exception.frames[0].line, 12);
  EXPECT_EQ(exception.frames[0].function, "Launcher.run");
  ASSERT_EQ(exception.frames[0].values.size(), 2U);
  EXPECT_EQ(exception.frames[0].values.at("hosts").type, "NoneType");
  EXPECT_EQ(exception.frames[0].values.at("self.name").length, 2);
  EXPECT_EQ(exception.frames[0].values.at("self.name").repr, "'ö\"'");
  EXPECT_EQ(after->trace.files, before.trace.files);
}

TEST(SerializeTest, VerdictComesBackWhole) {
  const Verdict before = sample_verdict();
  const auto after = parse_verdict(serialize(before));
  ASSERT_TRUE(after);
  EXPECT_EQ(after->outcome, before.outcome);
  EXPECT_EQ(after->level, before.level);
  EXPECT_EQ(after->detail, before.detail);
  EXPECT_EQ(after->seconds, before.seconds);
  EXPECT_EQ(after->cpu_seconds, before.cpu_seconds);
  EXPECT_EQ(after->runs, before.runs);
  EXPECT_EQ(after->checked, before.checked);
  EXPECT_EQ(after->not_checked, before.not_checked);
}

TEST(SerializeTest, EveryEnumeratorComesBack) {
  for (const Outcome outcome :
       {Outcome::passes, Outcome::fails, Outcome::does_not_parse, Outcome::timed_out,
        Outcome::limit, Outcome::breaks_tests, Outcome::infrastructure}) {
    for (const Level level : {Level::none, Level::e0, Level::e1, Level::e2, Level::e3, Level::e4}) {
      Verdict before;
      before.outcome = outcome;
      before.level = level;
      const auto after = parse_verdict(serialize(before));
      ASSERT_TRUE(after);
      EXPECT_EQ(after->outcome, outcome);
      EXPECT_EQ(after->level, level);
    }
  }
  for (const Reproduced reproduced :
       {Reproduced::yes, Reproduced::already_fixed, Reproduced::flaky, Reproduced::not_reproducible,
        Reproduced::needs_gpus, Reproduced::environment}) {
    Reproduction before;
    before.reproduced = reproduced;
    const auto after = parse_reproduction(serialize(before));
    ASSERT_TRUE(after);
    EXPECT_EQ(after->reproduced, reproduced);
  }
}

TEST(SerializeTest, BytesThatAreNotTextBecomeReplacementsThatStayThemselves) {
  Verdict verdict;
  verdict.detail = std::string(
      "a\xff\xfe"
      "b\0c",
      6);
  const auto once = parse_verdict(serialize(verdict));
  ASSERT_TRUE(once);
  EXPECT_NE(once->detail.find("\xef\xbf\xbd"), std::string::npos);
  const auto twice = parse_verdict(serialize(*once));
  ASSERT_TRUE(twice);
  EXPECT_EQ(twice->detail, once->detail);
}

TEST(SerializeTest, NumbersThatAreNotFiniteBecomeZero) {
  for (const double bad :
       {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()}) {
    Verdict before;
    before.seconds = bad;
    const auto after = parse_verdict(serialize(before));
    ASSERT_TRUE(after);
    EXPECT_EQ(after->seconds, 0);
  }
}

TEST(SerializeTest, DamagedTextIsAbsent) {
  const Json good = *parse_json(serialize(sample_verdict()));
  const auto with = [&](const char* key, const Json& value) {
    Json changed = good;
    changed[key] = value;
    return to_text(changed);
  };
  const auto without = [&](const char* key) {
    Json changed = good;
    changed.erase(key);
    return to_text(changed);
  };
  ASSERT_TRUE(parse_verdict(to_text(good)));
  const std::string bad[] = {
      "",
      "null",
      "[]",
      "{}",
      "{\"format\": 1}",
      "not json",
      std::string(100'000, '['),
      to_text(good).substr(0, 40),
      with("format", 2),
      with("format", "1"),
      without("format"),
      with("outcome", "wins"),
      with("outcome", 0),
      with("level", "E9"),
      without("level"),
      with("detail", 3),
      with("seconds", "1"),
      with("seconds", nullptr),
      with("runs", 1.5),
      with("runs", 3'000'000'000),
      with("runs", -3'000'000'000),
      with("runs", std::numeric_limits<std::uint64_t>::max()),
      with("runs", true),
      with("checked", "x"),
      with("checked", Json::array({1})),
      with("not_checked", Json::object()),
  };
  for (const std::string& text : bad) {
    EXPECT_FALSE(parse_verdict(text)) << text.substr(0, 200);
    EXPECT_FALSE(parse_reproduction(text)) << text.substr(0, 200);
  }
  EXPECT_FALSE(parse_reproduction(serialize(sample_verdict())));
  EXPECT_FALSE(parse_verdict(serialize(sample_reproduction())));
}

TEST(SerializeTest, EveryTruncationOfAReproductionIsAbsent) {
  const std::string text = serialize(sample_reproduction());
  for (std::size_t size = 0; size < text.size(); ++size) {
    EXPECT_FALSE(parse_reproduction(std::string_view(text).substr(0, size))) << size;
  }
}

TEST(SerializeTest, FieldsOfALaterVersionAreIgnored) {
  Json later = *parse_json(serialize(sample_verdict()));
  later["device"] = "H100";
  EXPECT_TRUE(parse_verdict(to_text(later)));
}

}  // namespace
}  // namespace tenline
