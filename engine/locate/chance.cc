#include "engine/locate/chance.h"

#include <algorithm>

namespace tenline {

namespace {
constexpr double k_surest = 0.99;
constexpr std::size_t k_most_reasons = 4;
}  // namespace

void Chance::add(double chance, const std::string& reason) {
  if (chance <= 0) return;
  miss_ *= 1 - std::min(chance, k_surest);
  remember(chance, reason);
}

void Chance::join(const Chance& other, double share) {
  miss_ *= 1 - share * other.value();
  for (const auto& [chance, reason] : other.reasons_) remember(share * chance, reason);
}

std::vector<std::string> Chance::reasons() const {
  auto sorted = reasons_;
  std::stable_sort(sorted.begin(), sorted.end(),
                   [](const auto& a, const auto& b) { return a.first > b.first; });
  std::vector<std::string> result;
  for (auto& [chance, reason] : sorted) {
    if (result.size() < k_most_reasons) result.push_back(std::move(reason));
  }
  return result;
}

void Chance::remember(double chance, const std::string& reason) {
  const bool known = std::any_of(reasons_.begin(), reasons_.end(),
                                 [&](const auto& r) { return r.second == reason; });
  if (!known && !reason.empty()) reasons_.emplace_back(chance, reason);
}

}  // namespace tenline
