#pragma once

#include <string>
#include <vector>

namespace tenline::cli {

/// `tenline templates list`: a line each, a Markdown page (docs/templates.md: the built-in ones
/// alone), or JSON. With those of a repository: `repository`, or the one around the current folder.
[[nodiscard]] int list_templates(const std::string& repository, bool markdown, bool json);

/// `tenline templates show ID`; throws Fatal for an unknown id.
[[nodiscard]] int show_template(const std::string& repository, const std::string& id);

/// `tenline templates test`: tries the examples of the files, or of those in the folders; of the
/// repository's where none is named. Gives 0 where all hold, 1 where one does not, 6 where a file
/// is refused.
[[nodiscard]] int test_templates(const std::string& repository,
                                 const std::vector<std::string>& paths);

}  // namespace tenline::cli
