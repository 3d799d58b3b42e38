#pragma once

#include <string>

#include "templates/user_rule.h"
#include "templates/yaml_document.h"

namespace tenline::templates {

/// What a constraint speaks of, for its checks.
enum class Subject { capture, hole };

/// The constraint `word: value` about a name; a Result because a user wrote it. Errors have no
/// place: the caller knows the file, and the line is the value's.
[[nodiscard]] Result<Constraint> make_constraint(const std::string& subject, Subject kind,
                                                 const std::string& word, const YamlValue& value);

/// True for constraints that look outside of the node that they are about.
[[nodiscard]] bool looks_outside(const std::string& word);

}  // namespace tenline::templates
