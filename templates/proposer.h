#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "engine/core/ports.h"
#include "engine/syntax/python_index.h"
#include "templates/context.h"
#include "templates/template.h"

namespace tenline::templates {

/// Proposes edits of all templates at the places. Reads the repository's Python files once, at the
/// first call, for the index. The workspace must outlive it.
class TemplateProposer final : public Proposer {
 public:
  struct Options {
    std::size_t max_candidates = 2000;  ///< The best are kept.
    std::size_t max_places = 40;        ///< Located lines that are edited: the best.
    int max_changed_lines = 10;
    std::vector<std::string> only = {};       ///< Template ids; empty: all.
    std::vector<const Template*> extra = {};  ///< Beside the built-in ones; must outlive this.
  };
  TemplateProposer(const Workspace& workspace, Options options);

  [[nodiscard]] std::vector<Candidate> propose(const std::vector<Location>& located,
                                               const BugReport& report,
                                               const FailureTrace& trace) override;

 private:
  const Workspace& workspace_;
  Options options_;
  std::unique_ptr<PythonIndex> index_;
};

/// What some templates say about one file, by their own weights, without duplicates and without
/// edits that break the syntax: for tests of templates.
[[nodiscard]] std::vector<Candidate> propose_in_file(const Context& context,
                                                     const std::vector<const Template*>& templates,
                                                     int max_changed_lines);

/// An index of all Python files of a repository; files that cannot be read are left out.
[[nodiscard]] PythonIndex index_repository(const Workspace& workspace);

}  // namespace tenline::templates
