// Golden cases: tests/golden/<language>/<template>/<case>/before.py, with after-1.py, after-2.py
// ... for the first proposals in their order, and among-1.py ... for some behind them; none of
// these means that the template must not fire. Lines with the comment "# here" are the places;
// without any, every line is one. `case.json` may give the failure: {"exception", "message",
// "values": {"x": "NoneType"}, "issue"}. TENLINE_UPDATE_GOLDEN=1 writes the first two proposals;
// review the difference.

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "engine/base/json.h"
#include "engine/base/text.h"
#include "templates/context.h"
#include "templates/proposer.h"

namespace tenline::templates {
namespace {

namespace fs = std::filesystem;

const fs::path k_golden = fs::path(TENLINE_SOURCE_DIR) / "tests" / "golden" / "python";

std::string read_text(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  std::stringstream text;
  text << in.rdbuf();
  return text.str();
}

std::vector<fs::path> folders(const fs::path& parent) {
  std::vector<fs::path> found;
  if (!fs::exists(parent)) return found;
  for (const auto& entry : fs::directory_iterator(parent)) {
    if (entry.is_directory()) found.push_back(entry.path());
  }
  std::sort(found.begin(), found.end());
  return found;
}

const Template* find_template(const std::string& id) {
  for (const Template* form : registry()) {
    if (form->id == id) return form;
  }
  return nullptr;
}

/// The proposals of one template for a case, as whole new texts, best first.
std::vector<std::string> proposals(const Template& form, const fs::path& folder) {
  const std::string file = "pkg/before.py";
  const Tree tree = Tree::parse(Language::python, read_text(folder / "before.py"));
  Json facts = Json::object();
  if (fs::exists(folder / "case.json")) facts = Json::parse(read_text(folder / "case.json"));

  std::vector<Location> locations;
  const std::vector<std::string_view> lines = split_lines(tree.source());
  const bool marked = tree.source().find("# here") != std::string::npos;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    if (marked && lines[i].find("# here") == std::string_view::npos) continue;
    locations.push_back({file, static_cast<int>(i) + 1, "", 1.0, {}});
  }
  BugReport report;
  report.names = facts.value("issue_names", std::vector<std::string>{});
  report.literals = facts.value("issue_literals", std::vector<std::string>{});
  FailureTrace trace;
  if (facts.contains("exception")) {
    FailureFrame frame{file, locations.front().line, "", {}};
    const std::map<std::string, std::string> types =
        facts.value("values", std::map<std::string, std::string>{});
    for (const auto& [name, type] : types) frame.values[name] = {type, -1, ""};
    trace.exceptions.push_back(
        {facts.value("exception", ""), facts.value("message", ""), {frame}, true});
  }
  PythonIndex index;
  index.add(file, tree);
  for (const auto& entry : fs::directory_iterator(folder)) {
    if (entry.path().filename().string().starts_with("other")) {
      index.add("pkg/" + entry.path().filename().string(),
                Tree::parse(Language::python, read_text(entry.path())));
    }
  }
  const Symptom symptom = read_symptom(report, trace);
  const Context context({file, tree, report, trace, index, symptom, locations});
  std::vector<std::string> texts;
  for (const Candidate& candidate : propose_in_file(context, {&form}, 10)) {
    const Result<std::string> text =
        apply_edits(tree.source(), std::span<const Edit>(candidate.edits));
    EXPECT_TRUE(text) << candidate.summary;
    if (text) texts.push_back(*text);
    EXPECT_LE(candidate.changed_lines, 10);
    EXPECT_FALSE(candidate.summary.empty());
  }
  return texts;
}

TEST(GoldenTest, EveryCaseGivesItsProposals) {
  const bool update = std::getenv("TENLINE_UPDATE_GOLDEN") != nullptr;
  int cases = 0;
  for (const fs::path& folder : folders(k_golden)) {
    const Template* form = find_template(folder.filename().string());
    ASSERT_NE(form, nullptr) << folder << " names no template";
    for (const fs::path& one : folders(folder)) {
      SCOPED_TRACE(one.string());
      const std::vector<std::string> found = proposals(*form, one);
      ++cases;
      if (update) {
        for (std::size_t i = 0; i < std::min<std::size_t>(2, found.size()); ++i) {
          std::ofstream(one / fmt::format("after-{}.py", i + 1), std::ios::binary) << found[i];
        }
      }
      std::size_t expected = 0;
      while (fs::exists(one / fmt::format("after-{}.py", expected + 1))) {
        const std::string after = read_text(one / fmt::format("after-{}.py", ++expected));
        ASSERT_GE(found.size(), expected) << "too few proposals";
        EXPECT_EQ(found[expected - 1], after);
      }
      std::size_t among = 0;
      while (fs::exists(one / fmt::format("among-{}.py", among + 1))) {
        const std::string text = read_text(one / fmt::format("among-{}.py", ++among));
        EXPECT_NE(std::find(found.begin(), found.end(), text), found.end()) << text;
      }
      if (expected + among == 0) {
        EXPECT_TRUE(found.empty()) << "must not fire, but gives:\n" << found.front();
      }
    }
  }
  EXPECT_GT(cases, 0);
}

TEST(GoldenTest, EveryTemplateHasAFiringAndASilentCase) {
  for (const Template* form : registry()) {
    bool fires = false;
    bool silent = false;
    for (const fs::path& one : folders(k_golden / form->id)) {
      const bool has_after = fs::exists(one / "after-1.py");
      fires = fires || has_after;
      silent = silent || !has_after;
    }
    EXPECT_TRUE(fires) << form->id << " has no case that fires";
    EXPECT_TRUE(silent) << form->id << " has no case that must not fire";
  }
}

}  // namespace
}  // namespace tenline::templates
