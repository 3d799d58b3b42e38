#include "app/cli/options.h"

#include <cmath>
#include <cstdlib>

#include "engine/base/text.h"

namespace tenline::cli {

Json to_json(const FixOptions& options) {
  return {{"repository", options.repository},
          {"revision", options.revision},
          {"repro_name", options.repro_name},
          {"test", options.test},
          {"python", options.python},
          {"has_issue", options.has_issue},
          {"jobs", options.jobs},
          {"repeats", options.repeats},
          {"budget_seconds", options.budget_seconds},
          {"time_limit_seconds", options.time_limit_seconds},
          {"max_candidates", options.max_candidates},
          {"top", options.top},
          {"sandbox", options.sandbox},
          {"warm", options.warm}};
}

Result<FixOptions> options_from_json(const Json& document) {
  try {
    FixOptions options;
    document.at("repository").get_to(options.repository);
    document.at("revision").get_to(options.revision);
    document.at("repro_name").get_to(options.repro_name);
    document.at("test").get_to(options.test);
    document.at("python").get_to(options.python);
    document.at("has_issue").get_to(options.has_issue);
    document.at("jobs").get_to(options.jobs);
    document.at("repeats").get_to(options.repeats);
    document.at("budget_seconds").get_to(options.budget_seconds);
    document.at("time_limit_seconds").get_to(options.time_limit_seconds);
    document.at("max_candidates").get_to(options.max_candidates);
    document.at("top").get_to(options.top);
    document.at("sandbox").get_to(options.sandbox);
    options.warm = document.value("warm", true);
    return options;
  } catch (const Json::exception& error) {
    return fail(ErrorCode::invalid_input, error.what());
  }
}

Result<double> parse_duration(std::string_view text) {
  const auto wrong = [&] {
    return fail(ErrorCode::invalid_input,
                fmt::format("\"{}\" is not a duration such as 90s, 10m or 1h30m", text));
  };
  double seconds = 0;
  std::string rest(trim(text));
  if (rest.empty()) return wrong();
  while (!rest.empty()) {
    char* end = nullptr;
    const double number = std::strtod(rest.c_str(), &end);
    const auto used = static_cast<std::size_t>(end - rest.c_str());
    if (used == 0 || !std::isfinite(number) || number < 0) return wrong();
    rest.erase(0, used);
    double unit = 1;
    if (!rest.empty()) {
      if (rest[0] == 'h') {
        unit = 3600;
      } else if (rest[0] == 'm') {
        unit = 60;
      } else if (rest[0] != 's') {
        return wrong();
      }
      rest.erase(0, 1);
    }
    seconds += number * unit;
  }
  constexpr double k_longest = 30.0 * 24 * 3600;
  if (seconds <= 0 || seconds > k_longest) return wrong();
  return seconds;
}

}  // namespace tenline::cli
