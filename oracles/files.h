#pragma once

#include <string>
#include <string_view>

#include "engine/base/result.h"

namespace tenline {

/// The bytes of a file that a sandboxed program wrote. Follows no link, waits for no pipe, and
/// refuses what is not a regular file or has more than `limit` bytes.
[[nodiscard]] Result<std::string> read_untrusted_file(const std::string& path, std::size_t limit);

/// Creates or replaces a file, and the folders above it.
[[nodiscard]] Result<void> write_file(const std::string& path, std::string_view text);

/// Makes an empty folder that the sandbox's user, who is another one, may write.
[[nodiscard]] Result<void> make_drop_folder(const std::string& path);

/// Removes a file or a folder and all below it, as far as possible.
void remove_folder(const std::string& path);

}  // namespace tenline
