// From places to drafts: every template at every located node. Making a draft is cheap; what only
// the best need (names, ids, syntax) comes later.

#include "templates/draft.h"

#include <algorithm>
#include <cmath>
#include <unordered_map>

#include "engine/base/text.h"
#include "engine/syntax/python_scope.h"
#include "templates/context.h"
#include "templates/prior.h"
#include "templates/symptom_fit.h"

namespace tenline::templates {

namespace {

/// Drops the bytes that a change and the text it replaces share at both ends, so that equal edits
/// are equal values.
void trim_change(std::string_view source, PlacedChange& change) {
  const std::string_view before = source.substr(change.span.begin, change.span.size());
  const std::string_view after = change.text;
  const std::size_t shorter = std::min(before.size(), after.size());
  std::size_t head = 0;
  while (head < shorter && before[head] == after[head]) ++head;
  std::size_t foot = 0;
  while (foot < shorter - head &&
         before[before.size() - 1 - foot] == after[after.size() - 1 - foot]) {
    ++foot;
  }
  change.span.begin += head;
  change.span.end -= foot;
  change.text = std::string(after.substr(head, after.size() - head - foot));
}

/// The nodes of a file by what they are and say, to find places equal to another.
class EqualNodes {
 public:
  explicit EqualNodes(const Tree& tree) {
    constexpr std::size_t k_longest = 200;  // Longer ones do not repeat.
    tree.root().walk([&](const Node& node) {
      if (node.named() && node.span().size() <= k_longest) {
        by_text_[Key{node.kind(), node.text()}].push_back(node);
      }
      return true;
    });
  }

  /// All nodes with the same kind and text as the anchor, itself included.
  [[nodiscard]] const std::vector<Node>& of(const Node& anchor) const {
    static const std::vector<Node> k_none;
    const auto it = by_text_.find(Key{anchor.kind(), anchor.text()});
    return it == by_text_.end() ? k_none : it->second;
  }

 private:
  using Key = std::pair<std::string_view, std::string_view>;
  struct Hash {
    std::size_t operator()(const Key& key) const {
      return std::hash<std::string_view>{}(key.first) * 31 +
             std::hash<std::string_view>{}(key.second);
    }
  };
  std::unordered_map<Key, std::vector<Node>, Hash> by_text_;
};

/// What a compiled query costs, only once per text and thread: templates of users come and go.
const Query& query_of(const Template& form) {
  thread_local std::map<std::pair<bool, std::string>, Query> compiled;
  std::pair<bool, std::string> key(form.file != nullptr, form.query);
  const auto it = compiled.find(key);
  if (it != compiled.end()) return it->second;
  Result<Query> query = Query::compile(form.language, form.query);
  TENLINE_CHECK(query, query ? "" : fmt::format("{}: {}", form.id, query.error().message));
  if (form.file != nullptr) query->limit({});
  return compiled.emplace(std::move(key), *std::move(query)).first->second;
}

class FileDrafter {
 public:
  FileDrafter(const Context& context, const Context* plain, int file, int max_changed_lines,
              const Prior& prior, std::vector<Draft>& drafts)
      : context_(context),
        plain_(plain),
        file_(file),
        max_changed_lines_(max_changed_lines),
        prior_(prior),
        drafts_(drafts) {}

  void run(const Template& form) {
    const double fit = fit_of(form);
    for (const Match& match : query_of(form).run(context_.tree())) {
      const Node anchor = match.first();
      const double place = place_score(anchor);
      if (place <= 0 || anchor.has_error()) continue;
      Proposals proposals;
      form.rewrite(match, context_, proposals);
      const std::map<std::vector<Change>, double> plain = plain_weights(form, match);
      for (Proposal& proposal : proposals.all()) {
        const std::string_view key = prior_key(form, proposal.anchor);
        const auto known = plain.find(proposal.changes);
        const double weight = known == plain.end() ? proposal.weight : known->second;
        Draft draft{.form = &form,
                    .prior_key = key,
                    .weight = weight,
                    .score = place * likelihood(form, key, weight, proposal.weight, fit),
                    .line = proposal.anchor.line(),
                    .anchor = proposal.anchor};
        if (proposal.repeatable) add_repeated(draft, proposal);
        draft.summary = std::move(proposal.summary);
        add(std::move(draft), proposal.changes);
      }
    }
  }

 private:
  /// What the template's proposals would weigh if no failure were known.
  std::map<std::vector<Change>, double> plain_weights(const Template& form, const Match& match) {
    std::map<std::vector<Change>, double> weights;
    if (plain_ == nullptr) return weights;
    Proposals proposals;
    form.rewrite(match, *plain_, proposals);
    for (Proposal& proposal : proposals.all()) {
      double& known = weights[std::move(proposal.changes)];
      known = std::max(known, proposal.weight);
    }
    return weights;
  }

  /// How likely a proposal is the fix. Without a failure, what mined fixes say. They do not say
  /// what failed, and a failure that names its cause makes rare edits likely: then half is the
  /// template's own word, and half theirs (a geometric mean), both times what the failure makes of
  /// the weight.
  [[nodiscard]] double likelihood(const Template& form, std::string_view key, double weight,
                                  double informed, double fit) const {
    const double learned = prior_.probability(form, key, weight);
    if (plain_ == nullptr) return learned;
    constexpr double k_scale = 0.01;  // Of what is learned against the templates' own.
    const double own = k_scale * form.prior * informed;
    return fit * std::sqrt(learned * (informed / weight) * own);
  }

  double place_score(const Node& anchor) {
    const auto known = scores_.find(anchor.raw().id);
    if (known != scores_.end()) return known->second;
    return scores_[anchor.raw().id] = context_.score(anchor);
  }

  /// `template/kind`: of a leaf its parent's kind, which says more.
  std::string_view prior_key(const Template& form, const Node& anchor) {
    const bool leaf = anchor.is("identifier") || anchor.is("string") || anchor.is("integer") ||
                      anchor.is("true") || anchor.is("false") || anchor.is("none");
    const std::string_view kind = leaf ? anchor.parent().kind() : anchor.kind();
    std::string& key = keys_[{&form, kind.data()}];
    if (key.empty()) key = fmt::format("{}/{}", form.id, kind);
    return intern(key);
  }

  /// Keys live as long as the program: there are few.
  static std::string_view intern(const std::string& key) {
    thread_local std::unordered_map<std::string, std::unique_ptr<const std::string>> known;
    auto& kept = known[key];
    if (!kept) kept = std::make_unique<const std::string>(key);
    return *kept;
  }

  void add(Draft draft, const std::vector<Change>& changes) {
    const std::string& source = context_.tree().source();
    bool one_line = true;
    for (const Change& change : changes) {
      PlacedChange placed{file_, change.span, change.text};
      trim_change(source, placed);
      if (placed.span.size() == 0 && placed.text.empty()) continue;
      one_line =
          one_line && placed.text.find('\n') == std::string::npos &&
          std::string_view(source).substr(placed.span.begin, placed.span.size()).find('\n') ==
              std::string_view::npos;
      draft.changes.push_back(std::move(placed));
    }
    if (draft.changes.empty() || !put_in_order(draft.changes)) return;
    const bool small = one_line && static_cast<int>(draft.changes.size()) * 2 <= max_changed_lines_;
    if (!small && lines_of(draft) > max_changed_lines_) return;
    drafts_.push_back(std::move(draft));
  }

  /// How well the template answers what failed.
  [[nodiscard]] double fit_of(const Template& form) const {
    if (plain_ == nullptr) return 1;
    // Before a `raise` stands a condition that let the run come there.
    if (context_.raised_on_purpose()) return form.family == Family::conditional_logic ? 1.8 : 1;
    return form.file != nullptr ? 1 : symptom_fit(form, context_.symptom());
  }

  [[nodiscard]] int lines_of(const Draft& draft) const {
    std::vector<Edit> edits;
    edits.reserve(draft.changes.size());
    for (const PlacedChange& change : draft.changes)
      edits.push_back({{}, change.span, change.text});
    return changed_lines(context_.tree().source(), std::span<const Edit>(edits));
  }

  /// The same edit at every equal node of the file: a fix that touches one of several equal places
  /// often has to touch all.
  void add_repeated(const Draft& one, const Proposal& proposal) {
    constexpr std::size_t k_most_sites = 5;  // Ten changed lines.
    if (!equal_nodes_) equal_nodes_.emplace(context_.tree());
    const std::vector<Node>& equals = equal_nodes_->of(proposal.anchor);
    if (equals.size() < 2 || equals.size() > k_most_sites) return;
    if (!(equals.front() == proposal.anchor)) {
      // The first located one speaks for all.
      for (const Node& other : equals) {
        if (other == proposal.anchor) break;
        if (place_score(other) > 0) return;
      }
    }
    std::vector<Change> changes = proposal.changes;
    const std::size_t base = proposal.anchor.span().begin;
    for (const Node& other : equals) {
      if (other == proposal.anchor) continue;
      for (const Change& change : proposal.changes) {
        if (!proposal.anchor.span_contains(change.span)) return;
        const std::size_t shift = other.span().begin;
        changes.push_back(
            {{change.span.begin - base + shift, change.span.end - base + shift}, change.text});
      }
    }
    Draft all = one;
    all.joined = static_cast<int>(equals.size());
    all.prior_key = "everywhere";
    all.score = prior_.joint("everywhere", one.score);
    all.weight = one.score;
    all.summary = fmt::format("{}, at all {} places", proposal.summary, equals.size());
    add(std::move(all), changes);
  }

  const Context& context_;
  const Context* plain_;
  int file_;
  int max_changed_lines_;
  const Prior& prior_;
  std::vector<Draft>& drafts_;
  std::optional<EqualNodes> equal_nodes_;
  std::unordered_map<const void*, double> scores_;
  std::map<std::pair<const Template*, const char*>, std::string> keys_;
};

/// The changes, with an insertion moved to the first place that gives the same text: a line behind
/// one statement is a line before the next.
std::vector<PlacedChange> canonical(const Draft& draft) {
  std::vector<PlacedChange> changes = draft.changes;
  PlacedChange& change = changes.front();
  if (changes.size() != 1 || change.span.size() > 0) return changes;
  const std::string_view source = draft.anchor.source();
  std::size_t moved = 0;
  const std::size_t size = change.text.size();
  while (change.span.begin > 0 &&
         source[change.span.begin - 1] == change.text[size - 1 - moved % size]) {
    --change.span.begin;
    ++moved;
  }
  change.span.end = change.span.begin;
  std::rotate(change.text.rbegin(),
              change.text.rbegin() + static_cast<std::ptrdiff_t>(moved % size), change.text.rend());
  return changes;
}

std::size_t hash_of(const std::vector<PlacedChange>& changes) {
  std::size_t hash = changes.size();
  const auto mix = [&](std::size_t value) {
    hash = (hash ^ value) * 0x9e3779b97f4a7c15ULL;
    hash ^= hash >> 29U;
  };
  for (const PlacedChange& change : changes) {
    mix(static_cast<std::size_t>(change.file));
    mix(change.span.begin);
    mix(change.span.end);
    mix(std::hash<std::string_view>{}(change.text));
  }
  return hash;
}

bool better(const Draft& a, const Draft& b) {
  if (a.score != b.score) return a.score > b.score;
  return a.changes < b.changes;
}

}  // namespace

bool put_in_order(std::vector<PlacedChange>& changes) {
  std::stable_sort(changes.begin(), changes.end(),
                   [](const PlacedChange& a, const PlacedChange& b) {
                     return std::tie(a.file, a.span) < std::tie(b.file, b.span);
                   });
  for (std::size_t i = 1; i < changes.size(); ++i) {
    const PlacedChange& a = changes[i - 1];
    const PlacedChange& b = changes[i];
    if (a.file == b.file && (b.span.begin < a.span.end || b == a)) return false;
  }
  return true;
}

void sort_unique(std::vector<Draft>& drafts) {
  std::unordered_map<std::size_t, std::vector<std::size_t>> known;
  known.reserve(drafts.size());
  std::vector<Draft> unique;
  unique.reserve(drafts.size());
  for (Draft& draft : drafts) {
    const std::vector<PlacedChange> changes = canonical(draft);
    std::vector<std::size_t>& alike = known[hash_of(changes)];
    const auto same = std::find_if(alike.begin(), alike.end(),
                                   [&](std::size_t i) { return canonical(unique[i]) == changes; });
    if (same == alike.end()) {
      alike.push_back(unique.size());
      unique.push_back(std::move(draft));
    } else if (draft.score > unique[*same].score) {
      unique[*same] = std::move(draft);
    }
  }
  std::sort(unique.begin(), unique.end(), better);
  drafts = std::move(unique);
}

std::vector<Edit> Drafts::edits(const Draft& draft) const {
  std::vector<Edit> edits;
  edits.reserve(draft.changes.size());
  for (const PlacedChange& change : draft.changes) {
    edits.push_back({files[static_cast<std::size_t>(change.file)], change.span, change.text});
  }
  return edits;
}

Candidate Drafts::candidate(const Draft& draft) const {
  Candidate candidate;
  candidate.edits = edits(draft);
  std::string identity;
  for (const Edit& edit : candidate.edits) {
    identity += fmt::format("{}:{}:{}:{}:{};", edit.file, edit.span.begin, edit.span.end,
                            edit.text.size(), edit.text);
  }
  candidate.id = digest(identity);
  for (std::size_t i = 0; i < candidate.edits.size();) {
    std::size_t end = i;
    const std::string& file = candidate.edits[i].file;
    while (end < candidate.edits.size() && candidate.edits[end].file == file) ++end;
    const auto position = static_cast<std::size_t>(draft.changes[i].file);
    candidate.changed_lines += changed_lines(
        trees[position]->source(), std::span<const Edit>(candidate.edits).subspan(i, end - i));
    i = end;
  }
  candidate.template_id = draft.form->id;
  candidate.family = draft.form->family;
  candidate.summary = draft.summary;
  candidate.file = candidate.edits.front().file;
  candidate.line = draft.line;
  candidate.function = qualified_name(draft.anchor);
  candidate.score = draft.score;
  return candidate;
}

void draft_file(const Context& context, const Context* plain, int file,
                const std::vector<const Template*>& templates, int max_changed_lines,
                const Prior& prior, std::vector<Draft>& drafts) {
  FileDrafter drafter(context, plain, file, max_changed_lines, prior, drafts);
  for (const Template* form : templates) drafter.run(*form);
}

Drafts make_drafts(const DraftInputs& inputs) {
  const Symptom symptom = read_symptom(inputs.report, inputs.trace);
  const bool failed = !symptom.type.empty() || !inputs.report.empty();
  Drafts drafts;
  for (const auto& [file, tree] : inputs.trees) {
    const int position = static_cast<int>(drafts.files.size());
    drafts.files.push_back(file);
    drafts.trees.push_back(&tree);
    const Context context(
        {file, tree, inputs.report, inputs.trace, inputs.index, symptom, inputs.locations});
    const BugReport no_report;
    const FailureTrace no_trace;
    const Symptom no_symptom;
    const Context plain(
        {file, tree, no_report, no_trace, inputs.index, no_symptom, inputs.locations});
    draft_file(context, failed ? &plain : nullptr, position, inputs.templates,
               inputs.max_changed_lines, Prior::learned(), drafts.all);
  }
  sort_unique(drafts.all);
  const auto singles = static_cast<std::ptrdiff_t>(drafts.all.size());
  join_drafts(drafts.trees, drafts.all);
  if (failed) {
    // The prior was learned where all located lines had to change; those of a failure need not.
    constexpr double k_joined = 0.1;
    std::for_each(drafts.all.begin() + singles, drafts.all.end(),
                  [](Draft& draft) { draft.score *= k_joined; });
  }
  sort_unique(drafts.all);
  return drafts;
}

}  // namespace tenline::templates
