#include "engine/report/progress.h"

#include <fmt/format.h>

#include <limits>
#include <utility>

#include "engine/report/wording.h"

namespace tenline {
namespace {

std::string rate_text(double per_second) {
  if (per_second >= 9.95) return fmt::format("{:.0f}/s", per_second);
  if (per_second >= 0.1) return fmt::format("{:.1f}/s", per_second);
  return fmt::format("{:.1f}/min", per_second * 60);
}

}  // namespace

std::string progress_text(const ProgressState& state) {
  if (state.planned == 0) return std::string(state.stage);
  std::string text =
      fmt::format("{} {}/{}, {} pass", state.stage, state.done, state.planned, state.passing);
  if (state.per_second <= 0) return text;
  text += ", " + rate_text(state.per_second);
  if (state.done < state.planned) {
    const auto left = static_cast<double>(state.planned - state.done);
    text += fmt::format(", {} left", duration_text(left / state.per_second));
  }
  return text;
}

Progress::Progress(Target target, std::function<double()> now)
    : target_(target), now_(std::move(now)) {
  const double start = now_();
  // A terminal shows the first state at once; a log only tells of runs that take a while.
  last_printed_ = target == Target::terminal ? -std::numeric_limits<double>::infinity() : start;
  older_ = newer_ = {.time = start, .done = 0};
}

double Progress::rate(double time, std::size_t done) {
  // Two marks that move on make a sliding window: answers that a resumed run remembers come in a
  // burst, and must not promise an end that is far too near.
  constexpr double k_window = 30;
  if (time - newer_.time >= k_window) {
    older_ = std::exchange(newer_, {.time = time, .done = done});
  }
  const double elapsed = time - older_.time;
  if (elapsed <= 0 || done <= older_.done) return 0;
  return static_cast<double>(done - older_.done) / elapsed;
}

std::optional<std::string> Progress::update(ProgressState state) {
  const double time = now_();
  if (state.stage != stage_) {
    stage_ = state.stage;
    older_ = newer_ = {.time = time, .done = state.done};
  }
  state.per_second = rate(time, state.done);
  const double pause = target_ == Target::terminal ? 0.1 : 10;
  if (time - last_printed_ < pause) return std::nullopt;
  last_printed_ = time;
  if (target_ == Target::lines) return progress_text(state) + "\n";
  line_is_open_ = true;
  return "\r" + progress_text(state) + "\x1b[K";
}

std::string Progress::clear() { return std::exchange(line_is_open_, false) ? "\r\x1b[K" : ""; }

}  // namespace tenline
