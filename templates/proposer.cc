// From places to an ordered list of candidates. The order is location x prior x fit, less the size;
// the same edit found by two templates counts once, under the better one.

#include "templates/proposer.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "engine/base/text.h"
#include "engine/core/test_files.h"
#include "templates/context.h"

namespace tenline::templates {

namespace {

constexpr std::size_t k_largest_file = std::size_t{2} << 20U;

/// Drops the bytes that an edit and the text it replaces share at both ends, so that equal edits
/// are equal values.
Edit trimmed(std::string_view source, Edit edit) {
  std::string_view before = source.substr(edit.span.begin, edit.span.size());
  std::string_view after = edit.text;
  while (!before.empty() && !after.empty() && before.front() == after.front()) {
    before.remove_prefix(1);
    after.remove_prefix(1);
    ++edit.span.begin;
  }
  while (!before.empty() && !after.empty() && before.back() == after.back()) {
    before.remove_suffix(1);
    after.remove_suffix(1);
    --edit.span.end;
  }
  edit.text = std::string(after);
  return edit;
}

std::string identity(const std::vector<Edit>& edits) {
  std::string text;
  for (const Edit& edit : edits) {
    text += fmt::format("{}:{}:{}:{}:{};", edit.file, edit.span.begin, edit.span.end,
                        edit.text.size(), edit.text);
  }
  return digest(text);
}

/// The nodes of a file by what they are and say, to find places equal to another.
class EqualNodes {
 public:
  explicit EqualNodes(const Tree& tree) {
    constexpr std::size_t k_longest = 200;  // Longer ones do not repeat.
    tree.root().walk([&](const Node& node) {
      if (node.named() && node.span().size() <= k_longest) {
        by_text_[{node.kind(), node.text()}].push_back(node);
      }
      return true;
    });
  }

  /// All nodes with the same kind and text as the anchor, itself included.
  [[nodiscard]] const std::vector<Node>& of(const Node& anchor) const {
    static const std::vector<Node> k_none;
    const auto it = by_text_.find({anchor.kind(), anchor.text()});
    return it == by_text_.end() ? k_none : it->second;
  }

 private:
  std::map<std::pair<std::string_view, std::string_view>, std::vector<Node>> by_text_;
};

class FileProposer {
 public:
  FileProposer(const Context& context, int max_changed_lines)
      : context_(context), max_changed_lines_(max_changed_lines), equal_nodes_(context.tree()) {}

  void run(const Template& form) {
    const Result<Query> query = Query::compile(form.language, form.query);
    // Before a `raise` stands a condition that let the run come there.
    const bool decided = form.family == Family::conditional_logic && context_.raised_on_purpose();
    const double prior = form.prior * (decided ? 1.8 : 1.0);
    TENLINE_CHECK(query, query ? "" : fmt::format("{}: {}", form.id, query.error().message));
    for (const Match& match : query->run(context_.tree())) {
      const Node anchor = match.first();
      if (anchor.has_error()) continue;
      const double place = context_.score(anchor);
      if (place <= 0) continue;
      Proposals proposals;
      form.rewrite(match, context_, proposals);
      for (Proposal& proposal : proposals.all()) {
        const double score = place * prior * proposal.weight;
        if (proposal.repeatable) add_repeated(form, proposal, score);
        add(form, proposal, score);
      }
    }
  }

  std::vector<Candidate> take() {
    std::vector<Candidate> candidates;
    candidates.reserve(by_id_.size());
    for (auto& [id, candidate] : by_id_) candidates.push_back(std::move(candidate));
    return candidates;
  }

 private:
  void add(const Template& form, const Proposal& proposal, double score) {
    Candidate candidate;
    for (const Change& change : proposal.changes) {
      Edit edit = trimmed(context_.tree().source(), {context_.file(), change.span, change.text});
      if (edit.span.size() > 0 || !edit.text.empty()) candidate.edits.push_back(std::move(edit));
    }
    if (candidate.edits.empty()) return;
    std::sort(candidate.edits.begin(), candidate.edits.end());
    candidate.id = identity(candidate.edits);
    const auto known = by_id_.find(candidate.id);
    if (known != by_id_.end() && known->second.score >= score) return;
    candidate.changed_lines =
        changed_lines(context_.tree().source(), std::span<const Edit>(candidate.edits));
    if (candidate.changed_lines > max_changed_lines_) return;
    candidate.template_id = form.id;
    candidate.family = form.family;
    candidate.summary = proposal.summary;
    candidate.file = context_.file();
    candidate.line = proposal.anchor.line();
    candidate.function = qualified_name(proposal.anchor);
    candidate.score = score;
    by_id_[candidate.id] = std::move(candidate);
  }

  /// The same edit at every equal node of the file: a fix that touches one of several equal places
  /// often has to touch all.
  void add_repeated(const Template& form, const Proposal& proposal, double score) {
    constexpr std::size_t k_most_sites = 5;  // Ten changed lines.
    const std::vector<Node>& equals = equal_nodes_.of(proposal.anchor);
    if (equals.size() < 2 || equals.size() > k_most_sites) return;
    Proposal all = proposal;
    const std::size_t base = proposal.anchor.span().begin;
    for (const Node& other : equals) {
      if (other == proposal.anchor) continue;
      for (const Change& change : proposal.changes) {
        if (!proposal.anchor.span_contains(change.span)) return;
        const std::size_t shift = other.span().begin;
        all.changes.push_back(
            {{change.span.begin - base + shift, change.span.end - base + shift}, change.text});
      }
    }
    all.summary += fmt::format(", at all {} places", equals.size());
    add(form, all, score * 0.6);
  }

  const Context& context_;
  int max_changed_lines_;
  EqualNodes equal_nodes_;
  std::map<std::string, Candidate> by_id_;
};

/// E0: the edits apply, change something, and bring no syntax error that was not there.
bool parses(const Candidate& candidate, const Tree& tree, int errors_before) {
  const std::span<const Edit> edits(candidate.edits);
  const Result<std::string> text = apply_edits(tree.source(), edits);
  if (!text || *text == tree.source()) return false;
  return count_errors(tree.reparse(edits, *text)) <= errors_before;
}

bool better(const Candidate& a, const Candidate& b) {
  if (a.score != b.score) return a.score > b.score;
  if (a.file != b.file) return a.file < b.file;
  if (a.edits.front().span != b.edits.front().span) {
    return a.edits.front().span < b.edits.front().span;
  }
  return a.id < b.id;
}

/// The first `most` that pass E0: parsing each costs more than making it, so it comes last.
std::vector<Candidate> first_that_parse(std::vector<Candidate> candidates,
                                        const std::map<std::string, Tree>& trees,
                                        std::size_t most) {
  std::map<std::string, int> errors_before;
  for (const auto& [file, tree] : trees) errors_before[file] = count_errors(tree);
  std::vector<Candidate> kept;
  for (Candidate& candidate : candidates) {
    if (kept.size() == most) break;
    if (parses(candidate, trees.at(candidate.file), errors_before.at(candidate.file))) {
      kept.push_back(std::move(candidate));
    }
  }
  return kept;
}

std::vector<Candidate> all_in_file(const Context& context,
                                   const std::vector<const Template*>& templates,
                                   int max_changed_lines) {
  FileProposer proposer(context, max_changed_lines);
  for (const Template* form : templates) proposer.run(*form);
  return proposer.take();
}

}  // namespace

std::vector<Candidate> propose_in_file(const Context& context,
                                       const std::vector<const Template*>& templates,
                                       int max_changed_lines) {
  std::vector<Candidate> candidates = all_in_file(context, templates, max_changed_lines);
  const int errors_before = count_errors(context.tree());
  std::erase_if(candidates, [&](const Candidate& candidate) {
    return !parses(candidate, context.tree(), errors_before);
  });
  std::sort(candidates.begin(), candidates.end(), better);
  return candidates;
}

std::vector<Candidate> propose_in_trees(const std::map<std::string, Tree>& trees,
                                        const std::vector<Location>& locations,
                                        const BugReport& report, const FailureTrace& trace,
                                        const PythonIndex& index,
                                        const std::vector<const Template*>& templates,
                                        int max_changed_lines) {
  const Symptom symptom = read_symptom(report, trace);
  std::vector<Candidate> all;
  for (const auto& [file, tree] : trees) {
    const Context context({file, tree, report, trace, index, symptom, locations});
    std::vector<Candidate> found = all_in_file(context, templates, max_changed_lines);
    std::move(found.begin(), found.end(), std::back_inserter(all));
  }
  std::sort(all.begin(), all.end(), better);
  return all;
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

std::vector<Candidate> TemplateProposer::propose(const std::vector<Location>& locations,
                                                 const BugReport& report,
                                                 const FailureTrace& trace) {
  if (index_ == nullptr) index_ = std::make_unique<PythonIndex>(index_repository(workspace_));
  std::vector<const Template*> templates;
  for (const Template* form : registry()) {
    const auto& only = options_.only;
    if (only.empty() || std::find(only.begin(), only.end(), form->id) != only.end()) {
      templates.push_back(form);
    }
  }
  std::set<std::string> files;
  for (const Location& location : locations) {
    if (location.file.ends_with(".py") && !belongs_to_tests(location.file)) {
      files.insert(location.file);
    }
  }
  std::map<std::string, Tree> trees;
  for (const std::string& file : files) {
    Result<std::string> text = workspace_.read(file);
    if (!text || text->size() > k_largest_file) continue;
    trees.emplace(file, Tree::parse(Language::python, *std::move(text)));
  }
  return first_that_parse(propose_in_trees(trees, locations, report, trace, *index_, templates,
                                           options_.max_changed_lines),
                          trees, options_.max_candidates);
}

}  // namespace tenline::templates
