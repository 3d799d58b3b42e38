#include "templates/proposer.h"

#include <algorithm>
#include <set>

#include "engine/core/test_files.h"
#include "templates/draft.h"
#include "templates/prior.h"

namespace tenline::templates {

namespace {

constexpr std::size_t k_largest_file = std::size_t{2} << 20U;

/// Knows the candidates that pass E0: their edits apply, change something, and bring no syntax
/// error that was not there.
class SyntaxCheck {
 public:
  explicit SyntaxCheck(std::map<std::string, const Tree*> trees) : trees_(std::move(trees)) {
    for (const auto& [file, tree] : trees_) errors_before_[file] = count_errors(*tree);
  }

  [[nodiscard]] bool passes(const Candidate& candidate) const {
    for (std::size_t i = 0; i < candidate.edits.size();) {
      const std::string& file = candidate.edits[i].file;
      std::size_t end = i;
      while (end < candidate.edits.size() && candidate.edits[end].file == file) ++end;
      if (!parses(file, std::span<const Edit>(candidate.edits).subspan(i, end - i))) return false;
      i = end;
    }
    return true;
  }

 private:
  [[nodiscard]] bool parses(const std::string& file, std::span<const Edit> edits) const {
    const Tree& tree = *trees_.at(file);
    const Result<std::string> text = apply_edits(tree.source(), edits);
    if (!text || *text == tree.source()) return false;
    return count_errors(tree.reparse(edits, *text)) <= errors_before_.at(file);
  }

  std::map<std::string, const Tree*> trees_;
  std::map<std::string, int> errors_before_;
};

std::vector<const Template*> chosen(const std::vector<std::string>& only,
                                    const std::vector<const Template*>& extra) {
  std::vector<const Template*> known = registry();
  known.insert(known.end(), extra.begin(), extra.end());
  std::vector<const Template*> templates;
  for (const Template* form : known) {
    if (only.empty() || std::find(only.begin(), only.end(), form->id) != only.end()) {
      templates.push_back(form);
    }
  }
  return templates;
}

}  // namespace

std::vector<Candidate> propose_in_file(const Context& context,
                                       const std::vector<const Template*>& templates,
                                       int max_changed_lines) {
  Drafts drafts{.files = {context.file()}, .trees = {&context.tree()}, .all = {}};
  draft_file(context, nullptr, 0, templates, max_changed_lines, Prior(), drafts.all);
  sort_unique(drafts.all);
  const SyntaxCheck check({{context.file(), &context.tree()}});
  std::vector<Candidate> candidates;
  for (const Draft& draft : drafts.all) {
    Candidate candidate = drafts.candidate(draft);
    if (check.passes(candidate)) candidates.push_back(std::move(candidate));
  }
  return candidates;
}

PythonIndex index_repository(const Workspace& workspace) {
  PythonIndex index;
  for (const std::string& file : workspace.files()) {
    if (!file.ends_with(".py")) continue;
    Result<std::string> text = workspace.read(file);
    if (!text || text->size() > k_largest_file) continue;
    index.add(file, Tree::parse(Language::python, *std::move(text)));
  }
  return index;
}

TemplateProposer::TemplateProposer(const Workspace& workspace, Options options)
    : workspace_(workspace), options_(std::move(options)) {}

std::vector<Candidate> TemplateProposer::propose(const std::vector<Location>& located,
                                                 const BugReport& report,
                                                 const FailureTrace& trace) {
  if (index_ == nullptr) index_ = std::make_unique<PythonIndex>(index_repository(workspace_));
  // A line has some five hundred edits, and far down the list few are worth a run.
  std::vector<Location> locations = located;
  std::stable_sort(locations.begin(), locations.end(),
                   [](const Location& a, const Location& b) { return a.score > b.score; });
  if (locations.size() > options_.max_places) locations.resize(options_.max_places);
  std::map<std::string, Tree> trees;
  for (const Location& location : locations) {
    const std::string& file = location.file;
    if (!file.ends_with(".py") || belongs_to_tests(file) || trees.contains(file)) continue;
    Result<std::string> text = workspace_.read(file);
    if (!text || text->size() > k_largest_file) continue;
    trees.emplace(file, Tree::parse(Language::python, *std::move(text)));
  }
  const std::vector<const Template*> templates = chosen(options_.only, options_.extra);
  const Drafts drafts = make_drafts({.trees = trees,
                                     .locations = locations,
                                     .report = report,
                                     .trace = trace,
                                     .index = *index_,
                                     .templates = templates,
                                     .max_changed_lines = options_.max_changed_lines});
  // Parsing a candidate costs more than making it, so only the best are parsed.
  std::map<std::string, const Tree*> by_file;
  for (const auto& [file, tree] : trees) by_file.emplace(file, &tree);
  const SyntaxCheck check(std::move(by_file));
  std::vector<Candidate> candidates;
  for (const Draft& draft : drafts.all) {
    if (candidates.size() == options_.max_candidates) break;
    Candidate candidate = drafts.candidate(draft);
    if (candidate.changed_lines > options_.max_changed_lines || !check.passes(candidate)) continue;
    candidates.push_back(std::move(candidate));
  }
  return candidates;
}

}  // namespace tenline::templates
