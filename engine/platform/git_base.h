#pragma once

// What the git files share: owning handles and errors of libgit2. Private to engine/platform.

#include <git2.h>

#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "engine/base/result.h"

namespace tenline::git {

struct HandleDeleter {
  void operator()(git_blob* p) const { git_blob_free(p); }
  void operator()(git_commit* p) const { git_commit_free(p); }
  void operator()(git_config* p) const { git_config_free(p); }
  void operator()(git_diff* p) const { git_diff_free(p); }
  void operator()(git_index* p) const { git_index_free(p); }
  void operator()(git_object* p) const { git_object_free(p); }
  void operator()(git_odb* p) const { git_odb_free(p); }
  void operator()(git_odb_object* p) const { git_odb_object_free(p); }
  void operator()(git_patch* p) const { git_patch_free(p); }
  void operator()(git_reference* p) const { git_reference_free(p); }
  void operator()(git_repository* p) const { git_repository_free(p); }
  void operator()(git_signature* p) const { git_signature_free(p); }
  void operator()(git_tree* p) const { git_tree_free(p); }
  void operator()(git_worktree* p) const { git_worktree_free(p); }
};

template <class T>
using Handle = std::unique_ptr<T, HandleDeleter>;

/// Starts libgit2 once for the process: no check of who owns a repository (we run nothing that it
/// names), and partial clones are let in.
void start_library();

/// The last error of libgit2 with context. `code` is what the failing function returned.
[[nodiscard]] Error last_error(std::string_view what, int code);

/// Calls a libgit2 function and turns its code into a Result.
template <class Function, class... Arguments>
[[nodiscard]] Result<void> call(std::string_view what, Function function, Arguments... arguments) {
  const int code = function(arguments...);
  if (code < 0) return tl::unexpected(last_error(what, code));
  return {};
}

/// The same for a function that makes an object as its first argument.
template <class T, class Function, class... Arguments>
[[nodiscard]] Result<Handle<T>> make(std::string_view what, Function function,
                                     Arguments... arguments) {
  T* made = nullptr;
  const int code = function(&made, arguments...);
  if (code < 0) return tl::unexpected(last_error(what, code));
  return Handle<T>(made);
}

/// Opens exactly this git folder, and reads no configuration at all: nothing that the repository,
/// the user or the system configures can have an effect.
[[nodiscard]] Result<Handle<git_repository>> open_bare(const std::string& git_folder);

[[nodiscard]] std::string to_hex(const git_oid& id);

/// A path or an id from a repository, as one printable line of an error.
[[nodiscard]] std::string printable(std::string_view text);

}  // namespace tenline::git
