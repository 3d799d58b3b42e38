#pragma once

#include <condition_variable>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
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
  bool slow = false;  ///< It was ended since it computed much longer than the base does.
};

/// Runs the check for candidates in copies of a process that runs it on the base revision, one such
/// process a slot: see oracles/python/warm_worker.py. Candidates are judged in batches that follow
/// from their order alone, so that the answers do not depend on the number of slots. What it says
/// against a candidate holds; what it says for one has to be confirmed by a cold run. May be called
/// from several threads, each with a slot of its own.
class WarmRuns {
 public:
  /// `base_time` is the longest run of the base revision; `candidates` are those that may come, in
  /// their order. All other arguments must outlive it.
  WarmRuns(const OracleOptions& options, Workspace& workspace, Checks& checks,
           ProcessRunner& runner, std::chrono::milliseconds base_time,
           std::vector<Candidate> candidates);

  /// Runs the check with these files replaced, which are the candidate's. It may compute `patience`
  /// times longer than is enough for most. Nothing where that cannot be told by a warm run; then
  /// why_not says more, if it is so for all of them. The slot's worktree may hold anything
  /// afterwards.
  [[nodiscard]] Result<std::optional<WarmRun>> run(int slot, const FileTexts& texts,
                                                   std::chrono::milliseconds time, double patience);

  /// The same, or what a batch said, with a patience of 1.
  [[nodiscard]] Result<std::optional<WarmRun>> run_first(int slot, const Candidate& candidate,
                                                         const FileTexts& texts,
                                                         std::chrono::milliseconds time);

  /// Why no warm runs are made any more, where that is so.
  [[nodiscard]] std::string why_not();

 private:
  struct Worker {
    std::unique_ptr<Conversation> conversation;
    int lost = 0;
  };
  enum class BatchState { open, running, done };
  struct Batch {
    std::size_t begin = 0;  ///< Of the candidates.
    std::size_t end = 0;
    BatchState state = BatchState::open;
  };

  [[nodiscard]] Result<bool> ready(int slot);
  [[nodiscard]] Result<void> start(int slot);
  [[nodiscard]] Result<Json> ask(int slot, const Json& question, std::chrono::milliseconds time);
  [[nodiscard]] Result<void> see_to(std::size_t batch, int slot, std::chrono::milliseconds time);
  [[nodiscard]] Result<void> run_batch(std::size_t batch, int slot, std::chrono::milliseconds time);
  void keep(std::size_t batch, const Json& answers);
  [[nodiscard]] std::optional<WarmRun> read(const Json& answer, double share) const;
  void give_up(const std::string& reason);

  const OracleOptions& options_;
  Workspace& workspace_;
  Checks& checks_;
  ProcessRunner& runner_;
  const std::chrono::milliseconds base_time_;
  const std::vector<Candidate> candidates_;
  std::map<std::string, std::size_t> numbers_;  ///< Of candidates, by id.
  std::vector<Worker> workers_;                 ///< By slot.

  std::mutex mutex_;  ///< Guards what follows.
  std::condition_variable batch_done_;
  std::string why_not_;
  std::vector<Batch> batches_;
  std::vector<std::optional<WarmRun>> known_;  ///< By candidate.
};

}  // namespace tenline
