#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "engine/base/result.h"

namespace tenline::corpus {

/// A small bug fix that was mined from a repository's history. Ground truth: for grading, never
/// input to a repair.
struct Fix {
  std::string framework;
  std::string repository;  ///< "owner/name".
  std::string parent_commit;
  std::string fix_commit;
  std::string date;                ///< "2025-06-19"
  std::string strategy;            ///< One of the studies' strategies, by hand.
  std::string shape;               ///< What the edit does, in the miner's words.
  std::vector<std::string> files;  ///< Without tests and documents.
};

/// True for about a fifth of all fixes, which nothing may be learned from.
[[nodiscard]] bool is_held_out(const Fix& fix);

/// One fix a line, as JSON. The Error names the line that is wrong.
[[nodiscard]] Result<std::vector<Fix>> read_fixes(std::string_view text);

}  // namespace tenline::corpus
