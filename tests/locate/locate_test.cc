#include "engine/locate/locate.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <ctime>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace tenline {
namespace {

const std::string k_engine =
    "import math\n"                                    // 1
    "LIMITS = {'bucket_size': 5}\n"                    // 2
    "\n"                                               // 3
    "class Engine:\n"                                  // 4
    "    def __init__(self, model, last_epoch=-1):\n"  // 5
    "        self.model = model\n"                     // 6
    "        self.epoch = 0\n"                         // 7
    "\n"                                               // 8
    "    def step(self, grads):\n"                     // 9
    "        scale = self.scale_of(grads)\n"           // 10
    "        total = sum(\n"                           // 11
    "            g.norm()\n"                           // 12
    "            for g in grads)\n"                    // 13
    "        return total * scale\n"                   // 14
    "\n"                                               // 15
    "    def scale_of(self, grads):\n"                 // 16
    "        if len(grads) > 3:\n"                     // 17
    "            raise ValueError('too many')\n"       // 18
    "        return 1\n"                               // 19
    "\n"                                               // 20
    "    def is_empty(self):\n"                        // 21
    "        return len(self.model) > 0\n"             // 22
    "\n"                                               // 23
    "def prepare(names, path):\n"                      // 24
    "    rest = [n for n in names if n]\n"             // 25
    "    return rest\n";                               // 26

class Repository {
 public:
  std::map<std::string, std::string> texts = {{"pkg/engine.py", k_engine}};

  [[nodiscard]] FusedLocator locator() const {
    std::vector<std::string> files;
    files.reserve(texts.size());
    for (const auto& [path, text] : texts) files.push_back(path);
    return {files, [this](const std::string& path) -> Result<std::string> {
              const auto found = texts.find(path);
              if (found == texts.end()) return fail(ErrorCode::not_found, "no such file");
              return found->second;
            }};
  }
};

ExecutedFunction executed(std::string name, int first_line, int depth, int last_event,
                          std::vector<int> lines) {
  ExecutedFunction function;
  function.file = "pkg/engine.py";
  function.name = std::move(name);
  function.first_line = first_line;
  function.depth = depth;
  function.calls = 1;
  function.last_event = last_event;
  function.lines = std::move(lines);
  return function;
}

FailureException raised(std::string type, const std::vector<std::pair<int, std::string>>& frames) {
  FailureException exception;
  exception.type = std::move(type);
  exception.escaped = true;
  for (const auto& [line, function] : frames) {
    FailureFrame frame;
    frame.file = "pkg/engine.py";
    frame.line = line;
    frame.function = function;
    exception.frames.push_back(std::move(frame));
  }
  return exception;
}

std::size_t rank_of(const std::vector<Location>& locations, int line) {
  const auto found = std::find_if(locations.begin(), locations.end(),
                                  [&](const Location& l) { return l.line == line; });
  return static_cast<std::size_t>(found - locations.begin());
}

bool has_reason(const Location& location, const std::string& part) {
  return std::any_of(location.reasons.begin(), location.reasons.end(),
                     [&](const auto& reason) { return reason.find(part) != std::string::npos; });
}

FailureTrace failing_step() {
  FailureTrace trace;
  trace.functions = {executed("<module>", 1, 1, 5, {1, 2, 4, 24}),
                     executed("Engine.__init__", 5, 1, 8, {6, 7}),
                     executed("Engine.step", 9, 1, 14, {10, 11, 13}),
                     executed("Engine.step.<locals>.<genexpr>", 11, 2, 13, {12, 13}),
                     executed("Engine.scale_of", 16, 2, 11, {17, 19})};
  trace.exceptions = {
      raised("AttributeError", {{11, "Engine.step"}, {12, "Engine.step.<locals>.<genexpr>"}})};
  return trace;
}

TEST(LocateTest, PutsTheFailingStatementFirst) {
  const Repository repository;
  const auto locations = repository.locator().locate(BugReport{}, failing_step());
  ASSERT_FALSE(locations.empty());
  EXPECT_EQ(locations[0].file, "pkg/engine.py");
  EXPECT_EQ(locations[0].line, 11);  // The statement's first line, not line 12.
  EXPECT_EQ(locations[0].function, "Engine.step");
  EXPECT_TRUE(has_reason(locations[0], "raised here: AttributeError"));
  for (const Location& location : locations) {
    EXPECT_GT(location.score, 0.0);
    EXPECT_LE(location.score, 1.0);
    EXPECT_FALSE(location.reasons.empty());
  }
}

TEST(LocateTest, RanksLinesThatDidNotRunBelowThoseThatDid) {
  const Repository repository;
  const auto locations = repository.locator().locate(BugReport{}, failing_step());
  EXPECT_LT(rank_of(locations, 10), rank_of(locations, 14));
  EXPECT_LT(rank_of(locations, 17), rank_of(locations, 18));
}

TEST(LocateTest, BlamesTheGuardMoreThanTheRaise) {
  const Repository repository;
  FailureTrace trace;
  trace.functions = {executed("Engine.step", 9, 1, 3, {10}),
                     executed("Engine.scale_of", 16, 2, 5, {17, 18})};
  trace.exceptions = {raised("ValueError", {{10, "Engine.step"}, {18, "Engine.scale_of"}})};
  const auto locations = repository.locator().locate(BugReport{}, trace);
  ASSERT_GE(locations.size(), 3U);
  EXPECT_EQ(locations[0].line, 17);
  EXPECT_EQ(locations[1].line, 18);
  EXPECT_LT(rank_of(locations, 10), 4U);  // The caller.
}

TEST(LocateTest, BlamesTheIfOfAnElseThatRaises) {
  Repository repository;
  repository.texts["pkg/engine.py"] =
      "def f(a):\n"
      "    if a:\n"
      "        if a > 1:\n"
      "            return 1\n"
      "    else:\n"
      "        raise ValueError(a)\n";
  FailureTrace trace;
  trace.functions = {executed("f", 1, 1, 3, {2, 6})};
  trace.exceptions = {raised("ValueError", {{6, "f"}})};
  const auto locations = repository.locator().locate(BugReport{}, trace);
  ASSERT_FALSE(locations.empty());
  EXPECT_EQ(locations[0].line, 2);
}

TEST(LocateTest, BlamesWhatSetsTheAttributeOfTheFailingLine) {
  Repository repository;
  repository.texts["pkg/engine.py"] =
      "class Coordinator:\n"
      "    def __init__(self, env):\n"
      "        self.rank = env['RANK']\n"
      "        self.size = env['SIZE']\n"
      "    def check(self):\n"
      "        return self.rank > 0\n";
  FailureTrace trace;
  trace.functions = {executed("Coordinator.__init__", 2, 1, 2, {3, 4}),
                     executed("Coordinator.check", 5, 1, 3, {6})};
  trace.exceptions = {raised("TypeError", {{6, "Coordinator.check"}})};
  const auto locations = repository.locator().locate(BugReport{}, trace);
  ASSERT_GE(locations.size(), 2U);
  EXPECT_EQ(locations[0].line, 6);
  EXPECT_LT(rank_of(locations, 3), rank_of(locations, 4));
  EXPECT_TRUE(has_reason(locations[rank_of(locations, 3)], "sets `self.rank`"));
}

TEST(LocateTest, FindsTheNamedFunctionOfAWrongResult) {
  const Repository repository;
  BugReport report;
  report.names = {"Engine.is_empty", "Engine", "is_empty"};
  report.words = {"is", "empty", "answers", "the", "opposite"};
  FailureTrace trace = failing_step();
  trace.exceptions.clear();
  trace.functions.push_back(executed("Engine.is_empty", 21, 1, 9, {22}));
  const auto locations = repository.locator().locate(report, trace);
  ASSERT_FALSE(locations.empty());
  EXPECT_EQ(locations[0].line, 22);
  EXPECT_TRUE(has_reason(locations[0], "function and class named in the issue"));
  EXPECT_TRUE(has_reason(locations[0], "called directly by the reproduction"));
}

TEST(LocateTest, FindsTheFunctionOfANamedParameter) {
  const Repository repository;
  BugReport report;
  report.names = {"Engine", "last_epoch"};
  FailureTrace trace = failing_step();
  trace.exceptions.clear();
  const auto functions = rank_functions(repository.locator().locate(report, trace));
  ASSERT_FALSE(functions.empty());
  EXPECT_EQ(functions[0].function, "Engine.__init__");
}

TEST(LocateTest, FindsADefinitionThatRefusedTheCall) {
  const Repository repository;
  BugReport report;
  Traceback error;
  error.exception_type = "TypeError";
  error.message = "prepare() missing 1 required positional argument: 'path'";
  report.tracebacks.push_back(error);
  report.names = {"prepare", "path"};
  FailureTrace trace = failing_step();  // prepare() itself never ran.
  trace.exceptions.clear();
  const auto locations = repository.locator().locate(report, trace);
  ASSERT_FALSE(locations.empty());
  EXPECT_EQ(locations[0].function, "prepare");
  EXPECT_EQ(rank_functions(locations)[0].function, "prepare");
}

TEST(LocateTest, SeesModuleLinesWhenTheImportFails) {
  const Repository repository;
  FailureTrace trace;
  trace.functions = {executed("<module>", 1, 1, 2, {1, 2})};
  trace.exceptions = {raised("KeyError", {{2, "<module>"}})};
  const auto locations = repository.locator().locate(BugReport{}, trace);
  ASSERT_FALSE(locations.empty());
  EXPECT_EQ(locations[0].line, 2);
  EXPECT_EQ(locations[0].function, "<module>");
}

TEST(LocateTest, LeavesModuleLinesAloneWhenAFunctionFails) {
  const Repository repository;
  const auto locations = repository.locator().locate(BugReport{}, failing_step());
  EXPECT_EQ(rank_of(locations, 1), locations.size());
  EXPECT_EQ(rank_of(locations, 2), locations.size());
}

TEST(LocateTest, GoesByTheIssueAloneWithoutARun) {
  Repository repository;
  repository.texts["pkg/other.py"] = "def prepare_all():\n    return 1\n";
  BugReport report;
  Traceback traceback;
  traceback.exception_type = "AttributeError";
  Frame frame;
  frame.file = "/usr/lib/python3/dist-packages/pkg/engine.py";
  frame.line = 7;  // The file has changed since.
  frame.function = "step";
  frame.code = "g.norm()";
  traceback.frames.push_back(frame);
  report.tracebacks.push_back(traceback);
  report.names = {"step"};
  const auto locations = repository.locator().locate(report, FailureTrace{});
  ASSERT_FALSE(locations.empty());
  EXPECT_EQ(locations[0].line, 11);
  EXPECT_EQ(locations[0].function, "Engine.step");

  BugReport words;
  words.names = {"is_empty"};
  words.words = {"is", "empty", "model"};
  const auto by_words = repository.locator().locate(words, FailureTrace{});
  ASSERT_FALSE(by_words.empty());
  EXPECT_EQ(rank_functions(by_words)[0].function, "Engine.is_empty");
}

TEST(LocateTest, GoesByTheIssueToWhereOtherProcessesRan) {
  Repository repository;
  repository.texts["pkg/start.py"] = "import os\n";
  BugReport report;
  report.names = {"is_empty"};
  report.words = {"is", "empty", "model"};
  FailureTrace trace;  // The reproduction's children did the work; only an import was seen.
  trace.functions = {executed("<module>", 1, 1, 1, {1})};
  trace.functions[0].file = "pkg/start.py";
  const auto functions = rank_functions(repository.locator().locate(report, trace));
  ASSERT_FALSE(functions.empty());
  EXPECT_EQ(functions[0].function, "Engine.is_empty");
}

TEST(LocateTest, IsTheSameEveryTime) {
  const Repository repository;
  BugReport report;
  report.words = {"scale", "grads", "model"};
  report.names = {"scale_of"};
  const auto first = repository.locator().locate(report, failing_step());
  const auto second = repository.locator().locate(report, failing_step());
  ASSERT_EQ(first.size(), second.size());
  for (std::size_t i = 0; i < first.size(); ++i) {
    EXPECT_EQ(first[i].line, second[i].line);
    EXPECT_EQ(first[i].score, second[i].score);
    EXPECT_EQ(first[i].reasons, second[i].reasons);
  }
}

TEST(LocateTest, RanksEachFunctionOnce) {
  const Repository repository;
  const auto locations = repository.locator().locate(BugReport{}, failing_step());
  const auto functions = rank_functions(locations);
  ASSERT_FALSE(functions.empty());
  EXPECT_EQ(functions[0].function, "Engine.step");
  EXPECT_EQ(functions[0].score, locations[0].score);
  for (std::size_t i = 0; i < functions.size(); ++i) {
    for (std::size_t j = i + 1; j < functions.size(); ++j) {
      EXPECT_NE(functions[i].function, functions[j].function);
    }
  }
}

TEST(LocateTest, SurvivesATraceThatDoesNotFitTheRepository) {
  Repository repository;
  repository.texts["pkg/broken.py"] = "def f(:\n \xFF ((((\n";
  FailureTrace trace = failing_step();
  trace.functions.push_back(executed("ghost", -5, -1, -1, {-3, 0, 1'000'000}));
  for (const std::string file : {"gone.py", "pkg/broken.py", ""}) {
    ExecutedFunction function = executed("f", 1, 1, 20, {1, 2});
    function.file = file;
    trace.functions.push_back(function);
    FailureException exception = raised("E", {{1, "f"}, {99, "f"}});
    exception.frames[0].file = file;
    trace.exceptions.push_back(exception);
  }
  const auto locations = repository.locator().locate(BugReport{}, trace);
  for (const Location& location : locations) EXPECT_TRUE(repository.texts.contains(location.file));
}

TEST(LocateTest, SaysNothingAboutNothing) {
  EXPECT_TRUE(FusedLocator({},
                           [](const std::string&) -> Result<std::string> {
                             return fail(ErrorCode::io, "unreadable");
                           })
                  .locate(BugReport{}, FailureTrace{})
                  .empty());
  EXPECT_TRUE(rank_functions({}).empty());
}

TEST(LocateTest, StaysFastAndShortOnLargeInput) {
  Repository repository;
  std::string many;
  FailureTrace trace;
  for (int i = 0; i < 20'000; ++i) {
    many += "def f" + std::to_string(i) + "(a): return a.bucket_size\n";
    ExecutedFunction function = executed("f" + std::to_string(i), i + 1, 1, i + 1, {i + 1});
    function.file = "pkg/many.py";
    trace.functions.push_back(function);
  }
  repository.texts["pkg/many.py"] = many;
  for (int i = 0; i < 300; ++i) {
    repository.texts["pkg/m" + std::to_string(i) + ".py"] = k_engine;
  }
  BugReport report;
  for (int i = 0; i < 5000; ++i) {
    report.words.push_back("word" + std::to_string(i));
    report.names.push_back("name_" + std::to_string(i));
  }
  report.names.emplace_back("bucket_size");
  const std::clock_t begin = std::clock();  // Of the processor: the machine may be busy.
  const auto with_run = repository.locator().locate(report, trace);
  const auto without = repository.locator().locate(report, FailureTrace{});
  const double taken = static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
  EXPECT_EQ(with_run.size(), FusedLocator::k_most_locations);
  EXPECT_LE(without.size(), FusedLocator::k_most_locations);
  EXPECT_LT(taken, 15.0);
}

}  // namespace
}  // namespace tenline
