#pragma once

// An import that goes with another edit.

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "templates/context.h"
#include "templates/template.h"

namespace tenline::templates {

/// `from a.b import c` as ("a.b", "c"); empty for other imports.
[[nodiscard]] std::pair<std::string_view, std::string_view> import_parts(std::string_view text);

/// The forms of an import: as it is, and from the file's own package with dots.
[[nodiscard]] std::vector<std::string> import_forms(const Context& context,
                                                    const std::string& text);

/// True for the two kinds of import statements.
[[nodiscard]] bool is_import(const Node& statement);

/// The ways to let `from a import b` bind one more name; none for other statements and modules.
struct PlacedImport {
  Change change;
  double weight = 1;
  std::string text;  ///< What is imported, for people.
};
[[nodiscard]] std::vector<PlacedImport> extended_import(const Context& context,
                                                        const Node& statement,
                                                        std::string_view name);

/// The ways to bind a name at the top of a file: by an import that is there, in the gaps between
/// imports that something points to, else behind the imports; best first, at most `most`.
[[nodiscard]] std::vector<PlacedImport> placed_imports(const Context& context,
                                                       std::string_view name, std::size_t most);

}  // namespace tenline::templates
