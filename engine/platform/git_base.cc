#include "engine/platform/git_base.h"

#include <git2/sys/repository.h>

#include <algorithm>
#include <array>

#include "engine/base/text.h"

namespace tenline::git {

void start_library() {
  static const bool started = [] {
    git_libgit2_init();
    git_libgit2_opts(GIT_OPT_SET_OWNER_VALIDATION, 0);
    // They change nothing for a reader; without this a partial clone does not open.
    std::array<const char*, 3> extensions = {"partialclone", "preciousobjects", "worktreeconfig"};
    git_libgit2_opts(GIT_OPT_SET_EXTENSIONS, extensions.data(), extensions.size());
    return true;
  }();
  static_cast<void>(started);
}

Error last_error(std::string_view what, int code) {
  const git_error* error = git_error_last();
  const std::string why = error != nullptr && error->message != nullptr
                              ? printable(error->message)
                              : fmt::format("libgit2 error {}", code);
  ErrorCode kind = ErrorCode::io;
  if (code == GIT_ENOTFOUND || code == GIT_EUNBORNBRANCH) kind = ErrorCode::not_found;
  if (code == GIT_EAMBIGUOUS || code == GIT_EINVALIDSPEC || code == GIT_EAPPLYFAIL ||
      code == GIT_ECONFLICT || code == GIT_EEXISTS) {
    kind = ErrorCode::invalid_input;
  }
  return {.code = kind, .message = fmt::format("{}: {}", what, why)};
}

Result<Handle<git_repository>> open_bare(const std::string& git_folder) {
  start_library();
  TENLINE_TRY(
      Handle<git_repository> repository,
      make<git_repository>(printable(git_folder), git_repository_open_bare, git_folder.c_str()));
  TENLINE_TRY(const Handle<git_config> empty,
              make<git_config>("empty configuration", git_config_new));
  TENLINE_TRY_VOID(
      call("empty configuration", git_repository_set_config, repository.get(), empty.get()));
  return repository;
}

std::string to_hex(const git_oid& id) {
  std::string text(GIT_OID_HEXSZ, '0');
  git_oid_fmt(text.data(), &id);
  return text;
}

std::string printable(std::string_view text) {
  std::string line = to_valid_utf8(text.substr(0, 512));
  std::ranges::replace_if(line, [](char c) { return (c >= 0 && c < ' ') || c == 127; }, ' ');
  return line;
}

}  // namespace tenline::git
