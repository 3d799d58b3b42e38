// The words that reports and JSON documents use for the enumerations of this folder.

#include "engine/core/candidate.h"
#include "engine/core/ports.h"
#include "engine/core/verdict.h"

namespace tenline {

std::string_view to_string(Family family) {
  switch (family) {
    case Family::conditional_logic:
      return "conditional_logic";
    case Family::parameter_handling:
      return "parameter_handling";
    case Family::version_compatibility:
      return "version_compatibility";
    case Family::precondition_guard:
      return "precondition_guard";
    case Family::wrong_api_or_name:
      return "wrong_api_or_name";
    case Family::config_dependency:
      return "config_dependency";
    case Family::rank_device_dtype_group:
      return "rank_device_dtype_group";
    case Family::state_or_order:
      return "state_or_order";
    case Family::arithmetic:
      return "arithmetic";
    case Family::other:
      return "other";
  }
  return "other";
}

std::string_view to_string(Stage stage) {
  switch (stage) {
    case Stage::cold:
      return "cold";
    case Stage::warm:
      return "warm";
    case Stage::late:
      return "late";
    case Stage::grouped:
      return "grouped";
    case Stage::unreached:
      return "unreached";
  }
  return "cold";
}

std::string_view to_string(Level level) {
  switch (level) {
    case Level::none:
      return "none";
    case Level::e0:
      return "E0";
    case Level::e1:
      return "E1";
    case Level::e2:
      return "E2";
    case Level::e3:
      return "E3";
    case Level::e4:
      return "E4";
  }
  return "none";
}

std::string_view to_string(Outcome outcome) {
  switch (outcome) {
    case Outcome::passes:
      return "passes";
    case Outcome::fails:
      return "fails";
    case Outcome::does_not_parse:
      return "does_not_parse";
    case Outcome::timed_out:
      return "timed_out";
    case Outcome::limit:
      return "limit";
    case Outcome::breaks_tests:
      return "breaks_tests";
    case Outcome::put_off:
      return "put_off";
    case Outcome::infrastructure:
      return "infrastructure";
  }
  return "infrastructure";
}

std::string_view to_string(Reproduced reproduced) {
  switch (reproduced) {
    case Reproduced::yes:
      return "reproduced";
    case Reproduced::already_fixed:
      return "already_fixed";
    case Reproduced::flaky:
      return "flaky";
    case Reproduced::not_reproducible:
      return "not_reproducible";
    case Reproduced::needs_gpus:
      return "needs_gpus";
    case Reproduced::environment:
      return "environment";
  }
  return "environment";
}

std::string_view to_string(ProcessEnd end) {
  switch (end) {
    case ProcessEnd::exited:
      return "exited";
    case ProcessEnd::signalled:
      return "ended by a signal";
    case ProcessEnd::timed_out:
      return "time limit";
    case ProcessEnd::memory_limit:
      return "memory limit";
    case ProcessEnd::process_limit:
      return "process limit";
    case ProcessEnd::scratch_limit:
      return "disk limit";
    case ProcessEnd::output_limit:
      return "output limit";
    case ProcessEnd::cancelled:
      return "cancelled";
  }
  return "cancelled";
}

}  // namespace tenline
