#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "engine/core/verdict.h"

namespace tenline {

/// The value as JSON text. Bytes that are not UTF-8 become U+FFFD, numbers that are not finite 0.
[[nodiscard]] std::string serialize(const Reproduction& reproduction);
[[nodiscard]] std::string serialize(const Verdict& verdict);

/// The value that serialize wrote; nothing where the text is damaged, of another format, or names
/// something that this version does not know.
[[nodiscard]] std::optional<Reproduction> parse_reproduction(std::string_view text);
[[nodiscard]] std::optional<Verdict> parse_verdict(std::string_view text);

}  // namespace tenline
