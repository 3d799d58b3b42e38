#include "oracles/oracles.h"

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <filesystem>
#include <mutex>
#include <optional>
#include <set>
#include <thread>

#include "engine/base/json.h"
#include "engine/base/text.h"
#include "oracles/affected_tests.h"
#include "oracles/check.h"
#include "oracles/files.h"
#include "oracles/output.h"
#include "oracles/test_command.h"
#include "oracles/trace.h"
#include "oracles/warm_runs.h"

namespace tenline {

namespace {

/// What the base revision taught that candidates are judged by. Kept in the run folder, so that a
/// resumed run, which remembers its reproduction, judges alike.
struct BaseFacts {
  double seconds = 0;              ///< Of the slowest run.
  bool hangs = false;              ///< It did not end.
  std::set<std::string> failed;    ///< Tests that failed.
  std::vector<std::string> files;  ///< Repository files that were imported.
};

Json strings(const auto& values) {
  Json list = Json::array();
  for (const std::string& value : values) list.push_back(value);
  return list;
}

class PythonOracle final : public Oracle {
 public:
  PythonOracle(OracleOptions options, Workspace& workspace, ProcessRunner& runner)
      : options_(std::move(options)),
        workspace_(workspace),
        runner_(runner),
        files_(workspace.files().begin(), workspace.files().end()) {}

  [[nodiscard]] Result<Reproduction> reproduce() override;
  void expect(const std::vector<Candidate>& candidates) override { candidates_ = candidates; }
  [[nodiscard]] std::vector<std::string> notes() override {
    const std::string why = warm_ ? warm_->why_not() : std::string();
    if (why.empty()) return {};
    return {"each candidate was run in a new process, which is slow: " + why};
  }
  [[nodiscard]] Result<Verdict> judge(const Candidate& candidate, Level level, int slot) override;

 private:
  struct BaseRuns {
    std::vector<Result<CheckRun>> cold;
    std::optional<Result<CheckRun>> traced;  ///< Empty where there is nothing to locate.
  };
  [[nodiscard]] static bool never_ended(const CheckRun& run) {
    return run.output.end == ProcessEnd::timed_out;
  }

  [[nodiscard]] Result<void> prepare();
  [[nodiscard]] Result<void> prepare_for_candidates();
  [[nodiscard]] BaseRuns run_base(Checks& checks);
  [[nodiscard]] Result<Verdict> run_check(Checks& checks, const Candidate& candidate,
                                          const FileTexts& texts, int slot);
  [[nodiscard]] Result<std::optional<WarmRun>> run_warm(WarmRuns& runs, const Candidate& candidate,
                                                        const FileTexts& texts, int slot,
                                                        Verdict& verdict);
  static void add(Verdict& verdict, const CheckRun& run);
  static void fill_failure(Verdict& verdict, const CheckRun& run);
  [[nodiscard]] bool passes(const CheckRun& run) const;
  [[nodiscard]] bool has_passed_what_failed(const TestResults& results) const;
  [[nodiscard]] std::chrono::milliseconds candidate_time() const;
  [[nodiscard]] std::size_t runs() const {
    return static_cast<std::size_t>(std::max(1, options_.runs));
  }
  [[nodiscard]] std::string trace_folder() const { return options_.run_folder + "/out/trace"; }
  [[nodiscard]] std::string facts_file() const { return options_.run_folder + "/base.json"; }
  [[nodiscard]] Result<void> save_facts() const;
  void load_facts();

  const OracleOptions options_;
  Workspace& workspace_;
  ProcessRunner& runner_;
  const std::set<std::string> files_;

  std::mutex preparing_;
  bool prepared_ = false;
  std::string problem_;           ///< Why the interpreter cannot be used; empty if it can.
  std::optional<Checks> checks_;  ///< Empty where it cannot.
  std::optional<AffectedTests> tests_;
  std::vector<Candidate> candidates_;  ///< That may come.
  std::optional<WarmRuns> warm_;
  bool ready_for_candidates_ = false;
  BaseFacts facts_;

  std::mutex putting_off_;
  std::map<std::string, Verdict> put_off_;  ///< What was seen of it, by candidate.
  std::atomic<int> in_vain_ = 0;            ///< Runs with more time that did not end either.
  std::map<std::string, WarmRun> endless_;  ///< The second runs that did not end, by group.
};

Result<void> PythonOracle::prepare() {
  if (prepared_) return {};
  TENLINE_TRY(const Interpreter interpreter, ask_interpreter(options_.python, runner_));
  problem_ = interpreter.problem;
  if (problem_.empty()) {
    TENLINE_TRY(checks_, Checks::make(options_, workspace_, runner_, interpreter));
    tests_.emplace(options_, workspace_, *checks_);
  }
  prepared_ = true;
  return {};
}

/// All cold runs of the base revision and, last, the traced one; which is left out as soon as one
/// of the others does not fail, since then there is nothing to locate.
PythonOracle::BaseRuns PythonOracle::run_base(Checks& checks) {
  BaseRuns done{.cold = std::vector<Result<CheckRun>>(runs()), .traced = {}};
  std::mutex mutex;
  std::size_t next = 0;
  bool all_present = true;
  bool hangs = false;
  bool first_is_done = false;  // It says how to watch the traced one.
  std::condition_variable first_done;
  const auto work = [&](int slot) {
    for (;;) {
      std::size_t index = 0;
      bool does_not_end = false;
      std::chrono::milliseconds time = options_.limits.time;
      {
        std::unique_lock lock(mutex);
        if (next > runs()) return;
        index = next++;
        if (index == runs()) first_done.wait(lock, [&] { return first_is_done; });
        if (index == runs() && !all_present) return;
        does_not_end = hangs;
        if (index == runs() && !hangs) time *= 2;
        if (index < runs() && hangs) time /= 2;
      }
      const bool traced = index == runs();
      Result<CheckRun> run =
          checks.run(slot, time, traced ? Tracing{trace_folder(), does_not_end} : Tracing());
      const std::scoped_lock lock(mutex);
      if (index == 0) first_is_done = true;
      first_done.notify_all();
      hangs = hangs || (run && never_ended(*run));
      all_present = all_present && run && (run->said == Said::present || never_ended(*run));
      if (traced) {
        done.traced = std::move(run);
      } else {
        done.cold[index] = std::move(run);
      }
    }
  };
  std::vector<std::thread> threads;
  for (int slot = 1; slot < options_.jobs; ++slot) threads.emplace_back(work, slot);
  work(0);
  for (std::thread& thread : threads) thread.join();
  return done;
}

Result<Reproduction> PythonOracle::reproduce() {
  TENLINE_TRY_VOID(prepare());
  Reproduction reproduction;
  if (!checks_) {
    reproduction.reproduced = Reproduced::environment;
    reproduction.detail = problem_;
    return reproduction;
  }
  for (int slot = 0; slot < std::max(1, options_.jobs); ++slot) {
    TENLINE_TRY_VOID(workspace_.put(slot, {}));
  }
  const auto [cold, traced] = run_base(*checks_);

  std::size_t present = 0;
  std::size_t absent = 0;
  const CheckRun* unclear = nullptr;
  facts_ = {};
  for (const Result<CheckRun>& run : cold) {
    if (!run) return tl::unexpected(run.error());
    const CheckRun& one = *run;
    ++reproduction.runs;
    reproduction.seconds = std::max(reproduction.seconds, one.output.seconds);
    reproduction.cpu_seconds += one.output.cpu_seconds;
    if (never_ended(one)) {
      facts_.hangs = true;
      if (!one.results.running.empty()) facts_.failed.insert(one.results.running);
    }
    const Said said = never_ended(one) ? Said::present : one.said;
    if (said == Said::present) ++present;
    if (said == Said::absent) ++absent;
    if (said == Said::could_not_tell && unclear == nullptr) unclear = &one;
    for (const auto& [test, outcome] : one.results.tests) {
      if (outcome == TestOutcome::failed) facts_.failed.insert(test);
    }
  }
  const CheckRun& first = *cold.front();
  constexpr std::size_t k_output = std::size_t{32} << 10U;
  reproduction.output = to_valid_utf8(std::string(tail(first.output.out, k_output)) +
                                      std::string(tail(first.output.err, k_output)));
  const std::size_t all = cold.size();
  if (unclear != nullptr && present + absent == 0) {
    reproduction.reproduced = Reproduced::not_reproducible;
    if (unclear->obstacle == Obstacle::environment) {
      reproduction.reproduced = Reproduced::environment;
    }
    if (unclear->obstacle == Obstacle::gpus) reproduction.reproduced = Reproduced::needs_gpus;
    reproduction.detail = fmt::format("{} could not tell: {}", checks_->name(), unclear->detail);
    return reproduction;
  }
  if (absent == all) {
    reproduction.reproduced = Reproduced::already_fixed;
    reproduction.detail = fmt::format("{} passes in {} of {} runs", checks_->name(), all, all);
    return reproduction;
  }
  reproduction.detail =
      fmt::format("{} fails in {} of {} runs: {}", checks_->name(), present, all, first.detail);
  if (present < all) {
    reproduction.reproduced = Reproduced::flaky;
    return reproduction;
  }

  reproduction.reproduced = Reproduced::yes;
  facts_.seconds = reproduction.seconds;
  if (traced && *traced) {
    reproduction.cpu_seconds += (*traced)->output.cpu_seconds;
    ++reproduction.runs;
  } else if (traced && traced->error().code == ErrorCode::cancelled) {
    return tl::unexpected(traced->error());
  }
  Result<FailureTrace> trace = read_traces(
      trace_folder(), [this](const std::string& file) { return files_.contains(file); });
  remove_folder(trace_folder());
  if (trace) {
    facts_.files = trace->files;
    reproduction.trace = *std::move(trace);
  } else {
    reproduction.detail += "; the traced run left nothing: " + trace.error().message;
  }
  TENLINE_TRY_VOID(save_facts());
  return reproduction;
}

Result<void> PythonOracle::save_facts() const {
  const Json json = {{"seconds", facts_.seconds},
                     {"hangs", facts_.hangs},
                     {"failed", strings(facts_.failed)},
                     {"files", strings(facts_.files)}};
  return write_file(facts_file(), to_text(json));
}

/// Without the file, a candidate has the time of a base run, and nothing is cached.
void PythonOracle::load_facts() {
  if (facts_.seconds > 0) return;
  const Result<std::string> text = read_untrusted_file(facts_file(), std::size_t{64} << 20U);
  if (!text) return;
  const Result<Json> json = parse_json(*text);
  if (!json || !json->is_object()) return;
  const Json seconds = json->value("seconds", Json());
  if (seconds.is_number()) facts_.seconds = seconds.get<double>();
  facts_.hangs = json->value("hangs", Json()) == true;
  for (const Json& test : json->value("failed", Json::array())) {
    if (test.is_string()) facts_.failed.insert(test.get<std::string>());
  }
  for (const Json& file : json->value("files", Json::array())) {
    if (file.is_string() && files_.contains(file.get<std::string>())) {
      facts_.files.push_back(file.get<std::string>());
    }
  }
}

Result<void> PythonOracle::prepare_for_candidates() {
  const std::scoped_lock lock(preparing_);
  if (ready_for_candidates_) return {};
  TENLINE_TRY_VOID(prepare());
  if (!checks_) return fail(ErrorCode::unavailable, problem_);
  load_facts();
  // Saves a third of the CPU time of a run that imports a large package.
  TENLINE_TRY_VOID(checks_->cache_byte_code(facts_.files));
  if (options_.warm) {
    const auto base_time = options_.limits.time / (facts_.hangs ? 2 : 1);
    warm_.emplace(options_, workspace_, *checks_, runner_, base_time, std::move(candidates_));
  }
  ready_for_candidates_ = true;
  return {};
}

std::chrono::milliseconds PythonOracle::candidate_time() const {
  if (facts_.seconds <= 0 || facts_.hangs) return options_.limits.time;
  const std::chrono::duration<double> time(options_.time_factor * facts_.seconds);
  return std::max(options_.time_floor, std::chrono::duration_cast<std::chrono::milliseconds>(time) +
                                           options_.time_extra);
}

/// The check says that the bug is absent and, of a pytest command, no test that failed was lost.
bool PythonOracle::passes(const CheckRun& run) const {
  return run.said == Said::absent && has_passed_what_failed(run.results);
}

bool PythonOracle::has_passed_what_failed(const TestResults& results) const {
  return std::all_of(facts_.failed.begin(), facts_.failed.end(), [&](const std::string& test) {
    const auto it = results.tests.find(test);
    return it != results.tests.end() && it->second == TestOutcome::passed;
  });
}

void PythonOracle::fill_failure(Verdict& verdict, const CheckRun& run) {
  verdict.outcome = Outcome::fails;
  verdict.level = Level::e0;
  verdict.detail = run.said == Said::absent ? "a test that failed was not run" : run.detail;
  if (run.output.end == ProcessEnd::timed_out) {
    verdict.outcome = Outcome::timed_out;
  } else if (run.output.end != ProcessEnd::exited && run.output.end != ProcessEnd::signalled) {
    verdict.outcome = Outcome::limit;
  } else if (is_syntax_error(last_error(run.output))) {
    verdict.outcome = Outcome::does_not_parse;
    verdict.level = Level::none;
  }
}

void PythonOracle::add(Verdict& verdict, const CheckRun& run) {
  ++verdict.runs;
  verdict.seconds += run.output.seconds;
  verdict.cpu_seconds += run.output.cpu_seconds;
}

/// Most candidates that compute much longer than the base loop for ever; all the same, one may do
/// more than the base, which ends at its failure. So it is put off, and has more time when it comes
/// again. One that gets beyond the failure is more likely to end: it has more at once, as long as
/// that is not in vain. Nothing where a cold run has to tell.
Result<std::optional<WarmRun>> PythonOracle::run_warm(WarmRuns& runs, const Candidate& candidate,
                                                      const FileTexts& texts, int slot,
                                                      Verdict& verdict) {
  constexpr double k_more = 30;
  bool again = false;
  {
    const std::scoped_lock lock(putting_off_);
    if (const auto it = put_off_.find(candidate.id); it != put_off_.end()) {
      again = true;
      verdict = it->second;
      if (const auto same = endless_.find(verdict.group); same != endless_.end()) {
        return same->second;
      }
    }
  }
  TENLINE_TRY(std::optional<WarmRun> warm,
              again ? runs.run(slot, texts, candidate_time(), k_more)
                    : runs.run_first(slot, candidate, texts, candidate_time()));
  if (!warm) return warm;
  if (warm->stage != Stage::unreached) add(verdict, warm->run);
  if (!warm->group.empty()) verdict.group = warm->group;
  constexpr int k_most_in_vain = 3;
  if (warm->slow && !facts_.failed.empty() && has_passed_what_failed(warm->run.results) &&
      in_vain_ < k_most_in_vain) {
    TENLINE_TRY(warm, runs.run(slot, texts, candidate_time(), k_more));
    if (warm) add(verdict, warm->run);
    if (warm && warm->slow) ++in_vain_;
  }
  if (again && warm && warm->slow) {
    warm->slow = false;  // Timed out, and that is final.
    const std::scoped_lock lock(putting_off_);
    if (!verdict.group.empty()) endless_.emplace(verdict.group, *warm);
  }
  return warm;
}

Result<Verdict> PythonOracle::run_check(Checks& checks, const Candidate& candidate,
                                        const FileTexts& texts, int slot) {
  Verdict verdict;
  if (warm_) {
    TENLINE_TRY(const std::optional<WarmRun> warm,
                run_warm(*warm_, candidate, texts, slot, verdict));
    if (warm && warm->slow) {
      verdict.outcome = Outcome::put_off;
      const std::scoped_lock lock(putting_off_);
      put_off_.emplace(candidate.id, verdict);
      return verdict;
    }
    if (warm && !passes(warm->run)) {
      verdict.stage = warm->stage;
      fill_failure(verdict, warm->run);
      return verdict;
    }
  }
  TENLINE_TRY_VOID(workspace_.put(slot, texts));
  for (std::size_t i = 0; i < runs(); ++i) {
    TENLINE_TRY(const CheckRun run, checks.run(slot, candidate_time()));
    add(verdict, run);
    if (passes(run)) continue;
    fill_failure(verdict, run);
    if (i > 0) verdict.detail = fmt::format("run {} of {}: {}", i + 1, runs(), verdict.detail);
    return verdict;
  }
  verdict.outcome = Outcome::passes;
  verdict.level = Level::e1;
  verdict.checked.push_back(
      fmt::format("{} passes in {} of {} cold runs", checks.name(), runs(), runs()));
  return verdict;
}

Result<Verdict> PythonOracle::judge(const Candidate& candidate, Level level, int slot) {
  TENLINE_TRY_VOID(prepare_for_candidates());
  TENLINE_CHECK(checks_ && tests_, "the check was prepared");
  const Result<FileTexts> texts =
      candidate_texts(candidate, [this](const std::string& path) { return workspace_.read(path); });
  if (!texts) {
    Verdict verdict;
    verdict.outcome = Outcome::does_not_parse;
    verdict.detail = texts.error().message;
    return verdict;
  }
  if (level < Level::e2) return run_check(*checks_, candidate, *texts, slot);
  TENLINE_TRY_VOID(workspace_.put(slot, *texts));
  return tests_->judge(*texts, slot);
}

}  // namespace

Result<std::unique_ptr<Oracle>> make_oracle(const OracleOptions& options, Workspace& workspace,
                                            ProcessRunner& runner) {
  if (options.script.empty() == options.test.empty()) {
    return fail(ErrorCode::invalid_input, "exactly one of a script and a test command is needed");
  }
  std::error_code ignored;
  if (!options.script.empty() && !std::filesystem::is_regular_file(options.script, ignored)) {
    return fail(ErrorCode::invalid_input, fmt::format("{}: no such file", options.script));
  }
  if (!options.test.empty()) TENLINE_TRY_VOID(pytest_arguments(options.test).map([](auto&&) {}));
  OracleOptions own = options;
  own.run_folder += "/oracle";
  return std::make_unique<PythonOracle>(std::move(own), workspace, runner);
}

}  // namespace tenline
