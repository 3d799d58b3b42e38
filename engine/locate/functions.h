#pragma once

#include <functional>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/result.h"
#include "engine/core/bug_report.h"
#include "engine/core/failure.h"
#include "engine/locate/issue_terms.h"
#include "engine/locate/source_file.h"

namespace tenline {

/// Gives the text of a repository file.
using ReadText = std::function<Result<std::string>(const std::string& path)>;

/// Parsed files of the repository, each read once.
class Sources {
 public:
  explicit Sources(const ReadText& read) : read_(read) {}
  /// Null where the file cannot be read. Stays valid as long as this object.
  [[nodiscard]] const SourceFile* get(const std::string& path);

 private:
  const ReadText& read_;
  std::map<std::string, std::unique_ptr<SourceFile>> files_;
};

/// A function that may be at fault, with what the failing run did in it.
struct Suspect {
  const SourceFile* file = nullptr;
  std::size_t function = 0;  ///< Index into the file's functions.
  bool executed = false;
  bool while_importing = false;  ///< It ran last before the last module was imported.
  int depth = 0;
  int last_event = 0;
  std::set<int> lines;  ///< First lines of the executed statements.

  [[nodiscard]] const SourceFunction& info() const { return file->functions[function]; }
};

/// The functions, modules among them, that the failing run executed, and those of the same files
/// that the issue names; in order of file and line.
[[nodiscard]] std::vector<Suspect> executed_functions(const FailureTrace& trace,
                                                      const IssueTerms& terms, Sources& sources);

/// Adds the functions of the Python files that share most names with the issue.
void add_mentioned_functions(const BugReport& report, const std::vector<std::string>& files,
                             const ReadText& read, Sources& sources,
                             std::vector<Suspect>& suspects);

}  // namespace tenline
