#pragma once

#include <string>
#include <utility>
#include <vector>

namespace tenline {

/// The chance that something is at fault; each reason adds to it as if it were independent.
class Chance {
 public:
  /// Nothing for a chance of 0 or less; an empty reason adds silently.
  void add(double chance, const std::string& reason);
  /// Adds a share of another chance, with its reasons.
  void join(const Chance& other, double share);

  [[nodiscard]] double value() const { return 1 - miss_; }
  /// The strongest few, strongest first.
  [[nodiscard]] std::vector<std::string> reasons() const;

 private:
  void remember(double chance, const std::string& reason);

  double miss_ = 1;
  std::vector<std::pair<double, std::string>> reasons_;
};

}  // namespace tenline
