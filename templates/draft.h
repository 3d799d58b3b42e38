#pragma once

// Edits before they are candidates: light enough to make and order hundreds of thousands of them.

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "engine/core/bug_report.h"
#include "engine/core/candidate.h"
#include "engine/core/failure.h"
#include "engine/core/location.h"
#include "engine/syntax/python_index.h"
#include "templates/template.h"

namespace tenline::templates {

class Prior;

/// A change in one of the files at hand.
struct PlacedChange {
  int file = 0;  ///< Position in Drafts::files.
  Span span;
  std::string text;
  auto operator<=>(const PlacedChange&) const = default;
};

struct Draft {
  std::vector<PlacedChange> changes = {};  ///< In order, trimmed, without overlap.
  const Template* form = nullptr;
  std::string_view prior_key;  ///< What the learned prior tells apart, with the weight's size.
  double weight = 1;           ///< The template's own.
  double score = 0;            ///< Location x prior.
  int line = 0;                ///< Of the anchor.
  Node anchor;                 ///< Of the first of several joined edits.
  int joined = 1;              ///< How many places get an edit.
  std::string summary = {};
};

/// Drafts of several files, best first, without duplicates.
struct Drafts {
  std::vector<std::string> files;
  std::vector<const Tree*> trees;
  std::vector<Draft> all;

  /// The edits of a draft, with the names of their files.
  [[nodiscard]] std::vector<Edit> edits(const Draft& draft) const;
  [[nodiscard]] Candidate candidate(const Draft& draft) const;
};

/// What edits are made from, and how much they may change.
struct DraftInputs {
  const std::map<std::string, Tree>& trees;  ///< By path; only those files are edited.
  const std::vector<Location>& locations;
  const BugReport& report;
  const FailureTrace& trace;
  const PythonIndex& index;
  const std::vector<const Template*>& templates;
  int max_changed_lines = 10;
};

/// Adds what the templates say about one file, in no order and with repeats. `plain` is the same
/// context without the failure, or null: the prior was learned without any, so what the failure
/// makes of a weight counts by itself.
void draft_file(const Context& context, const Context* plain, int file,
                const std::vector<const Template*>& templates, int max_changed_lines,
                const Prior& prior, std::vector<Draft>& drafts);

/// What the templates say about the places, best first; syntax not checked. Equal edits count once.
[[nodiscard]] Drafts make_drafts(const DraftInputs& inputs);

/// Adds the drafts that change several places at once: the same edit at every place that has it,
/// and where only two or three statements are located, the best edits of one with those of another.
void join_drafts(const std::vector<const Tree*>& trees, std::vector<Draft>& drafts);

/// The same edit found twice counts once, under the better score; best first. The order depends on
/// nothing but the drafts.
void sort_unique(std::vector<Draft>& drafts);

/// True if the changes do not overlap; brings them into order.
[[nodiscard]] bool put_in_order(std::vector<PlacedChange>& changes);

}  // namespace tenline::templates
