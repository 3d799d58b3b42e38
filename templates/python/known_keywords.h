#pragma once

// What well-known functions outside the repository take by keyword, and with which values.

#include <string_view>
#include <vector>

namespace tenline::templates {

/// The keywords of a function of PyTorch, its distributed package or the standard library, by the
/// last part of its name; commonest first. Empty for others.
[[nodiscard]] const std::vector<std::string_view>& known_keywords(std::string_view function);

/// Values that a keyword of this name often has, wherever it occurs: `False` for `persistent`.
[[nodiscard]] const std::vector<std::string_view>& known_values(std::string_view keyword);

}  // namespace tenline::templates
