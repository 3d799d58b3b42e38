#pragma once

#include <atomic>
#include <cstddef>

#include "engine/core/ports.h"

namespace tenline {

/// An oracle that remembers: an answer in the store is given back, a new one is stored before it is
/// returned, so that a run that was killed can be run again from its begin and ends the same.
/// Answers that say nothing about the code (infrastructure, environment, missing GPUs) are asked
/// again. A new answer is returned as it reads back from the store, so that a first and a resumed
/// run go on with the very same bytes. Both arguments must outlive it.
class JournaledOracle final : public Oracle {
 public:
  JournaledOracle(Oracle& oracle, Store& store) : oracle_(oracle), store_(store) {}

  /// Also fails where the answer cannot be stored.
  [[nodiscard]] Result<Reproduction> reproduce() override;
  void expect(const std::vector<Candidate>& candidates) override { oracle_.expect(candidates); }
  [[nodiscard]] std::vector<std::string> notes() override { return oracle_.notes(); }
  [[nodiscard]] Result<Verdict> judge(const Candidate& candidate, Level level, int slot) override;

  /// How many answers came from the store.
  [[nodiscard]] std::size_t remembered() const { return remembered_; }

 private:
  template <class Answer, class Parse, class Ask, class Keep>
  [[nodiscard]] Result<Answer> answer(const std::string& key, Parse parse, Ask ask, Keep keep);

  Oracle& oracle_;
  Store& store_;
  std::atomic<std::size_t> remembered_ = 0;
};

}  // namespace tenline
