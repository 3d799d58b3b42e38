#pragma once

#include <string_view>

namespace tenline::git {

/// True for a path that may be written below a worktree: relative, no empty, "." or ".." component,
/// none that any file system takes for ".git", and not too deep or long.
[[nodiscard]] bool is_safe_path(std::string_view path);

/// True if a symbolic link at this (safe) path that points to `target` stays in the worktree
/// whatever the other links are that this function lets pass.
[[nodiscard]] bool is_safe_link(std::string_view path, std::string_view target);

}  // namespace tenline::git
