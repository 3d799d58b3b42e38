#include "engine/locate/locate.h"

// Every signal gives a statement or a function a chance of being at fault; chances are joined as if
// they were independent: 1 - (1 - a)(1 - b)... A statement gets the chances of its function, scaled
// by how likely a statement of its kind is at fault, and its own.

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <utility>

#include "engine/base/text.h"
#include "engine/core/test_files.h"
#include "engine/locate/bm25.h"
#include "engine/locate/chance.h"
#include "engine/locate/issue_terms.h"
#include "engine/locate/stack.h"

namespace tenline {

namespace {

/// The weights of all signals, between 0 and 1. They say how whole kinds of evidence compare.
struct Weights {
  // Statements on the failing stack.
  double failing_line = 0.85;
  double caller = 0.55;          ///< Per call outwards.
  double raise = 0.65;           ///< A `raise` does what it should; what led to it may not.
  double guard = 0.8;            ///< The branch in front of a failing `raise` or `assert`.
  double feeds_attribute = 0.3;  ///< The same by `self.x = ...` elsewhere in the class.
  double feeds_failure = 0.5;    ///< Assigns a variable that the failing line uses.
  // Functions.
  double on_stack = 0.4;
  double miscalled = 0.4;     ///< Its signature refused the failing call.
  double named_method = 0.6;  ///< With its class.
  double named_function = 0.5;
  double named_class = 0.25;
  double named_parameter = 0.2;
  double words = 0.35;  ///< The best match; others by their share.
  std::array<double, 4> depth = {0.3, 0.2, 0.12,
                                 0.06};  ///< Called by the reproduction, by that, ...
  double recent = 0.15;                  ///< Ran last; earlier ones less.
  double recent_decay = 0.85;
  // How much of its function's chance a statement gets.
  double statement_base = 0.6;  ///< The rest goes by what the issue says of it.
  double not_executed = 0.4;
  double after_failure = 0.3;  ///< Not executed, and below the failing line.
  double not_called = 0.4;     ///< Of a function that is named but did not run.
  double import_time = 0.3;    ///< Of a function that ran only while modules were imported.
  double module_level = 0.25;
};
constexpr Weights k_weights;
constexpr double k_length_penalty = 0.1;  ///< Longer functions spread their chance over more lines.
constexpr double k_least_score = 0.005;

double chance_of(StatementKind kind) {
  switch (kind) {
    case StatementKind::ordinary:
    case StatementKind::branch:
      return 1.0;
    case StatementKind::copy:
      return 0.75;
    case StatementKind::loop:
      return 0.9;
    case StatementKind::stop:
      return 0.6;
    case StatementKind::definition:
      return 0.7;
    case StatementKind::import:
      return 0.5;
    case StatementKind::decorator:
    case StatementKind::quiet:
      return 0.3;
  }
  return 0;
}

using FunctionKey = std::pair<std::string, std::size_t>;
using StatementKey = std::pair<std::string, int>;

/// The names that a statement gives a value: those before its first `=`, and loop variables.
std::vector<std::string_view> assigned_names(const Statement& statement) {
  std::string_view text = statement.text;
  if (text.starts_with("for ")) return identifiers_in(text.substr(4, text.find(" in ") - 4));
  const std::size_t equals = text.find('=');
  if (equals == std::string_view::npos || text.substr(equals).starts_with("==")) return {};
  text = text.substr(0, equals);
  if (text.find('(') != std::string_view::npos) return {};
  return identifiers_in(text);
}

/// One call of locate.
class Fusion {
 public:
  Fusion(const BugReport& report, const FailureTrace& trace, Sources& sources)
      : terms_(report, trace.main_exception()), sources_(sources) {}

  [[nodiscard]] const IssueTerms& terms() const { return terms_; }

  void blame_frames(const std::vector<BlamedFrame>& frames) {
    for (const BlamedFrame& frame : frames) {
      const SourceFile* file = sources_.get(frame.file);
      const Statement* statement = file == nullptr ? nullptr : file->statement_at(frame.line);
      if (statement == nullptr) continue;
      const double weight = frame.weight * std::pow(k_weights.caller, frame.level);
      const std::string what = frame.what.empty() ? "an exception" : frame.what;
      const std::string reason = frame.level == 0 ? fmt::format("raised here: {}", what)
                                                  : fmt::format("passed through by {}", what);
      double& on_stack = on_stack_[{frame.file, statement->function}];
      on_stack = std::max(on_stack, weight);
      int& failing = failing_line_[{frame.file, statement->function}];
      failing = std::max(failing, statement->line);
      const bool stop = statement->kind == StatementKind::stop && frame.level == 0;
      statements_[{frame.file, statement->line}].add(
          weight * (stop ? k_weights.raise : k_weights.failing_line), reason);
      if (stop) blame_guard(*file, *statement, weight);
      blame_feeders(*file, *statement, weight);
      if (frame.level == 0) blame_attributes(*file, *statement, weight);
    }
  }

  void blame_functions(const std::vector<Suspect>& suspects) {
    std::vector<std::vector<std::string>> documents;
    std::map<std::string_view, int> same_name;
    std::vector<int> events;
    bool ran = false;
    for (const Suspect& suspect : suspects) {
      documents.push_back(words_of(suspect));
      ++same_name[suspect.info().short_name()];
      if (suspect.executed && !suspect.info().is_module()) events.push_back(suspect.last_event);
      ran = ran || suspect.executed;
    }
    std::sort(events.rbegin(), events.rend());
    const std::vector<double> matches = bm25(documents, terms_.words());
    for (std::size_t i = 0; i < suspects.size(); ++i) {
      const Suspect& suspect = suspects[i];
      Chance chance;
      blame_names(suspect.info(), same_name[suspect.info().short_name()], chance);
      chance.add(k_weights.words * matches[i] * matches[i],
                 matches[i] > 0.5 ? "its words match the issue" : "");
      if (suspect.executed) blame_execution(suspect, events, chance);
      const auto stack = on_stack_.find({suspect.file->path, suspect.function});
      if (stack != on_stack_.end()) {
        chance.add(k_weights.on_stack * stack->second, "in a function on the failing stack");
      }
      if (ran && !suspect.executed && !terms_.miscalled(suspect.info().short_name())) {
        Chance less;
        less.join(chance, k_weights.not_called);
        chance = less;
      }
      spread(suspect, chance, stack == on_stack_.end());
    }
  }

  [[nodiscard]] std::vector<Location> ranked() {
    std::vector<Location> locations;
    for (const auto& [key, chance] : statements_) {
      if (chance.value() < k_least_score || belongs_to_tests(key.first)) continue;
      const SourceFile* file = sources_.get(key.first);
      const Statement* statement = file->statement_at(key.second);
      Location location;
      location.file = key.first;
      location.line = key.second;
      location.function = file->functions[statement->function].name;
      location.score = chance.value();
      location.reasons = chance.reasons();
      locations.push_back(std::move(location));
    }
    std::stable_sort(locations.begin(), locations.end(),  // Ties stay in order of file and line.
                     [](const Location& a, const Location& b) { return a.score > b.score; });
    if (locations.size() > FusedLocator::k_most_locations) {
      locations.resize(FusedLocator::k_most_locations);
    }
    return locations;
  }

 private:
  /// The branch whose condition let the run come to the raise, and all before it in its if-chain:
  /// one of them should have been taken.
  void blame_guard(const SourceFile& file, const Statement& stop, double weight) {
    std::vector<const Statement*> chain;
    for (const std::size_t i : file.functions[stop.function].statements) {
      const Statement& statement = file.statements[i];
      if (statement.line >= stop.line) break;
      const bool around = statement.column < stop.column;  // The `if` of an `else` too.
      if (statement.kind != StatementKind::branch || !around) continue;
      const bool goes_on = !chain.empty() && chain.back()->column == statement.column &&
                           statement.text.starts_with("elif");
      if (!goes_on) chain.clear();
      chain.push_back(&statement);
    }
    for (const Statement* branch : chain) {
      statements_[{file.path, branch->line}].add(weight * k_weights.guard,
                                                 "decides about the raise");
    }
  }

  void blame_feeders(const SourceFile& file, const Statement& failing, double weight) {
    const std::vector<std::string_view> used = identifiers_in(failing.text);
    for (const std::size_t i : file.functions[failing.function].statements) {
      const Statement& statement = file.statements[i];
      if (statement.line >= failing.line) break;
      for (const std::string_view name : assigned_names(statement)) {
        if (name == "self" || std::find(used.begin(), used.end(), name) == used.end()) continue;
        const double near = 1.0 / (1 + (failing.line - statement.line) / 20.0);
        statements_[{file.path, statement.line}].add(
            weight * k_weights.feeds_failure * near,
            fmt::format("sets `{}` of the failing line", name));
        break;
      }
    }
  }

  /// `self.x = ...` in other methods, where the failing line reads `self.x`.
  void blame_attributes(const SourceFile& file, const Statement& failing, double weight) {
    const std::string& class_name = file.functions[failing.function].class_name;
    if (class_name.empty()) return;
    const std::vector<std::string_view> used = identifiers_in(failing.text);
    for (std::size_t f = 1; f < file.functions.size(); ++f) {
      if (f == failing.function || file.functions[f].class_name != class_name) continue;
      for (const std::size_t i : file.functions[f].statements) {
        const Statement& statement = file.statements[i];
        if (!statement.text.starts_with("self.")) continue;
        const std::vector<std::string_view> set = assigned_names(statement);
        if (set.size() != 2 || std::find(used.begin(), used.end(), set[1]) == used.end()) continue;
        statements_[{file.path, statement.line}].add(
            weight * k_weights.feeds_attribute,
            fmt::format("sets `self.{}` of the failing line", set[1]));
      }
    }
  }

  void blame_names(const SourceFunction& function, int same_name, Chance& chance) const {
    const std::string_view name = function.short_name();
    if (function.is_module()) return;
    if (terms_.miscalled(name)) chance.add(k_weights.miscalled, "its signature refuses the call");
    if (terms_.names_method(function)) {
      chance.add(k_weights.named_method, "function and class named in the issue");
    } else if (terms_.names(name) && !name.starts_with("__")) {
      chance.add(k_weights.named_function / std::sqrt(static_cast<double>(std::max(same_name, 1))),
                 "function named in the issue");
    } else if (!function.class_name.empty() && terms_.names(function.class_name)) {
      chance.add(k_weights.named_class, "its class is named in the issue");
    }
    for (const std::string& parameter : function.parameters) {
      if (parameter.size() < 3 || !terms_.names(parameter)) continue;
      chance.add(k_weights.named_parameter,
                 fmt::format("its parameter `{}` is named in the issue", parameter));
      break;
    }
  }

  static void blame_execution(const Suspect& suspect, const std::vector<int>& events,
                              Chance& chance) {
    if (suspect.info().is_module()) return;
    const double phase = suspect.while_importing ? k_weights.import_time : 1.0;
    const auto depth = static_cast<std::size_t>(std::clamp(suspect.depth - 1, 0, 3));
    chance.add(k_weights.depth[depth] * phase,
               depth == 0 ? "called directly by the reproduction" : "executed by the failing run");
    const auto later = std::lower_bound(events.begin(), events.end(), suspect.last_event,
                                        [](int a, int b) { return a > b; });
    const auto rank = static_cast<double>(later - events.begin());
    chance.add(k_weights.recent * std::pow(k_weights.recent_decay, rank) * phase,
               rank < 3 ? "ran shortly before the failure" : "");
  }

  /// Gives the function's statements their shares.
  void spread(const Suspect& suspect, const Chance& chance, bool off_stack) {
    const SourceFile& file = *suspect.file;
    const bool module = suspect.info().is_module();
    const auto failing = failing_line_.find({file.path, suspect.function});
    const std::vector<std::size_t>& own = suspect.info().statements;
    const double size =
        std::pow(static_cast<double>(std::max<std::size_t>(own.size(), 1)), -k_length_penalty);
    for (const std::size_t index : own) {
      const Statement* statement = &file.statements[index];
      double share = chance_of(statement->kind) * size;
      const double overlap = terms_.overlap(statement->text);
      share *= k_weights.statement_base + (1 - k_weights.statement_base) * overlap;
      const bool executed = !suspect.executed || suspect.lines.contains(statement->line) ||
                            statement->kind == StatementKind::definition;
      Chance& there = statements_[{file.path, statement->line}];
      if (module) {
        // Constants and tables: only where the issue speaks of them, or next to a failing line.
        if (statement->kind == StatementKind::definition) continue;
        if (off_stack && (overlap < 0.35 || statement->kind == StatementKind::import)) continue;
        there.add(k_weights.module_level * share * (executed ? 1 : k_weights.not_executed),
                  overlap >= 0.35 ? "named in the issue" : "next to a failing line");
        continue;
      }
      if (!executed) {
        const bool after = failing != failing_line_.end() && statement->line > failing->second;
        share *= after ? k_weights.after_failure : k_weights.not_executed;
      } else if (failing != failing_line_.end()) {
        const double distance = std::abs(statement->line - failing->second);
        share *= 0.6 + 0.4 / (1 + distance / 10);
      }
      there.join(chance, share);
    }
  }

  [[nodiscard]] static std::vector<std::string> words_of(const Suspect& suspect) {
    constexpr std::size_t k_most = 3000;
    std::vector<std::string> words;
    const auto add = [&](std::string_view text) {
      for (const std::string_view identifier : identifiers_in(text)) {
        for (std::string& word : identifier_words(identifier)) words.push_back(std::move(word));
      }
    };
    if (suspect.info().is_module()) return words;
    std::string_view file = suspect.file->path;
    file.remove_suffix(std::min<std::size_t>(file.size(), 3));
    add(suspect.info().name);
    add(suspect.info().name);
    add(file.substr(file.rfind('/') + 1));
    for (const std::string& parameter : suspect.info().parameters) add(parameter);
    for (const std::size_t index : suspect.info().statements) {
      if (words.size() > k_most) break;
      add(suspect.file->statements[index].text);
    }
    return words;
  }

  IssueTerms terms_;
  Sources& sources_;
  std::map<FunctionKey, double> on_stack_;
  std::map<FunctionKey, int> failing_line_;
  std::map<StatementKey, Chance> statements_;
};

}  // namespace

FusedLocator::FusedLocator(const Workspace& workspace)
    : files_(workspace.files()),
      read_([&workspace](const std::string& path) { return workspace.read(path); }) {}

FusedLocator::FusedLocator(std::vector<std::string> files, ReadText read)
    : files_(std::move(files)), read_(std::move(read)) {}

std::vector<Location> FusedLocator::locate(const BugReport& report, const FailureTrace& trace) {
  Sources sources(read_);
  Fusion fusion(report, trace, sources);
  std::vector<BlamedFrame> frames = blamed_frames(trace, fusion.terms());
  const auto sure = [&] {
    return std::any_of(frames.begin(), frames.end(),
                       [](const BlamedFrame& frame) { return frame.weight >= 0.8; });
  };
  // Where the run does not show the failure as an exception, the issue may.
  for (auto it = report.tracebacks.rbegin(); it != report.tracebacks.rend() && !sure(); ++it) {
    const auto reported =
        blamed_frames(*it, files_, [&](const std::string& path) { return sources.get(path); });
    frames.insert(frames.end(), reported.begin(), reported.end());
  }
  fusion.blame_frames(frames);
  std::vector<Suspect> suspects = executed_functions(trace, fusion.terms(), sources);
  const bool ran = std::any_of(suspects.begin(), suspects.end(), [](const Suspect& suspect) {
    return suspect.executed && !suspect.while_importing && !suspect.info().is_module();
  });
  // No run, or one whose work was done by other processes.
  if (trace.functions.empty() || (!ran && !sure()))
    add_mentioned_functions(report, files_, read_, sources, suspects);
  fusion.blame_functions(suspects);
  return fusion.ranked();
}

std::vector<Location> rank_functions(const std::vector<Location>& locations) {
  std::vector<Location> functions;
  std::map<std::pair<std::string, std::string>, std::size_t> seen;
  for (const Location& location : locations) {
    if (seen.emplace(std::pair(location.file, location.function), functions.size()).second) {
      functions.push_back(location);
    }
  }
  return functions;
}

}  // namespace tenline
