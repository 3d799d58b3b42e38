#include "engine/locate/bm25.h"

// Robertson and Zaragoza, "The Probabilistic Relevance Framework: BM25 and Beyond" (2009), with the
// usual constants.

#include <algorithm>
#include <cmath>
#include <map>
#include <unordered_map>

namespace tenline {

namespace {
constexpr double k_saturation = 1.2;
constexpr double k_length = 0.6;
constexpr double k_most_repeats = 3;  ///< Repeats of a word in the query that count.
}  // namespace

std::vector<double> bm25(const std::vector<std::vector<std::string>>& documents,
                         const std::vector<std::string>& query) {
  std::unordered_map<std::string, std::size_t> term_of;
  std::vector<double> query_counts;
  for (const std::string& word : query) {
    const auto [it, fresh] = term_of.emplace(word, query_counts.size());
    if (fresh) query_counts.push_back(0);
    query_counts[it->second] = std::min(query_counts[it->second] + 1, k_most_repeats);
  }
  // Ordered: the sums below must not depend on hashes.
  std::vector<std::map<std::size_t, double>> counts(documents.size());
  std::vector<double> in_documents(query_counts.size(), 0.0);
  double all_words = 0;
  for (std::size_t d = 0; d < documents.size(); ++d) {
    all_words += static_cast<double>(documents[d].size());
    for (const std::string& word : documents[d]) {
      const auto term = term_of.find(word);
      if (term != term_of.end() && ++counts[d][term->second] == 1) ++in_documents[term->second];
    }
  }
  const auto n = static_cast<double>(documents.size());
  const double mean = std::max(1.0, all_words / std::max(1.0, n));
  std::vector<double> scores(documents.size(), 0.0);
  for (std::size_t d = 0; d < documents.size(); ++d) {
    const double size = static_cast<double>(documents[d].size()) / mean;
    for (const auto& [t, count] : counts[d]) {
      const double rarity = std::log(1 + (n - in_documents[t] + 0.5) / (in_documents[t] + 0.5));
      const double repeats =
          count * (k_saturation + 1) / (count + k_saturation * (1 - k_length + k_length * size));
      scores[d] += rarity * repeats * std::sqrt(query_counts[t]);
    }
  }
  const auto best = std::max_element(scores.begin(), scores.end());
  if (best != scores.end() && *best > 0) {
    const double scale = *best;
    for (double& score : scores) score /= scale;
  }
  return scores;
}

}  // namespace tenline
