#pragma once

// What the templates about signatures share.

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "templates/context.h"
#include "templates/python/arguments.h"
#include "templates/template.h"

namespace tenline::templates {

/// The name of a node of a parameter list; of `*args` and `**kwargs` without the stars.
[[nodiscard]] std::string_view parameter_name(const Node& parameter);

/// True if a parameter has a type: how this definition is written.
[[nodiscard]] bool has_types(const Node& function);

/// How a parameter could be written, with weights of at most 1: as other definitions of the
/// repository do, with the default `fallback`, with `None`, with `False`, without default.
[[nodiscard]] std::vector<std::pair<std::string, double>> forms_of(std::string_view name,
                                                                   std::string_view fallback,
                                                                   const Node& function,
                                                                   const Context& context);

/// Where a parameter can go: with a default at the end, before stars and behind the last one that
/// the meant lines point to; without one before the first default.
[[nodiscard]] std::vector<ArgumentGap> parameter_gaps(const Node& function, bool has_default,
                                                      const Context& context);

/// The change that makes a name of `typing` known that a text uses and the file does not import;
/// nothing if all are known or no line imports from `typing`.
[[nodiscard]] std::vector<Change> typing_import(std::string_view text, const Node& at,
                                                const Context& context);

/// The statement of a block before which a new one goes; null where the meant lines point to none.
[[nodiscard]] Node meant_gap(const Node& block, const Context& context);

}  // namespace tenline::templates
