#include "app/cli/observer.h"

#include <fmt/format.h>

#include <chrono>
#include <cstdio>

#include "engine/report/wording.h"

namespace tenline::cli {

namespace {

double now() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

}  // namespace

RunObserver::RunObserver(const std::string& log_file, const PrintOptions& print)
    : log_(log_file, std::ios::app),
      print_(print),
      progress_(print.terminal ? Progress::Target::terminal : Progress::Target::lines, now) {}

RunObserver::~RunObserver() { fmt::print(stderr, "{}", progress_.clear()); }

void RunObserver::reproduced(const Reproduction& reproduction) {
  log({{"event", "reproduced"},
       {"answer", to_string(reproduction.reproduced)},
       {"detail", reproduction.detail},
       {"runs", reproduction.runs},
       {"seconds", reproduction.seconds},
       {"output", reproduction.output}});
  if (reproduction.reproduced == Reproduced::yes) {
    say(fmt::format("reproduced in {} runs ({} each): {}", reproduction.runs,
                    duration_text(reproduction.seconds), visible_line(reproduction.detail)));
  }
}

void RunObserver::located(const std::vector<Location>& locations) {
  Json best = Json::array();
  constexpr std::size_t k_logged = 20;
  for (std::size_t i = 0; i < std::min(k_logged, locations.size()); ++i) {
    const Location& location = locations[i];
    best.push_back({{"file", location.file},
                    {"line", location.line},
                    {"function", location.function},
                    {"score", location.score},
                    {"reasons", location.reasons}});
  }
  log({{"event", "located"}, {"places", locations.size()}, {"best", best}});
  if (!locations.empty()) {
    say(fmt::format("located {} places; first {}:{} in {}", locations.size(),
                    visible_line(locations.front().file), locations.front().line,
                    visible_line(locations.front().function)));
  }
}

void RunObserver::proposed(std::size_t candidates) {
  log({{"event", "proposed"}, {"candidates", candidates}});
  say(fmt::format("proposed {} candidates", candidates));
}

void RunObserver::checked(const CheckedCandidate& checked, std::size_t done, std::size_t planned,
                          std::size_t passing) {
  log({{"event", "checked"},
       {"position", checked.position},
       {"candidate", checked.candidate.id},
       {"template", checked.candidate.template_id},
       {"file", checked.candidate.file},
       {"line", checked.candidate.line},
       {"summary", checked.candidate.summary},
       {"score", checked.candidate.score},
       {"outcome", to_string(checked.verdict.outcome)},
       {"level", to_string(checked.verdict.level)},
       {"detail", checked.verdict.detail},
       {"stage", to_string(checked.verdict.stage)},
       {"seconds", checked.verdict.seconds},
       {"cpu_seconds", checked.verdict.cpu_seconds}});
  show({"checking", done, planned, passing, 0});
}

void RunObserver::say(const std::string& line) {
  if (print_.progress) fmt::print(stderr, "{}tenline: {}\n", progress_.clear(), line);
}

void RunObserver::log(Json event) {
  const auto since = std::chrono::system_clock::now().time_since_epoch();
  event["time"] = std::chrono::duration<double>(since).count();
  log_ << to_text(event) << '\n' << std::flush;
}

void RunObserver::show(const ProgressState& state) {
  if (!print_.progress) return;
  if (const auto line = progress_.update(state)) {
    fmt::print(stderr, "{}", *line);
    std::fflush(stderr);
  }
}

}  // namespace tenline::cli
