#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "engine/base/result.h"

namespace tenline::templates {

struct YamlEntry;

/// A value of a YAML document: all scalars are text.
struct YamlValue {
  enum class Kind { nothing, text, list, map };
  Kind kind = Kind::nothing;
  int line = 0;  ///< From 1.
  std::string text;
  bool literal = false;  ///< A block after `|`: its n-th line is the file's line `line` + n.
  std::vector<YamlValue> items;
  std::vector<YamlEntry> entries;  ///< In their order.
};

struct YamlEntry {
  std::string key;
  int line = 0;
  YamlValue value;
};

/// Parses untrusted YAML: one document of at most 64 KiB and 4,096 values, nested at most 8 deep,
/// without anchors, aliases, tags and duplicated keys. Errors say "file:line: reason".
[[nodiscard]] Result<YamlValue> parse_yaml(const std::string& file, std::string_view text);

}  // namespace tenline::templates
