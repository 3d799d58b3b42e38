#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "engine/core/ports.h"
#include "engine/syntax/python_index.h"
#include "templates/template.h"

namespace tenline::templates {

/// Proposes edits of all templates at the places. Reads the repository's Python files once, at the
/// first call, for the index. The workspace must outlive it.
class TemplateProposer final : public Proposer {
 public:
  struct Options {
    std::size_t max_candidates = 2000;  ///< The best are kept.
    int max_changed_lines = 10;
    std::vector<std::string> only = {};  ///< Template ids; empty: all.
  };
  TemplateProposer(const Workspace& workspace, Options options);

  [[nodiscard]] std::vector<Candidate> propose(const std::vector<Location>& locations,
                                               const BugReport& report,
                                               const FailureTrace& trace) override;

 private:
  const Workspace& workspace_;
  Options options_;
  std::unique_ptr<PythonIndex> index_;
};

/// What the templates say about the places, best first, without duplicates; syntax not checked. The
/// trees are those of the places' files, by path.
[[nodiscard]] std::vector<Candidate> propose_in_trees(
    const std::map<std::string, Tree>& trees, const std::vector<Location>& locations,
    const BugReport& report, const FailureTrace& trace, const PythonIndex& index,
    const std::vector<const Template*>& templates, int max_changed_lines);

/// What the templates say about one file, best first, without duplicates and without edits that
/// break the syntax. For the proposer and for tests.
[[nodiscard]] std::vector<Candidate> propose_in_file(const Context& context,
                                                     const std::vector<const Template*>& templates,
                                                     int max_changed_lines);

/// An index of all Python files of a repository; files that cannot be read are left out.
[[nodiscard]] PythonIndex index_repository(const Workspace& workspace);

}  // namespace tenline::templates
