#pragma once

#include <string>
#include <string_view>

#include "engine/base/result.h"
#include "engine/syntax/python_index.h"

namespace tenline::corpus {

/// What a file defines as bytes, to be kept between runs.
[[nodiscard]] std::string to_bytes(const PythonFacts& facts);
/// Fails for bytes that to_bytes did not write.
[[nodiscard]] Result<PythonFacts> facts_from_bytes(std::string_view bytes);

/// A table of byte strings by key as one file's content, and back.
[[nodiscard]] std::string pack(const std::map<std::string, std::string>& table);
[[nodiscard]] Result<std::map<std::string, std::string>> unpack(std::string_view bytes);

}  // namespace tenline::corpus
