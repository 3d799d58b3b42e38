#pragma once

#include <chrono>
#include <string>

#include "engine/base/result.h"
#include "engine/core/edit.h"

namespace tenline {

/// The changes from one set of texts to another, as `git apply` takes them: a/ and b/ paths, three
/// lines of context. A file that only one side has is made or deleted. Byte-exact: any line ends,
/// any encoding. Refuses paths that no checkout should hold.
[[nodiscard]] Result<std::string> unified_diff(const FileTexts& before, const FileTexts& after);

struct Mail {
  std::string base;    ///< A commit id for the first line; any other text becomes zeros.
  std::string author;  ///< "Name <address>".
  std::chrono::sys_seconds date;
  std::string subject;  ///< One line, without "[PATCH]".
  std::string body;
  std::string diff;  ///< From unified_diff.
};

/// A mailbox of one mail for `git am`. Whatever the subject and body hold, the mail has this author
/// and date, and changes what the diff changes.
[[nodiscard]] Result<std::string> mailbox(const Mail& mail);

struct ApplyOptions {
  std::string repository;  ///< A checkout or a folder in one.
  std::string patch;       ///< A unified diff.
  std::string branch;      ///< Empty: change the files only. Else a new branch with a commit.
  std::string message;     ///< Of that commit.
};

/// Applies a patch to the user's checkout: the one thing that writes there, on the user's word.
/// With a branch it commits in the user's name and checks the branch out; the branch that was
/// checked out keeps its commit. Runs no hooks. Refuses (invalid_input, and nothing has changed) a
/// checkout with changes in tracked files, a patch that does not apply to HEAD or does more than
/// change texts of files, and a branch that exists.
[[nodiscard]] Result<void> apply_patch(const ApplyOptions& options);

}  // namespace tenline
