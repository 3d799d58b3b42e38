// A number is replaced by one of another size: ten times, half, the other sign, a number that the
// file uses for the same purpose.

#include <charconv>

#include "templates/python/edits.h"

namespace tenline::templates {
namespace {

std::optional<long> as_integer(std::string_view text) {
  long value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  constexpr long k_largest = 1'000'000'000'000;
  if (error != std::errc{} || end != text.data() + text.size() || value > k_largest) return {};
  return value;
}

/// True behind a sign, where another one makes no sense: `-1`, `n - 1`.
bool has_sign(const Node& number) {
  const Node parent = number.parent();
  return parent.is("unary_operator") ||
         (parent.is("binary_operator") && parent.field("right") == number);
}

void rewrite(const Match& match, const Context& /*context*/, Proposals& out) {
  const Node node = match["number"];
  if (is_message(node) || node.ancestor({"type"})) return;
  Choices choices;
  const std::optional<long> value = as_integer(node.text());
  if (value) {
    for (const long factor : {2L, 4L, 8L, 10L, 100L, 1000L, 1024L}) {
      const double twice = factor == 2 ? 0.04 : 0;
      choices.add(std::to_string(*value * factor), (factor <= 10 ? 0.18 : 0.1) + twice);
      if (*value % factor == 0) choices.add(std::to_string(*value / factor), 0.15 + twice);
    }
    // Small numbers count something and are one off; large ones are sizes.
    constexpr long k_largest_count = 16;
    const double near = *value <= k_largest_count ? 0.3 : 0.12;
    for (const long step : {1L, 2L, 3L}) {
      const double weight = near / static_cast<double>(step);
      choices.add(std::to_string(*value + step), weight);
      if (*value >= step) choices.add(std::to_string(*value - step), weight);
    }
    for (const std::string_view common : {"0", "1", "2", "-1", "None", "1.0", "0.0"}) {
      choices.add(common, 0.15);
    }
    choices.add(fmt::format("{}.0", *value), 0.1);
    if (*value != 0) choices.add(fmt::format("-{}", *value), 0.1);
  } else {
    for (const std::string_view common : {"0.0", "1.0", "0.5", "0.1", "0", "1", "None"}) {
      choices.add(common, 0.15);
    }
    const std::size_t dot = node.text().find(".0");
    if (dot != std::string_view::npos && dot + 2 == node.text().size()) {
      choices.add(node.text().substr(0, dot), 0.3);
    }
  }
  // Numbers of the same function and of the file's constants.
  int others = 0;
  enclosing_function(node).walk([&](const Node& other) {
    constexpr int k_most_others = 30;
    if ((other.is("integer") || other.is("float")) && ++others < k_most_others) {
      choices.add(other.text(), 0.15);
    }
    return others < k_most_others;
  });
  for (const auto& [text, weight] : choices.best(30)) {
    const bool signless = text == "0" || text == "0.0" || text.starts_with('-');
    if (text == node.text() || (signless && has_sign(node))) continue;
    out.replace_everywhere(node, text, weight, fmt::format("replace {} by {}", node.text(), text));
  }
}

}  // namespace

extern constinit const Template k_replace_number = {
    .id = "replace-number",
    .family = Family::arithmetic,
    .summary = "Replace a number by a multiple, a neighbour or another one of the function.",
    .language = Language::python,
    .query = "[(integer) (float)] @number",
    .prior = 0.4,
    .answers = answers::index_error,
    .rewrite = rewrite,
};
}  // namespace tenline::templates
