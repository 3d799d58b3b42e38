#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

namespace tenline {

/// Where a run is.
struct ProgressState {
  std::string_view stage = "checking";
  std::size_t done = 0;
  std::size_t planned = 0;  ///< 0 where the stage has nothing to count.
  std::size_t passing = 0;
  double per_second = 0;  ///< 0 where it is not known yet.
};

/// "checking 37/412, 2 pass, 1.1/s, 5 min left".
[[nodiscard]] std::string progress_text(const ProgressState& state);

/// Decides when progress is worth printing: on a terminal one line that is rewritten at most ten
/// times a second, elsewhere a line per ten seconds. `now` gives seconds that never go back. For
/// one thread at a time.
class Progress {
 public:
  enum class Target { terminal, lines };

  Progress(Target target, std::function<double()> now);

  /// What to write to standard error now; nothing between two lines. The rate is found here.
  [[nodiscard]] std::optional<std::string> update(ProgressState state);

  /// Takes the line off a terminal before something else is printed; empty elsewhere.
  [[nodiscard]] std::string clear();

 private:
  struct Mark {
    double time = 0;
    std::size_t done = 0;
  };
  [[nodiscard]] double rate(double time, std::size_t done);

  Target target_;
  std::function<double()> now_;
  double last_printed_;
  bool line_is_open_ = false;
  Mark older_;  ///< The rate is that since this mark, half a minute to a minute ago.
  Mark newer_;
  std::string stage_;
};

}  // namespace tenline
