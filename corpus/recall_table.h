#pragma once

#include <string>
#include <vector>

#include "corpus/recall.h"
#include "engine/base/json.h"

namespace tenline::corpus {

/// Recall as tables for people: all, by framework, strategy and shape; what the misses need; how
/// many candidates and how fast.
[[nodiscard]] std::string recall_table(const std::vector<FixRecall>& answers);

/// The same, and each fix's answer, as a document.
[[nodiscard]] Json recall_document(const std::vector<FixRecall>& answers);

/// Lines `key bin candidates hits` over all fixes: what tools/fit_prior.py learns from.
[[nodiscard]] std::string count_lines(const std::vector<FixRecall>& answers);

}  // namespace tenline::corpus
