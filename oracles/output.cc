#include "oracles/output.h"

#include <algorithm>
#include <array>
#include <ranges>

#include "engine/base/text.h"

namespace tenline {

namespace {

/// `Type: message` or a bare `TypeError`, not indented, with a type named as exceptions are.
bool looks_like_error(std::string_view line) {
  const std::size_t colon = line.find(": ");
  std::string_view type = line.substr(0, colon);
  if (type.ends_with(':')) type.remove_suffix(1);
  if (type.size() > 200) return false;
  for (const std::string_view part : split(type, '.')) {
    if (!is_identifier(part)) return false;
  }
  const std::string_view name = type.substr(type.rfind('.') + 1);
  constexpr std::array<std::string_view, 7> k_ends = {"Error",     "Exception", "Interrupt", "Exit",
                                                      "Iteration", "Timeout",   "Warning"};
  return std::any_of(k_ends.begin(), k_ends.end(),
                     [&](std::string_view end) { return name.ends_with(end); });
}

/// Of pytest: "E   Type: message".
std::string_view without_marker(std::string_view line) {
  return line.starts_with("E   ") ? trim(line.substr(1)) : line;
}

std::string_view last_line(std::string_view text) {
  const std::string_view trimmed = trim(text);
  return trimmed.substr(trimmed.rfind('\n') + 1);
}

/// Only the end is looked at, so that a run that prints much costs little.
std::string_view end_part(std::string_view text) { return tail(text, std::size_t{64} << 10U); }

}  // namespace

std::string one_line(std::string_view text, std::size_t limit) {
  std::string line = to_valid_utf8(text.substr(0, limit));
  for (char& c : line) {
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7F) c = ' ';
  }
  return std::string(trim(line));
}

std::string last_error_line(std::string_view text) {
  const std::vector<std::string_view> lines = split_lines(end_part(text));
  for (const std::string_view whole : lines | std::views::reverse) {
    const std::string_view line = without_marker(whole);
    if (looks_like_error(line)) return one_line(line);
  }
  return {};
}

std::string test_error_line(std::string_view report) {
  if (std::string line = last_error_line(report); !line.empty()) return line;
  for (const std::string_view line : split_lines(end_part(report))) {
    if (line.starts_with("E   ")) return one_line(trim(line.substr(1)));
  }
  return {};
}

std::string last_error(const ProcessOutput& output) {
  for (const std::string* text : {&output.err, &output.out}) {
    if (std::string line = last_error_line(*text); !line.empty()) return line;
  }
  const std::string_view err = last_line(output.err);
  return one_line(err.empty() ? last_line(output.out) : err);
}

std::string missing_module(std::string_view error_line) {
  if (!error_line.starts_with("ModuleNotFoundError:") && !error_line.starts_with("ImportError:")) {
    return {};
  }
  constexpr std::string_view k_before = "No module named ";
  const std::size_t at = error_line.find(k_before);
  if (at == std::string_view::npos) return {};
  std::string_view name = error_line.substr(at + k_before.size());
  if (name.starts_with('\'')) {
    name = name.substr(1, name.find('\'', 1) - 1);
  } else {
    name = name.substr(0, name.find_first_of(" ;,"));
  }
  for (const std::string_view part : split(name, '.')) {
    if (!is_identifier(part)) return {};
  }
  return std::string(name);
}

bool needs_gpus(std::string_view error_line) {
  const std::string text = lower(error_line);
  constexpr std::array<std::string_view, 10> k_phrases = {
      "no nvidia driver",           "torch not compiled with cuda",
      "no cuda gpus are available", "cuda is not available",
      "no cuda-capable device",     "cuda driver version is insufficient",
      "cuda driver initialization", "libcuda.so",
      "cuda unknown error",         "invalid device ordinal"};
  if (std::any_of(k_phrases.begin(), k_phrases.end(), [&](std::string_view phrase) {
        return text.find(phrase) != std::string::npos;
      })) {
    return true;
  }
  // "requires 2 GPUs", "needs at least one GPU", "test requires a GPU".
  const bool asks =
      text.find("require") != std::string::npos || text.find("need") != std::string::npos;
  const std::size_t gpu = text.find("gpu");
  return asks && gpu != std::string::npos;
}

bool is_syntax_error(std::string_view error_line) {
  return error_line.starts_with("SyntaxError:") || error_line.starts_with("IndentationError:") ||
         error_line.starts_with("TabError:");
}

bool ends_with_uncaught_exception(const ProcessOutput& output) {
  const std::string_view err = end_part(output.err);
  const std::size_t traceback = err.rfind("Traceback (most recent call last):");
  if (traceback == std::string_view::npos) return false;
  // After the frames comes the exception; its message may have more lines, a program's last words
  // would look the same, which is as good.
  return !last_error_line(err.substr(traceback)).empty();
}

std::string end_of(const ProcessOutput& output, const ProcessLimits& limits) {
  switch (output.end) {
    case ProcessEnd::exited:
      return fmt::format("exit {}", output.exit_code);
    case ProcessEnd::signalled:
      return fmt::format("signal {}", output.signal);
    case ProcessEnd::timed_out:
      return fmt::format("time limit of {:.0f} s",
                         std::chrono::duration<double>(limits.time).count());
    case ProcessEnd::memory_limit:
      return fmt::format("memory limit of {} MiB", limits.memory >> 20U);
    case ProcessEnd::process_limit:
      return fmt::format("process limit of {}", limits.processes);
    case ProcessEnd::scratch_limit:
      return fmt::format("disk limit of {} MiB", limits.scratch >> 20U);
    case ProcessEnd::output_limit:
      return fmt::format("output limit of {} MiB", limits.output >> 20U);
    case ProcessEnd::cancelled:
      return "cancelled";
  }
  return "cancelled";
}

}  // namespace tenline
