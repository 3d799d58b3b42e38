#include "corpus/recall.h"

#include <algorithm>
#include <atomic>
#include <ctime>
#include <mutex>
#include <set>
#include <span>
#include <thread>

#include "corpus/facts_bytes.h"
#include "corpus/tokens.h"
#include "engine/base/text.h"
#include "engine/platform/git_history.h"
#include "engine/syntax/normal_form.h"
#include "engine/syntax/python_index.h"
#include "engine/syntax/python_scope.h"
#include "templates/draft.h"
#include "templates/prior.h"

namespace tenline::corpus {

namespace {

constexpr std::size_t k_largest_file = std::size_t{2} << 20U;

/// What the files of the revisions define, read once per version of a file.
class FactsCache {
 public:
  explicit FactsCache(std::map<std::string, std::string>* kept) : kept_(kept) {}

  /// An index of all Python files of a revision.
  PythonIndex index(GitHistory& history, const std::vector<GitHistory::File>& files) {
    const long now = ++clock_;
    PythonIndex index;
    for (const GitHistory::File& file : files) {
      if (!file.path.ends_with(".py")) continue;
      if (const std::shared_ptr<const PythonFacts> facts = find(history, file, now)) {
        index.add(file.path, *facts);
      }
    }
    forget(now);
    return index;
  }

 private:
  struct Entry {
    std::shared_ptr<const PythonFacts> facts;  ///< Null where the file cannot be read.
    long used = 0;
  };

  std::shared_ptr<const PythonFacts> find(GitHistory& history, const GitHistory::File& file,
                                          long now) {
    std::string key = file.blob + file.path;
    std::string bytes;
    {
      const std::lock_guard lock(mutex_);
      const auto it = entries_.find(key);
      if (it != entries_.end()) {
        it->second.used = now;
        return it->second.facts;
      }
      const auto kept = kept_->find(key);
      if (kept != kept_->end()) bytes = kept->second;
    }
    std::shared_ptr<const PythonFacts> facts = decode(bytes);
    if (!facts) {
      facts = read(history, file);
      bytes = facts ? to_bytes(*facts) : std::string{};
    }
    const std::lock_guard lock(mutex_);
    if (facts) (*kept_)[key] = std::move(bytes);
    entries_[std::move(key)] = {facts, now};
    return facts;
  }

  static std::shared_ptr<const PythonFacts> decode(const std::string& bytes) {
    if (bytes.empty()) return nullptr;
    Result<PythonFacts> facts = facts_from_bytes(bytes);
    return facts ? std::make_shared<PythonFacts>(*std::move(facts)) : nullptr;
  }

  static std::shared_ptr<const PythonFacts> read(GitHistory& history,
                                                 const GitHistory::File& file) {
    Result<std::string> text = history.blob(file.blob);
    if (!text || text->size() > k_largest_file) return nullptr;
    const Tree tree = Tree::parse(Language::python, *std::move(text));
    return std::make_shared<PythonFacts>(read_facts(file.path, tree));
  }

  /// Drops what the last revisions did not have; fixes are taken in the order of their dates.
  void forget(long now) {
    constexpr long k_revisions = 64;
    if (now % k_revisions != 0) return;
    const std::lock_guard lock(mutex_);
    std::erase_if(entries_,
                  [&](const auto& entry) { return entry.second.used + k_revisions < now; });
  }

  std::map<std::string, std::string>* kept_;
  std::atomic<long> clock_ = 0;
  std::mutex mutex_;
  std::map<std::string, Entry> entries_;
};

/// A file that the fix changes.
struct ChangedFile {
  std::string before;
  std::string after;
  std::vector<LineChange> changes;
};

using ChangedFiles = std::map<std::string, ChangedFile>;

Result<ChangedFiles> read_changes(GitHistory& history, const Fix& fix,
                                  const std::vector<GitHistory::File>& files) {
  TENLINE_TRY(const std::vector<GitHistory::File> fixed, history.files(fix.fix_commit));
  const auto blob = [&](const std::vector<GitHistory::File>& list, const std::string& path) {
    const auto it = std::ranges::find(list, path, &GitHistory::File::path);
    return it == list.end() ? std::string{} : it->blob;
  };
  ChangedFiles changed;
  for (const std::string& path : fix.files) {
    ChangedFile file;
    const std::string before = blob(files, path);
    const std::string after = blob(fixed, path);
    if (before.empty() || after.empty()) {
      return fail(ErrorCode::not_found, fmt::format("{} is not in both revisions", path));
    }
    TENLINE_TRY(file.before, history.blob(before));
    TENLINE_TRY(file.after, history.blob(after));
    TENLINE_TRY(file.changes, line_changes(file.before, file.after));
    changed.emplace(path, std::move(file));
  }
  return changed;
}

bool is_blank_or_comment(std::string_view line) {
  const std::size_t first = line.find_first_not_of(" \t\r");
  return first == std::string_view::npos || line[first] == '#';
}

/// The lines that a change touches; where it touches no code, as a pure insertion, the code on both
/// sides of it.
std::vector<int> lines_told(const std::vector<std::string_view>& text, const LineChange& change) {
  std::vector<int> lines;
  const int last = static_cast<int>(text.size());
  const auto is_code = [&](int line) {
    return !is_blank_or_comment(text[static_cast<std::size_t>(line - 1)]);
  };
  bool touches_code = false;
  for (int i = 0; i < change.before.count; ++i) {
    lines.push_back(change.before.first + i);
    touches_code = touches_code || is_code(lines.back());
  }
  if (touches_code) return lines;
  int above = change.before.first;
  while (above >= 1 && !is_code(above)) --above;
  int below = change.before.first + std::max(change.before.count, 1);
  while (below <= last && !is_code(below)) ++below;
  if (above >= 1) lines.push_back(above);
  if (below <= last) lines.push_back(below);
  return lines;
}

/// The function around a line, as its first and last line; the whole file outside functions.
std::pair<int, int> function_around(const Tree& tree, int line) {
  std::pair<int, int> range = {1, tree.root().end_line()};
  tree.root().walk([&](const Node& node) {
    if (node.line() > line || node.end_line() < line) return false;
    if (node.is("function_definition")) range = {node.line(), node.end_line()};
    return true;
  });
  return range;
}

std::vector<Location> places_told(const ChangedFiles& files,
                                  const std::map<std::string, Tree>& trees, Told told) {
  std::vector<Location> places;
  for (const auto& [path, file] : files) {
    const std::vector<std::string_view> text = split_lines(file.before);
    std::set<int> lines;
    for (const LineChange& change : file.changes) {
      for (const int line : lines_told(text, change)) lines.insert(line);
    }
    if (told == Told::functions) {
      std::set<int> all;
      for (const int line : lines) {
        const auto [first, last] = function_around(trees.at(path), line);
        for (int i = first; i <= last; ++i) all.insert(i);
      }
      lines = std::move(all);
    }
    for (const int line : lines) places.push_back({path, line, {}, 1.0, {}});
  }
  return places;
}

/// Knows the developers' edit when it sees it.
class Judge {
 public:
  Judge(const ChangedFiles& files, const std::map<std::string, Tree>& trees) : files_(files) {
    for (const auto& [path, file] : files) {
      const Tree fixed = Tree::parse(Language::python, file.after);
      const auto known = tokens_.emplace(path, trees.at(path)).first;
      wanted_change_ += FileTokens(fixed).sum() - known->second.sum();
      wanted_.emplace(path, normal_form(fixed.root()));
    }
  }

  [[nodiscard]] bool is_fix(const std::vector<Edit>& all) const {
    std::map<std::string, std::vector<Edit>> by_file;
    for (const Edit& edit : all) by_file[edit.file].push_back(edit);
    TokenSum change = 0;
    for (const auto& [path, edits] : by_file) change += tokens_.at(path).change(edits);
    if (change != wanted_change_) return false;
    for (const auto& [path, wanted] : wanted_) {
      const std::string& before = files_.at(path).before;
      const auto edits = by_file.find(path);
      const Result<std::string> text =
          edits == by_file.end() ? before : apply_edits(before, edits->second);
      if (!text || normal_form(Tree::parse(Language::python, *text).root()) != wanted) return false;
    }
    return true;
  }

 private:
  const ChangedFiles& files_;
  std::map<std::string, FileTokens> tokens_;
  std::map<std::string, std::string> wanted_;
  TokenSum wanted_change_ = 0;
};

std::span<const std::string_view> lines_of(std::span<const std::string_view> text,
                                           LineRange range) {
  if (range.count == 0) return {};  // Then the first line may be 0.
  return text.subspan(static_cast<std::size_t>(range.first) - 1,
                      static_cast<std::size_t>(range.count));
}

/// Why no template made it, by the tokens that the fix writes.
MissReason explain(const ChangedFiles& files) {
  std::size_t hunks = 0;
  std::size_t written = 0;
  bool new_name = false;
  bool new_literal = false;
  std::set<std::string> known;
  for (const auto& [path, file] : files) {
    for (std::string& token : tokens(file.before)) known.insert(std::move(token));
  }
  for (const auto& [path, file] : files) {
    const std::vector<std::string_view> before = split_lines(file.before);
    const std::vector<std::string_view> after = split_lines(file.after);
    for (const LineChange& change : file.changes) {
      ++hunks;
      std::multiset<std::string> gone;
      for (const std::string_view line : lines_of(before, change.before)) {
        for (std::string& token : tokens(line)) gone.insert(std::move(token));
      }
      for (const std::string_view line : lines_of(after, change.after)) {
        for (const std::string& token : tokens(line)) {
          const auto it = gone.find(token);
          if (it != gone.end()) {
            gone.erase(it);
            continue;
          }
          ++written;
          if (known.contains(token)) continue;
          const bool literal = token[0] == '"' || (token[0] >= '0' && token[0] <= '9');
          (literal ? new_literal : new_name) = true;
        }
      }
    }
  }
  constexpr std::size_t k_deep = 12;
  if (new_name) return MissReason::new_name;
  if (new_literal) return MissReason::new_literal;
  if (written > k_deep) return MissReason::too_deep;
  return hunks > 1 ? MissReason::several_places : MissReason::shape;
}

double thread_seconds() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) * 1e-9;
}

FixRecall measure(const Fix& fix, GitHistory& history, FactsCache& cache,
                  const RecallOptions& options) {
  FixRecall answer;
  answer.fix = fix;
  answer.reason = MissReason::unreadable;
  const Result<std::vector<GitHistory::File>> files = history.files(fix.parent_commit);
  if (!files) return answer;
  const bool python =
      std::ranges::all_of(fix.files, [](const std::string& f) { return f.ends_with(".py"); });
  if (!python) {
    answer.reason = MissReason::not_python;
    return answer;
  }
  const Result<ChangedFiles> changed = read_changes(history, fix, *files);
  if (!changed) return answer;
  const PythonIndex index = cache.index(history, *files);
  std::map<std::string, Tree> trees;
  for (const auto& [path, file] : *changed) {
    trees.emplace(path, Tree::parse(Language::python, file.before));
  }
  const std::vector<Location> places = places_told(*changed, trees, options.told);
  const BugReport report;
  const FailureTrace trace;
  const double begin = thread_seconds();
  const templates::Drafts drafts =
      templates::make_drafts({.trees = trees,
                              .locations = places,
                              .report = report,
                              .trace = trace,
                              .index = index,
                              .templates = templates::registry(),
                              .max_changed_lines = options.max_changed_lines});
  answer.cpu_seconds = thread_seconds() - begin;
  answer.generated = drafts.all.size();
  answer.reason = MissReason::none;
  const Judge judge(*changed, trees);
  for (std::size_t i = 0; i < drafts.all.size(); ++i) {
    const templates::Draft& draft = drafts.all[i];
    const bool joint = draft.joined > 1;
    const double weight = joint ? draft.weight * templates::Prior::k_joint_scale : draft.weight;
    Count& count = answer.counts[{std::string(draft.prior_key), templates::Prior::bin_of(weight)}];
    ++count.candidates;
    if (answer.rank > 0 || !judge.is_fix(drafts.edits(draft))) continue;
    ++count.hits;
    answer.rank = i + 1;
    answer.template_id = joint ? draft.prior_key : draft.form->id;
  }
  if (answer.rank == 0) answer.reason = explain(*changed);
  return answer;
}

}  // namespace

std::string_view to_string(MissReason reason) {
  switch (reason) {
    case MissReason::none:
      return "found";
    case MissReason::unreadable:
      return "unreadable";
    case MissReason::not_python:
      return "not Python";
    case MissReason::new_name:
      return "a name that the file lacks";
    case MissReason::new_literal:
      return "a literal that the file lacks";
    case MissReason::too_deep:
      return "too deep";
    case MissReason::several_places:
      return "several places";
    case MissReason::shape:
      return "shape not covered";
  }
  return "?";
}

std::vector<FixRecall> measure_recall(const std::vector<Fix>& fixes,
                                      const Repositories& repositories,
                                      const RecallOptions& options,
                                      const std::function<void()>& done) {
  std::vector<std::size_t> order(fixes.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
  // Neighbours in time share most of their files.
  std::ranges::sort(order, {}, [&](std::size_t i) {
    return std::tie(fixes[i].repository, fixes[i].date, fixes[i].parent_commit);
  });
  std::vector<FixRecall> answers(fixes.size());
  std::map<std::string, std::string> kept;
  FactsCache cache(options.cache != nullptr ? options.cache : &kept);
  std::atomic<std::size_t> next = 0;
  std::mutex mutex;
  const auto work = [&] {
    for (std::size_t at = next++; at < order.size(); at = next++) {
      const Fix& fix = fixes[order[at]];
      FixRecall& answer = answers[order[at]];
      const auto history = repositories.find(fix.repository);
      if (history == repositories.end()) {
        answer.fix = fix;
        answer.reason = MissReason::unreadable;
      } else {
        answer = measure(fix, *history->second, cache, options);
      }
      const std::lock_guard lock(mutex);
      done();
    }
  };
  std::vector<std::jthread> workers;
  for (int i = 1; i < options.jobs; ++i) workers.emplace_back(work);
  work();
  workers.clear();
  return answers;
}

}  // namespace tenline::corpus
