#include "templates/user_text.h"

#include <algorithm>
#include <cctype>

#include "engine/base/text.h"

namespace tenline::templates {

namespace {

bool is_name_character(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
}

std::string_view take_name(std::string_view& rest) {
  std::size_t end = 0;
  while (end < rest.size() && is_name_character(rest[end])) ++end;
  const std::string_view name = rest.substr(0, end);
  rest.remove_prefix(end);
  return name;
}

/// The name in `(@name)`; empty where there is none.
std::string take_object(std::string_view& rest) {
  if (!rest.starts_with("(@")) return {};
  rest.remove_prefix(2);
  const std::string_view name = take_name(rest);
  if (!is_identifier(name) || !rest.starts_with(')')) return {};
  rest.remove_prefix(1);
  return std::string(name);
}

using Failure = tl::unexpected<std::string>;

/// Reads the parts of one line.
class LineReader {
 public:
  explicit LineReader(std::vector<HoleIngredient>& ingredients) : ingredients_(ingredients) {}

  tl::expected<std::vector<TextPart>, std::string> read(std::string_view line) {
    while (!line.empty()) {
      const std::size_t dollar = std::min(line.find('$'), line.size());
      plain_ += line.substr(0, dollar);
      line.remove_prefix(dollar);
      if (line.empty()) break;
      line.remove_prefix(1);
      if (line.starts_with('$')) {
        plain_ += '$';
        line.remove_prefix(1);
        continue;
      }
      flush();
      const bool braces = line.starts_with('{');
      if (braces) line.remove_prefix(1);
      TENLINE_TRY(TextPart part, hole(line));
      parts_.push_back(std::move(part));
      if (!braces) continue;
      if (!line.starts_with('}'))
        return Failure(fmt::format("${{{} lacks its }}", parts_.back().hole));
      line.remove_prefix(1);
    }
    flush();
    return std::move(parts_);
  }

 private:
  void flush() {
    if (!plain_.empty()) parts_.push_back({.text = std::move(plain_), .hole = {}});
    plain_.clear();
  }

  tl::expected<TextPart, std::string> hole(std::string_view& rest) {
    const std::string name(take_name(rest));
    if (!is_identifier(name)) return Failure("a $ needs a name behind it; $$ is a dollar");
    TextPart part{.text = {}, .hole = name};
    // A colon without a word right behind it is Python's: `if $x:`.
    if (rest.size() < 2 || rest[0] != ':' || !is_name_character(rest[1])) return part;
    rest.remove_prefix(1);
    const std::string_view word = take_name(rest);
    if (word == "operand") {
      part.operand = true;
      return part;
    }
    using Source = HoleIngredient::Source;
    HoleIngredient made{.source = Source::in_scope, .name = name, .object = {}};
    if (word == "in_scope" || word == "parameter" || word == "own_member") {
      if (word == "parameter") made.source = Source::parameter;
      if (word == "own_member") made.source = Source::own_member;
    } else if (word == "member_of" || word == "key_of") {
      made.source = word == "member_of" ? Source::member_of : Source::key_of;
      made.object = take_object(rest);
      if (made.object.empty()) {
        return Failure(fmt::format("{0} needs a capture: ${1}:{0}(@obj)", word, name));
      }
    } else {
      return Failure(
          fmt::format("there is no ingredient {} (in_scope, parameter, own_member, "
                      "member_of(@obj), key_of(@obj), operand); for a colon write ${{{}}}:",
                      word, name));
    }
    return declare(std::move(made)).map([&] { return part; });
  }

  tl::expected<void, std::string> declare(HoleIngredient made) {
    for (const HoleIngredient& known : ingredients_) {
      if (known.name != made.name) continue;
      if (known.source == made.source && known.object == made.object) return {};
      return Failure(fmt::format("the hole ${} has two ingredients", made.name));
    }
    ingredients_.push_back(std::move(made));
    return {};
  }

  std::vector<HoleIngredient>& ingredients_;
  std::vector<TextPart> parts_;
  std::string plain_;
};

std::size_t blanks_before(std::string_view line) {
  return std::min(line.find_first_not_of(" \t"), line.size());
}

/// The smallest indentation by blanks of a text.
std::size_t step_of(const std::vector<std::string_view>& lines) {
  std::size_t step = 0;
  for (const std::string_view line : lines) {
    const std::size_t blanks = blanks_before(line);
    if (blanks == 0 || blanks == line.size() || line.front() == '\t') continue;
    step = step == 0 ? blanks : std::min(step, blanks);
  }
  return std::max<std::size_t>(step, 1);
}

}  // namespace

tl::expected<RewriteText, TextProblem> parse_rewrite_text(std::string_view text) {
  if (text.ends_with('\n')) text.remove_suffix(1);
  RewriteText made;
  const std::vector<std::string_view> lines = split_lines(text);
  const std::size_t step = step_of(lines);
  for (std::size_t i = 0; i < lines.size(); ++i) {
    std::string_view line = lines[i];
    const std::size_t blanks = blanks_before(line);
    const bool tabs = line.starts_with('\t');
    const std::size_t level = tabs ? blanks : blanks / step;
    line.remove_prefix(level * (tabs ? 1 : step));
    auto parts = LineReader(made.ingredients).read(line);
    if (!parts) return tl::unexpected(TextProblem{static_cast<int>(i), parts.error()});
    made.lines.push_back({static_cast<int>(level), *std::move(parts)});
  }
  return made;
}

}  // namespace tenline::templates
