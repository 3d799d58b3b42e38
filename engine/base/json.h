#pragma once

#include <nlohmann/json.hpp>
#include <string_view>

#include "engine/base/result.h"

namespace tenline {

using Json = nlohmann::json;

/// Parses untrusted JSON: refuses more than `max_bytes`, and nesting deeper than 64, which crashes
/// the library's copy and dump.
[[nodiscard]] Result<Json> parse_json(std::string_view text,
                                      std::size_t max_bytes = std::size_t{64} << 20U);

/// The document as text; bytes that are not UTF-8 become U+FFFD instead of an exception.
[[nodiscard]] std::string to_text(const Json& document, int indent = -1);

}  // namespace tenline
