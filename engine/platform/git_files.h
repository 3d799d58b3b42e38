#pragma once

// Files of a folder in which hostile code ran: everything goes by an open folder and one name, so
// that no link is ever followed.

#include <sys/stat.h>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/result.h"
#include "engine/platform/fd.h"

namespace tenline::git {

/// What a file is made with.
struct FileForm {
  mode_t mode = 0644;
  std::int64_t time = 0;  ///< Modification time, in seconds.
  uid_t user = 0;         ///< The owner, where we may set it.
  gid_t group = 0;
};

[[nodiscard]] Result<UniqueFd> open_folder(const std::string& path);
[[nodiscard]] Result<UniqueFd> open_folder_at(int folder, const std::string& name);

/// The same, and makes it if there is none.
[[nodiscard]] Result<UniqueFd> make_folder_at(int folder, const std::string& name,
                                              const FileForm& form);

[[nodiscard]] Result<std::vector<std::string>> names_in(int folder);

/// The bytes of a regular file of at most `limit` bytes.
[[nodiscard]] Result<std::string> read_file_at(int folder, const std::string& name,
                                               std::size_t limit);
[[nodiscard]] Result<std::string> read_link_at(int folder, const std::string& name);

/// Puts a whole new file, or link, in the place of whatever file has the name.
[[nodiscard]] Result<void> write_file_at(int folder, const std::string& name, std::string_view text,
                                         const FileForm& form);
[[nodiscard]] Result<void> write_link_at(int folder, const std::string& name,
                                         const std::string& target, const FileForm& form);

/// Removes a file or a folder of any shape and depth; a missing one is fine. `bin` is a folder on
/// the same file system that holds what is being removed; a kill may leave something there, the
/// next call removes it.
[[nodiscard]] Result<void> remove_at(int folder, const std::string& name, const std::string& bin);
[[nodiscard]] Result<void> remove_tree(const std::string& path, const std::string& bin);

}  // namespace tenline::git
