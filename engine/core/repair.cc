#include "engine/core/repair.h"

#include <algorithm>
#include <chrono>
#include <iterator>
#include <mutex>
#include <optional>
#include <set>
#include <thread>

#include "engine/core/rank.h"

namespace tenline {

namespace {

using Clock = std::chrono::steady_clock;

RepairEnd end_of(Reproduced reproduced) {
  switch (reproduced) {
    case Reproduced::yes:
      return RepairEnd::no_patch;
    case Reproduced::already_fixed:
      return RepairEnd::already_fixed;
    case Reproduced::flaky:
      return RepairEnd::flaky;
    case Reproduced::not_reproducible:
      return RepairEnd::not_reproducible;
    case Reproduced::needs_gpus:
      return RepairEnd::needs_gpus;
    case Reproduced::environment:
      return RepairEnd::environment;
  }
  return RepairEnd::environment;
}

std::vector<Candidate> propose_all(const RepairParts& parts, const std::vector<Location>& locations,
                                   const BugReport& report, const FailureTrace& trace) {
  std::vector<Candidate> all;
  for (Proposer* proposer : parts.proposers) {
    std::vector<Candidate> some = proposer->propose(locations, report, trace);
    std::move(some.begin(), some.end(), std::back_inserter(all));
  }
  std::stable_sort(all.begin(), all.end(),
                   [](const auto& a, const auto& b) { return a.score > b.score; });
  std::set<std::string> seen;
  std::erase_if(all, [&](const Candidate& c) { return !seen.insert(c.id).second; });
  return all;
}

/// Why no more candidates are started.
enum class Stopped { no, interrupted, out_of_time, broken };

/// Runs candidates in order of position on several threads. Which of them count follows from
/// positions alone, so that the number of threads cannot show: everything up to the limit is run,
/// and the limit, which only shrinks as verdicts come in, ends the same whatever their order was.
class Search {
 public:
  Search(const std::vector<Candidate>& candidates, const RepairParts& parts, const Budget& budget,
         Clock::time_point start)
      : candidates_(candidates), parts_(parts), budget_(budget), start_(start) {}

  void check_candidates() {
    limit_ = std::min(candidates_.size(), budget_.max_candidates);
    on_threads(std::min<std::size_t>(jobs(), limit_), [this](int slot) { check_from(slot); });
    std::erase_if(done_, [this](const auto& c) { return c.position > limit_; });
    std::sort(done_.begin(), done_.end(),
              [](const auto& a, const auto& b) { return a.position < b.position; });
  }

  [[nodiscard]] std::vector<CheckedCandidate>& done() { return done_; }
  [[nodiscard]] Stopped stopped() const { return stopped_; }
  [[nodiscard]] const std::string& problem() const { return problem_; }
  [[nodiscard]] std::size_t limit() const { return limit_; }
  [[nodiscard]] bool left_untested() const { return left_untested_; }

 private:
  [[nodiscard]] std::size_t jobs() const {
    return static_cast<std::size_t>(std::max(1, budget_.jobs));
  }

  template <class Work>
  void on_threads(std::size_t count, Work work) {
    std::vector<std::thread> threads;
    for (std::size_t slot = 1; slot < count; ++slot) {
      threads.emplace_back(work, static_cast<int>(slot));
    }
    if (count > 0) work(0);
    for (std::thread& thread : threads) thread.join();
  }

  /// Call with the mutex held.
  bool may_start() {
    if (stopped_ != Stopped::no) return false;
    if (parts_.stop && parts_.stop()) stopped_ = Stopped::interrupted;
    if (std::chrono::duration<double>(Clock::now() - start_).count() >= budget_.seconds &&
        stopped_ == Stopped::no) {
      stopped_ = Stopped::out_of_time;
    }
    return stopped_ == Stopped::no;
  }

  /// The next candidate to check: in order, and then those that were put off; 0: none.
  std::size_t take_position() {
    const std::scoped_lock lock(mutex_);
    const bool in_order = next_ <= limit_;
    if (!in_order && (put_off_.empty() || *put_off_.begin() > limit_)) return 0;
    if (!may_start()) return 0;
    if (in_order) return next_++;
    return put_off_.extract(put_off_.begin()).value();
  }

  void check_from(int slot) {
    for (;;) {
      const std::size_t position = take_position();
      if (position == 0) return;
      const Candidate& candidate = candidates_[position - 1];
      std::optional<Verdict> verdict = judge(candidate, Level::e1, slot);
      if (!verdict) return;
      if (verdict->outcome == Outcome::put_off) {
        const std::scoped_lock lock(mutex_);
        put_off_.insert(position);
        continue;
      }
      // Only a candidate that breaks no test ends the search: see record.
      if (verdict->outcome == Outcome::passes) run_tests(candidate, *verdict, slot);
      const std::scoped_lock lock(mutex_);
      record({position, candidate, *std::move(verdict)});
    }
  }

  /// The oracle's verdict, asked again once where it could not tell; nothing where the user
  /// stopped.
  std::optional<Verdict> judge(const Candidate& candidate, Level level, int slot) {
    Verdict verdict;
    for (int attempt = 0; attempt < 2; ++attempt) {
      Result<Verdict> answer = parts_.oracle.judge(candidate, level, slot);
      if (!answer && answer.error().code == ErrorCode::cancelled) {
        const std::scoped_lock lock(mutex_);
        const bool by_user = parts_.stop && parts_.stop();
        if (stopped_ == Stopped::no) {
          stopped_ = by_user ? Stopped::interrupted : Stopped::out_of_time;
        }
        return std::nullopt;
      }
      verdict = {};  // "Could not tell".
      if (answer) {
        verdict = *std::move(answer);
      } else {
        verdict.detail = answer.error().message;
      }
      if (verdict.outcome != Outcome::infrastructure) break;
    }
    return verdict;
  }

  /// Call with the mutex held.
  void record(CheckedCandidate checked) {
    constexpr int k_most_failures = 5;
    const Outcome outcome = checked.verdict.outcome;
    if (outcome == Outcome::infrastructure && ++failures_ >= k_most_failures) {
      stopped_ = Stopped::broken;
      problem_ = checked.verdict.detail;
    }
    if (outcome == Outcome::passes) {
      passing_.insert(checked.position);
      // Taking away what fails passes too: then better patches may stand far behind.
      limit_ = std::min(limit_, 4 * *passing_.begin() + 60);
      if (is_convincing(checked.candidate)) convincing_.insert(checked.position);
      if (!convincing_.empty()) limit_ = std::min(limit_, 2 * *convincing_.begin() + 20);
      if (budget_.top > 0 && convincing_.size() >= budget_.top) {
        const auto last = std::next(convincing_.begin(), static_cast<long>(budget_.top) - 1);
        limit_ = std::min(limit_, *last);
      }
    }
    done_.push_back(std::move(checked));
    const auto counts = [this](std::size_t position) { return position <= limit_; };
    const auto done = static_cast<std::size_t>(std::count_if(
        done_.begin(), done_.end(), [&](const auto& c) { return counts(c.position); }));
    const auto passing =
        static_cast<std::size_t>(std::count_if(passing_.begin(), passing_.end(), counts));
    parts_.observer.checked(done_.back(), done, limit_, passing);
  }

  void run_tests(const Candidate& candidate, Verdict& verdict, int slot) {
    bool may = true;
    {
      const std::scoped_lock lock(mutex_);
      may = may_start();
    }
    const std::optional<Verdict> tests = may ? judge(candidate, Level::e2, slot) : std::nullopt;
    if (tests) {
      add_tests(verdict, *tests);
      return;
    }
    verdict.not_checked.emplace_back("the affected tests: the run was stopped before");
    const std::scoped_lock lock(mutex_);
    left_untested_ = true;
  }

  static void add_tests(Verdict& verdict, const Verdict& tests) {
    verdict.seconds += tests.seconds;
    verdict.cpu_seconds += tests.cpu_seconds;
    verdict.runs += tests.runs;
    verdict.checked.insert(verdict.checked.end(), tests.checked.begin(), tests.checked.end());
    verdict.not_checked.insert(verdict.not_checked.end(), tests.not_checked.begin(),
                               tests.not_checked.end());
    if (tests.outcome == Outcome::passes) {
      verdict.level = std::max(verdict.level, tests.level);
    } else if (tests.outcome == Outcome::breaks_tests) {
      verdict.outcome = Outcome::breaks_tests;
      verdict.detail = tests.detail;
    } else {
      verdict.not_checked.push_back(fmt::format("the affected tests: {}", tests.detail));
    }
  }

  const std::vector<Candidate>& candidates_;
  const RepairParts& parts_;
  const Budget& budget_;
  const Clock::time_point start_;

  std::mutex mutex_;  // Guards all below, and the observer.
  std::size_t limit_ = 0;
  std::size_t next_ = 1;
  std::set<std::size_t> put_off_;  ///< Positions.
  std::set<std::size_t> passing_;
  std::set<std::size_t> convincing_;  ///< Positions of those that little suspects.
  std::vector<CheckedCandidate> done_;
  int failures_ = 0;
  Stopped stopped_ = Stopped::no;
  std::string problem_;
  bool left_untested_ = false;
};

/// Sets the end and its line from what the search did.
void conclude(RepairResult& result, const Search& search) {
  const auto broken =
      std::count_if(result.checked.begin(), result.checked.end(),
                    [](const auto& c) { return c.verdict.outcome == Outcome::breaks_tests; });
  const bool complete = result.checked.size() >= search.limit();
  const std::string tried =
      fmt::format("{} of {} candidates tried", result.checked.size(), result.generated);
  if (search.stopped() == Stopped::interrupted && (!complete || search.left_untested())) {
    result.end = RepairEnd::interrupted;
    result.detail = fmt::format("interrupted, {}", tried);
  } else if (!result.patches.empty()) {
    result.end = RepairEnd::patched;
    result.detail = fmt::format("{} patches, {}", result.patches.size(), tried);
    if (result.patches.size() == 1) result.detail = fmt::format("1 patch, {}", tried);
  } else if (search.stopped() == Stopped::out_of_time && !complete) {
    result.end = RepairEnd::budget;
    result.detail = fmt::format("the time budget is used up, {}", tried);
  } else {
    result.end = RepairEnd::no_patch;
    result.detail = broken > 0
                        ? fmt::format("{}; {} passed the check but broke tests", tried, broken)
                        : fmt::format("{}, none passes the check", tried);
  }
}

}  // namespace

std::string_view to_string(RepairEnd end) {
  switch (end) {
    case RepairEnd::patched:
      return "patched";
    case RepairEnd::no_patch:
      return "no_patch";
    case RepairEnd::not_reproducible:
      return "not_reproducible";
    case RepairEnd::already_fixed:
      return "already_fixed";
    case RepairEnd::flaky:
      return "flaky";
    case RepairEnd::needs_gpus:
      return "needs_gpus";
    case RepairEnd::environment:
      return "environment";
    case RepairEnd::budget:
      return "budget";
    case RepairEnd::interrupted:
      return "interrupted";
  }
  return "no_patch";
}

Result<RepairResult> repair(const BugReport& report, const RepairParts& parts,
                            const Budget& budget) {
  const Clock::time_point start = Clock::now();
  RepairResult result;

  Result<Reproduction> reproduction = parts.oracle.reproduce();
  if (!reproduction && reproduction.error().code == ErrorCode::cancelled) {
    const bool by_user = parts.stop && parts.stop();
    result.end = by_user ? RepairEnd::interrupted : RepairEnd::budget;
    result.detail = by_user ? "interrupted while reproducing the failure"
                            : "the time budget was used up while reproducing the failure";
    return result;
  }
  if (!reproduction) {
    return tl::unexpected(while_doing("reproducing the failure", reproduction.error()));
  }
  result.reproduction = *std::move(reproduction);
  result.cpu_seconds = result.reproduction.cpu_seconds;
  parts.observer.reproduced(result.reproduction);
  if (result.reproduction.reproduced != Reproduced::yes) {
    result.end = end_of(result.reproduction.reproduced);
    result.detail = result.reproduction.detail;
    return result;
  }

  result.locations = parts.locator.locate(report, result.reproduction.trace);
  parts.observer.located(result.locations);

  const std::vector<Candidate> candidates =
      propose_all(parts, result.locations, report, result.reproduction.trace);
  result.generated = candidates.size();
  parts.observer.proposed(candidates.size());
  parts.oracle.expect(candidates);

  Search search(candidates, parts, budget, start);
  search.check_candidates();
  if (search.stopped() == Stopped::broken) {
    return fail(ErrorCode::unavailable,
                fmt::format("candidates cannot be checked: {}", search.problem()));
  }

  result.checked = std::move(search.done());
  for (const CheckedCandidate& checked : result.checked) {
    result.cpu_seconds += checked.verdict.cpu_seconds;
    if (checked.verdict.outcome == Outcome::passes) result.patches.push_back(checked);
  }
  rank(result.patches);
  if (result.patches.size() > budget.top) result.patches.resize(budget.top);
  conclude(result, search);
  return result;
}

}  // namespace tenline
