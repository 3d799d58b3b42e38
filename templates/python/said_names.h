#pragma once

// The names that a statement is made of.

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/syntax/tree.h"

namespace tenline::templates {

/// A name that a statement says, and where.
struct SaidName {
  std::string_view text;
  std::vector<Span> spans;
  bool is_attribute = false;  ///< Read as `x.name` or a keyword; otherwise a name in scope.
  bool is_target = false;
  bool is_called = false;
  std::string_view object = {};  ///< That it is an attribute of.
};

/// The names of a statement but self, cls and builtins, each once; a string that is an identifier
/// counts as one.
[[nodiscard]] std::vector<SaidName> said_names(const Node& statement);

/// The part in which two names of words joined by `_` differ, as (old, new); empty where they have
/// no word in common at either end.
[[nodiscard]] std::pair<std::string, std::string> changed_words(std::string_view a,
                                                                std::string_view b);

/// The name with some of its words put for others; as it is where it lacks them.
[[nodiscard]] std::string with_words(std::string_view name, const std::string& from,
                                     const std::string& to);

}  // namespace tenline::templates
