#include "oracles/affected_tests.h"

#include <algorithm>
#include <chrono>

#include "engine/base/text.h"

namespace tenline {

namespace {

using Names = std::set<std::string>;

Names without(const Names& names, const Names& others) {
  Names rest;
  std::set_difference(names.begin(), names.end(), others.begin(), others.end(),
                      std::inserter(rest, rest.end()));
  return rest;
}

std::string modules_of(const FileTexts& texts) {
  std::string names;
  for (const auto& [file, text] : texts) {
    const std::string module = module_name(file);
    names += (names.empty() ? "" : ", ") + (module.empty() ? file : module);
  }
  return names;
}

std::string count(std::size_t number, std::string_view what) {
  return fmt::format("{} {}{}", number, what, number == 1 ? "" : "s");
}

}  // namespace

Result<Names> AffectedTests::passing_now(const std::string& file, int slot, Verdict& verdict) {
  TENLINE_TRY(const Checks::TestRun run,
              checks_.run_tests(slot, {"-q", "./" + file}, options_.test_file_time));
  verdict.seconds += run.output.seconds;
  verdict.cpu_seconds += run.output.cpu_seconds;
  ++verdict.runs;
  Names passing;
  for (const auto& [test, outcome] : run.results.tests) {
    if (outcome == TestOutcome::passed) passing.insert(test);
  }
  return passing;
}

Result<Names> AffectedTests::passing_on_base(const std::string& file, int slot, Verdict& verdict) {
  Base* base = nullptr;
  {
    const std::scoped_lock lock(mutex_);
    base = &base_[file];
  }
  const std::scoped_lock lock(base->mutex);
  if (!base->passing) {
    TENLINE_TRY_VOID(workspace_.put(slot, {}));
    TENLINE_TRY(base->passing, passing_now(file, slot, verdict));
  }
  return *base->passing;
}

/// Those that pass on the base revision again and fail with the candidate again.
Result<Names> AffectedTests::confirmed(const std::string& file, const Names& suspects,
                                       const FileTexts& texts, int slot, Verdict& verdict) {
  TENLINE_TRY(const Names again, passing_now(file, slot, verdict));
  const Names failing = without(suspects, again);
  if (failing.empty()) return Names{};
  TENLINE_TRY_VOID(workspace_.put(slot, {}));
  TENLINE_TRY(const Names base, passing_now(file, slot, verdict));
  TENLINE_TRY_VOID(workspace_.put(slot, texts));
  return without(failing, without(failing, base));
}

Result<Verdict> AffectedTests::judge(const FileTexts& texts, int slot) {
  constexpr int k_most_files_of_time = 5;  // In all, a candidate gets the time of five test files.
  const auto deadline =
      std::chrono::steady_clock::now() + k_most_files_of_time * options_.test_file_time;
  std::call_once(imports_made_, [&] { imports_ = std::make_unique<TestImports>(workspace_); });

  Verdict verdict;
  verdict.outcome = Outcome::passes;
  verdict.level = Level::e1;
  std::vector<std::string> changed;
  for (const auto& [file, text] : texts) changed.push_back(file);
  const std::string modules = modules_of(texts);
  std::vector<std::string> files = imports_->tests_of(changed);
  if (files.empty()) {
    verdict.not_checked.push_back(fmt::format("no test imports {}", modules));
    return verdict;
  }
  if (files.size() > options_.test_files) {
    verdict.not_checked.push_back(fmt::format(
        "{} more that import{} {}", count(files.size() - options_.test_files, "test file"),
        files.size() - options_.test_files == 1 ? "s" : "", modules));
    files.resize(options_.test_files);
  }

  const std::vector<std::string> in_check = checks_.whole_files();
  std::size_t tests = 0;
  std::size_t used = 0;
  std::size_t late = 0;
  for (const std::string& file : files) {
    if (std::chrono::steady_clock::now() >= deadline) {
      ++late;
      continue;
    }
    if (std::find(in_check.begin(), in_check.end(), file) != in_check.end()) {
      verdict.level = Level::e2;
      verdict.checked.push_back(fmt::format("all tests in {} pass: they are the check", file));
      continue;
    }
    TENLINE_TRY(const Names before, passing_on_base(file, slot, verdict));
    if (before.empty()) continue;
    TENLINE_TRY_VOID(workspace_.put(slot, texts));
    TENLINE_TRY(const Names after, passing_now(file, slot, verdict));
    const Names lost = without(before, after);
    if (!lost.empty()) {
      TENLINE_TRY(const Names broken, confirmed(file, lost, texts, slot, verdict));
      if (!broken.empty()) {
        verdict.outcome = Outcome::breaks_tests;
        verdict.detail = *broken.begin();
        if (broken.size() > 1) verdict.detail += fmt::format(" and {} more", broken.size() - 1);
        return verdict;
      }
      verdict.not_checked.push_back(
          fmt::format("{} of {} that pass sometimes only", count(lost.size(), "test"), file));
    }
    tests += before.size() - lost.size();
    if (before.size() > lost.size()) ++used;
  }
  if (late > 0) {
    verdict.not_checked.push_back(
        fmt::format("{} for which there was no time", count(late, "affected test file")));
  }
  if (tests == 0 && verdict.level == Level::e2) return verdict;
  if (tests == 0) {
    verdict.not_checked.push_back(
        fmt::format("no test that imports {} passes on the base revision: {} tried", modules,
                    count(files.size() - late, "file")));
    return verdict;
  }
  verdict.level = Level::e2;
  verdict.checked.push_back(fmt::format("{} in {} still pass{}", count(tests, "test"),
                                        count(used, "file"), tests == 1 ? "es" : ""));
  return verdict;
}

}  // namespace tenline
