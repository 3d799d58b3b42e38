#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/result.h"

namespace tenline {

/// A range of lines, from 1; `count` 0 is the place behind line `first` (0: before all lines).
struct LineRange {
  int first = 0;
  int count = 0;
};

/// One change between two texts: these lines became those.
struct LineChange {
  LineRange before;
  LineRange after;
};

/// The changes that make one text another, without context; the work of libgit2.
[[nodiscard]] Result<std::vector<LineChange>> line_changes(std::string_view before,
                                                           std::string_view after);

/// A repository read at many revisions, without a checkout; for evaluation. Its configuration has
/// no effect. May be used from several threads.
class GitHistory {
 public:
  struct File {
    std::string path;
    std::string blob;  ///< Full hexadecimal id: equal ids are equal texts.
  };

  /// not_found or invalid_input for a folder without a repository.
  [[nodiscard]] static Result<std::unique_ptr<GitHistory>> open(const std::string& folder);
  virtual ~GitHistory() = default;

  /// The regular files of a revision, in the order of git. not_found if there is no such commit.
  [[nodiscard]] virtual Result<std::vector<File>> files(const std::string& revision) = 0;
  /// not_found if the repository lacks it, as partial clones do.
  [[nodiscard]] virtual Result<std::string> blob(const std::string& id) = 0;
};

}  // namespace tenline
