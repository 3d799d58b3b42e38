#include "engine/locate/stack.h"

#include <algorithm>
#include <cstdlib>
#include <ranges>
#include <set>
#include <utility>

#include "engine/base/text.h"

namespace tenline {

namespace {

constexpr std::size_t k_most_exceptions = 4;
constexpr std::size_t k_most_levels = 40;

/// How sure it is that this exception is what the issue is about. Programs raise and catch many
/// that are not: `hasattr`, optional imports, `StopIteration`.
double relevance(const FailureException& exception, const FailureException* main,
                 const IssueTerms& terms) {
  const std::string type = exception.type.substr(exception.type.rfind('.') + 1);
  const bool reported = terms.exception_types().contains(type);
  const bool unknown = terms.exception_types().empty();
  if (&exception == main && reported) return 1;
  if (&exception == main) return unknown ? 0.9 : 0.45;
  if (type == "StopIteration" || type == "GeneratorExit" || type == "StopAsyncIteration") return 0;
  return reported && type != "AssertionError" ? 0.5 : 0.1;
}

}  // namespace

std::vector<BlamedFrame> blamed_frames(const FailureTrace& trace, const IssueTerms& terms) {
  const FailureException* main = trace.main_exception();
  std::vector<std::pair<double, const FailureException*>> relevant;
  std::set<std::pair<std::string, int>> places;
  // From the end: the last exceptions are the nearest to the failure.
  for (const FailureException& exception : trace.exceptions | std::views::reverse) {
    if (exception.frames.empty()) continue;
    const double weight = relevance(exception, main, terms);
    const FailureFrame& inner = exception.frames.back();
    if (weight > 0 && places.emplace(inner.file, inner.line).second) {
      relevant.emplace_back(weight, &exception);
    }
  }
  std::stable_sort(relevant.begin(), relevant.end(),
                   [](const auto& a, const auto& b) { return a.first > b.first; });
  if (relevant.size() > k_most_exceptions) relevant.resize(k_most_exceptions);
  std::vector<BlamedFrame> blamed;
  for (const auto& [weight, exception] : relevant) {
    int level = 0;
    const auto& frames = exception->frames;
    for (std::size_t i = 0; i < std::min(frames.size(), k_most_levels); ++i) {
      const FailureFrame& frame = frames[frames.size() - 1 - i];
      blamed.push_back({frame.file, frame.line, level, weight, exception->type});
      // A comprehension is a frame of its own, but not a caller.
      if (!frame.function.ends_with('>') || frame.function == "<module>") ++level;
    }
  }
  return blamed;
}

std::string repository_file(std::string path, const std::vector<std::string>& files) {
  std::replace(path.begin(), path.end(), '\\', '/');
  std::string longer;   // A repository path that the traceback shows the end of.
  std::string shorter;  // One that the traceback shows with folders before it.
  for (const std::string& file : files) {
    if (file == path) return file;
    if (path.ends_with("/" + file) && file.size() > shorter.size()) shorter = file;
    if (file.ends_with("/" + path) && path.find('/') != std::string::npos) {
      longer = longer.empty() ? file : "?";
    }
  }
  // A lone "utils.py" at the root of the repository is anybody's.
  if (shorter.find('/') != std::string::npos) return shorter;
  return longer == "?" ? "" : longer;
}

int matching_line(const Frame& frame, const SourceFile& file) {
  const std::string_view function = [&] {
    const std::string_view all = frame.function;
    return all.substr(all.rfind('.') + 1);
  }();
  const auto is_code = [&](const Statement& statement) {
    return !frame.code.empty() && (statement.text.find(frame.code) != std::string::npos ||
                                   frame.code.starts_with(statement.text));
  };
  const Statement* there = file.statement_at(frame.line);
  if (there != nullptr && is_code(*there)) return frame.line;
  int best = 0;
  for (const Statement& statement : file.statements) {
    if (!is_code(statement) || file.functions[statement.function].short_name() != function)
      continue;
    const int distance = std::abs(statement.line - frame.line);
    if (best == 0 || distance < std::abs(best - frame.line)) best = statement.line;
  }
  if (best != 0) return best;
  const bool same = file.functions[file.function_at(frame.line)].short_name() == function;
  return there != nullptr && frame.code.empty() && same ? frame.line : 0;
}

}  // namespace tenline
