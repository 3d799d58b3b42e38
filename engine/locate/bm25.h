#pragma once

#include <string>
#include <vector>

namespace tenline {

/// How well each document answers the query, by BM25, scaled so that the best one has 1; all 0
/// where no word of the query occurs. Words that most documents have count for nearly nothing.
[[nodiscard]] std::vector<double> bm25(const std::vector<std::vector<std::string>>& documents,
                                       const std::vector<std::string>& query);

}  // namespace tenline
