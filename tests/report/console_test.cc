// The console reports are golden files: TENLINE_UPDATE_GOLDEN=1 writes them, the diff is reviewed.

#include "engine/report/console.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <sstream>

#include "tests/report/sample_reports.h"

namespace tenline {
namespace {

using namespace tenline::testing;

TEST(ConsoleTest, ReportsAreTheGoldenOnes) {
  for (const auto& [name, report] : all_reports()) {
    const std::string path =
        std::string(TENLINE_SOURCE_DIR) + "/tests/report/golden/" + name + ".txt";
    const std::string text = console_report(report, Colour::off);
    if (std::getenv("TENLINE_UPDATE_GOLDEN") != nullptr) std::ofstream(path) << text;
    std::ifstream in(path);
    EXPECT_EQ(text, (std::ostringstream() << in.rdbuf()).str()) << name;
  }
}

TEST(ConsoleTest, ColourIsOnlyAddedEscapes) {
  const std::string coloured = console_report(patched_report(), Colour::on);
  EXPECT_NE(coloured.find("\x1b[31m-\tfor host in hosts:\x1b[0m\n"), std::string::npos);
  EXPECT_NE(coloured.find("\x1b[32m+\tfor host in hosts or []:\x1b[0m\n"), std::string::npos);
  EXPECT_NE(coloured.find("\x1b[1m--- a/pkg/launch.py\x1b[0m\n"), std::string::npos);
  std::string plain;
  for (std::size_t i = 0; i < coloured.size(); ++i) {
    if (coloured[i] == '\x1b') {
      i = coloured.find('m', i);
    } else {
      plain += coloured[i];
    }
  }
  EXPECT_EQ(plain, console_report(patched_report(), Colour::off));
}

TEST(ConsoleTest, HostileTextNeverReachesTheTerminalRaw) {
  for (const RepairEnd end : {RepairEnd::patched, RepairEnd::no_patch, RepairEnd::budget}) {
    const std::string text = console_report(hostile_report(end), Colour::off);
    for (const char c : text) {
      const auto byte = static_cast<unsigned char>(c);
      EXPECT_TRUE(c == '\n' || c == '\t' || (byte >= 0x20 && byte != 0x7f));
    }
    // NOLINTNEXTLINE(misc-misleading-bidirectional): the mark that must not come through.
    EXPECT_EQ(text.find("\xe2\x80\xae"), std::string::npos);
    EXPECT_EQ(text.find("\xc2\x9b"), std::string::npos);
    EXPECT_NE(text.find("\\x1b]0;owned\\x07"), std::string::npos);
  }
}

TEST(ConsoleTest, ColouredHostileTextHasOnlyOurEscapes) {
  const std::string text = console_report(hostile_report(RepairEnd::patched), Colour::on);
  for (std::size_t at = text.find('\x1b'); at != std::string::npos;
       at = text.find('\x1b', at + 1)) {
    const std::string_view escape = std::string_view(text).substr(at, text.find('m', at) - at + 1);
    const bool ours = escape == "\x1b[0m" || escape == "\x1b[1m" || escape == "\x1b[31m" ||
                      escape == "\x1b[32m" || escape == "\x1b[36m";
    EXPECT_TRUE(ours);
  }
}

TEST(ConsoleTest, AHugeDiffIsCut) {
  RunReport report = patched_report();
  // NOLINTNEXTLINE(bugprone-string-constructor): it is meant to be huge.
  report.diffs[0] = "+" + std::string(20'000'000, 'x') + "\n";
  for (int i = 0; i < 10'000; ++i) report.diffs[0] += "+y\n";
  const std::string text = console_report(report, Colour::on);
  EXPECT_LT(text.size(), 20'000U);
  EXPECT_NE(text.find("the rest is in the patch file"), std::string::npos);
}

TEST(ConsoleTest, AnEmptyReportIsNoCrash) {
  EXPECT_FALSE(console_report(RunReport{}, Colour::off).empty());
  RunReport patched;
  patched.result.end = RepairEnd::patched;
  EXPECT_NE(console_report(patched, Colour::off).find("0 patches"), std::string::npos);
}

}  // namespace
}  // namespace tenline
