#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "engine/core/ports.h"

namespace tenline {

/// When the search ends. A limit that is reached is a result, not an error.
struct Budget {
  double seconds = 3600;                ///< Wall clock of the whole run.
  std::size_t max_candidates = 10'000;  ///< Most candidates that are run.
  std::size_t top = 5;                  ///< Most patches that are shown.
  int jobs = 2;                         ///< Candidates at once.
};

/// A candidate with what its oracle said, and its place in the order.
struct CheckedCandidate {
  std::size_t position = 0;  ///< From 1, in the order of the search.
  Candidate candidate;
  Verdict verdict;
};

/// What the search ended with.
enum class RepairEnd {
  patched,
  no_patch,
  not_reproducible,
  already_fixed,
  flaky,
  needs_gpus,
  environment,
  budget,
  interrupted,
};

[[nodiscard]] std::string_view to_string(RepairEnd end);

struct RepairResult {
  RepairEnd end = RepairEnd::no_patch;
  std::string detail;  ///< One line for people.
  Reproduction reproduction;
  std::vector<Location> locations;        ///< Best first.
  std::vector<CheckedCandidate> patches;  ///< Best first, at most `top`.
  std::vector<CheckedCandidate> checked;  ///< All that were run, by position.
  std::size_t generated = 0;
  double cpu_seconds = 0;
};

/// Told what happens; called from one thread at a time.
class Observer {
 public:
  virtual ~Observer() = default;
  virtual void reproduced(const Reproduction& reproduction) = 0;
  virtual void located(const std::vector<Location>& locations) = 0;
  virtual void proposed(std::size_t candidates) = 0;
  /// A verdict is in. `planned` is how many candidates the search intends to run, as known now.
  virtual void checked(const CheckedCandidate& checked, std::size_t done, std::size_t planned,
                       std::size_t passing) = 0;
};

struct RepairParts {
  Oracle& oracle;
  Locator& locator;
  std::vector<Proposer*> proposers;
  Observer& observer;
  StopRequest stop;  ///< True when the user interrupted.
};

/// The pipeline: reproduce, locate, propose, check, rank. Same input, same result, for any number
/// of jobs, unless the time budget ends it. An Error is a failure of the infrastructure.
[[nodiscard]] Result<RepairResult> repair(const BugReport& report, const RepairParts& parts,
                                          const Budget& budget);

}  // namespace tenline
