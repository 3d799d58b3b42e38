#pragma once

#include <string>
#include <vector>

#include "engine/core/ports.h"
#include "engine/locate/functions.h"

namespace tenline {

/// Ranks statements by what points at them: the failing stack, what the failing run executed, and
/// what the issue talks about. Works without a run too, then by the issue alone. Same input, same
/// output.
class FusedLocator : public Locator {
 public:
  /// `workspace` must outlive the locator.
  explicit FusedLocator(const Workspace& workspace);
  /// `files` are the repository's paths.
  FusedLocator(std::vector<std::string> files, ReadText read);

  /// At most k_most_locations, best first.
  [[nodiscard]] std::vector<Location> locate(const BugReport& report,
                                             const FailureTrace& trace) override;

  static constexpr std::size_t k_most_locations = 400;

 private:
  std::vector<std::string> files_;
  ReadText read_;
};

/// One location a function, at its best statement, in the order of the best statements.
[[nodiscard]] std::vector<Location> rank_functions(const std::vector<Location>& locations);

}  // namespace tenline
