#pragma once

// Template recall: can the engine, told where the developers changed the code, say their edit?

#include <cstddef>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "corpus/fixes.h"

namespace tenline {
class GitHistory;
}

namespace tenline::corpus {

/// What the engine is told: the changed lines, or all lines of the functions that hold them.
enum class Told { lines, functions };

struct RecallOptions {
  Told told = Told::lines;
  int jobs = 1;
  int max_changed_lines = 10;
  /// What was read from versions of files, to be kept between measurements; may be null.
  std::map<std::string, std::string>* cache = nullptr;
};

/// Why the developers' edit is not among the candidates.
enum class MissReason {
  none,            ///< It is among them.
  unreadable,      ///< The repository lacks a commit or a file of it.
  not_python,      ///< The fix changes a file that is not Python.
  new_name,        ///< It needs a name that the changed files do not have.
  new_literal,     ///< It needs a string or number that they do not have.
  too_deep,        ///< It writes more than a dozen tokens that no template puts together.
  several_places,  ///< It changes several places in different ways.
  shape,           ///< A small edit of known parts that no template makes.
};

[[nodiscard]] std::string_view to_string(MissReason reason);

/// How many candidates a key of the prior had in a bin of weights, and how many were the fix.
struct Count {
  std::size_t candidates = 0;
  std::size_t hits = 0;
};
using Counts = std::map<std::pair<std::string, int>, Count>;

struct FixRecall {
  Fix fix;
  std::size_t rank = 0;       ///< Position of the developers' edit, from 1; 0: not among them.
  std::size_t generated = 0;  ///< Candidates for this fix, without duplicates.
  std::string template_id;    ///< That made it.
  MissReason reason = MissReason::none;
  double cpu_seconds = 0;  ///< Of proposing.
  Counts counts;           ///< By the prior's key and bin.

  /// It counts: a readable fix of Python files only.
  [[nodiscard]] bool measured() const {
    return reason != MissReason::unreadable && reason != MissReason::not_python;
  }
};

using Repositories = std::map<std::string, std::shared_ptr<GitHistory>>;  ///< By "owner/name".

/// One answer per fix, in the order of the fixes; the same for any number of jobs. `done` is called
/// after each, from one thread at a time.
[[nodiscard]] std::vector<FixRecall> measure_recall(const std::vector<Fix>& fixes,
                                                    const Repositories& repositories,
                                                    const RecallOptions& options,
                                                    const std::function<void()>& done);

}  // namespace tenline::corpus
