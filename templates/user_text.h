#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/result.h"

namespace tenline::templates {

/// Where a hole that is no capture takes its values from.
struct HoleIngredient {
  enum class Source { in_scope, parameter, own_member, member_of, key_of };
  Source source = Source::in_scope;
  std::string name;
  std::string object;  ///< The capture that `member_of` and `key_of` ask about.
};

/// A piece of a rewrite's text: as it stands, or a hole.
struct TextPart {
  std::string text;
  std::string hole;      ///< Empty: `text` is meant.
  bool operand = false;  ///< In parentheses where it binds weaker than an operator.
};

struct TextLine {
  int level = 0;  ///< Steps of indentation beyond the place.
  std::vector<TextPart> parts;
};

/// A rewrite's text, `if $x is None:` and so on: `$name` and `${name}` are holes,
/// `$name:in_scope` one with an ingredient, `$name:operand` one that may need parentheses, `$$` a
/// dollar.
struct RewriteText {
  std::vector<TextLine> lines;
  std::vector<HoleIngredient> ingredients;
};

/// Why a text is none, and in which of its lines, from 0.
struct TextProblem {
  int line = 0;
  std::string reason;
};
[[nodiscard]] tl::expected<RewriteText, TextProblem> parse_rewrite_text(std::string_view text);

}  // namespace tenline::templates
