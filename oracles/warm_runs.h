#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "engine/base/json.h"
#include "engine/core/ports.h"
#include "oracles/check.h"

namespace tenline {

/// One run of the check that did not start from nothing.
struct WarmRun {
  CheckRun run;
  Stage stage = Stage::warm;
  std::string group;  ///< See Verdict.
};

/// What candidates may come.
struct WarmPlan {
  std::map<std::string, std::set<std::string>> functions;  ///< That they change, by file.
  std::size_t candidates = 0;
};
[[nodiscard]] WarmPlan plan_for(const std::vector<Candidate>& candidates);

/// Runs the check for candidates in copies of a process that runs it on the base revision, one such
/// process a slot: see oracles/python/warm_worker.py. What it says against a candidate holds; what
/// it says for one has to be confirmed by a cold run. May be called from several threads, each with
/// a slot of its own.
class WarmRuns {
 public:
  /// All arguments but the plan must outlive it.
  WarmRuns(const OracleOptions& options, Workspace& workspace, Checks& checks,
           ProcessRunner& runner, WarmPlan plan);

  /// Runs the check with these files replaced; leaves them in the slot's worktree. Nothing where
  /// that cannot be told by a warm run; then why_not says more, if it is so for all of them.
  [[nodiscard]] Result<std::optional<WarmRun>> run(int slot, const FileTexts& texts,
                                                   std::chrono::milliseconds time);

  /// Why no warm runs are made any more, where that is so.
  [[nodiscard]] std::string why_not();

 private:
  struct Worker {
    std::unique_ptr<Conversation> conversation;
    int lost = 0;
  };
  [[nodiscard]] Result<void> start(int slot);
  [[nodiscard]] static Result<Json> ask(Worker& worker, const Json& question,
                                        std::chrono::milliseconds time);
  void give_up(const std::string& reason);

  const OracleOptions& options_;
  Workspace& workspace_;
  Checks& checks_;
  ProcessRunner& runner_;
  const WarmPlan plan_;
  std::vector<Worker> workers_;  ///< By slot.

  std::mutex mutex_;  ///< Guards what follows.
  std::string why_not_;
};

}  // namespace tenline
