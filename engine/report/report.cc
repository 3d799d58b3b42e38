#include "engine/report/report.h"

namespace tenline {

int exit_code(RepairEnd end) {
  switch (end) {
    case RepairEnd::patched:
      return 0;
    case RepairEnd::no_patch:
      return 1;
    case RepairEnd::not_reproducible:
    case RepairEnd::already_fixed:
    case RepairEnd::flaky:
      return 3;
    case RepairEnd::needs_gpus:
    case RepairEnd::environment:
      return 4;
    case RepairEnd::budget:
      return 5;
    case RepairEnd::interrupted:
      return 130;
  }
  return 70;
}

int exit_code(const RunReport& report) {
  return report.failure ? report.failure->exit_code : exit_code(report.result.end);
}

std::string_view outcome(const RunReport& report) {
  return report.failure ? std::string_view(report.failure->outcome) : to_string(report.result.end);
}

const std::string& detail(const RunReport& report) {
  return report.failure ? report.failure->detail : report.result.detail;
}

std::string_view diff_of(const RunReport& report, std::size_t index) {
  return index < report.diffs.size() ? std::string_view(report.diffs[index]) : std::string_view();
}

}  // namespace tenline
