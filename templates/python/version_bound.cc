// A bound on a version is one step off: `"2.3.0"` for `"2.4.0"`, `"torch>=1.8"` for `"torch>=1.9"`.

#include <array>
#include <cctype>
#include <charconv>

#include "templates/python/edits.h"

namespace tenline::templates {
namespace {

bool is_digit(char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; }

/// True if a version may begin at a place: not within a word or a number; `v2.3` is one.
bool is_start(std::string_view text, std::size_t at) {
  const auto breaks = [&](std::size_t i) {
    const auto c = static_cast<unsigned char>(text[i]);
    return std::isalnum(c) == 0 && c != '_' && c != '.';
  };
  if (at == 0 || breaks(at - 1)) return true;
  return text[at - 1] == 'v' && (at == 1 || breaks(at - 2));
}

/// A version inside a text: numbers with dots between them.
struct Version {
  std::size_t begin = 0;
  std::size_t end = 0;
  std::vector<int> parts;
};

/// The versions of a text, at most four; numbers of more than four digits are dates or hashes.
std::vector<Version> versions_in(std::string_view text) {
  constexpr std::size_t k_most = 4;
  constexpr std::size_t k_most_digits = 4;
  std::vector<Version> versions;
  for (std::size_t i = 0; i < text.size() && versions.size() < k_most;) {
    const bool starts = is_digit(text[i]) && is_start(text, i);
    if (!starts) {
      ++i;
      continue;
    }
    Version version{i, i, {}};
    bool short_parts = true;
    while (i < text.size() && is_digit(text[i])) {
      std::size_t end = i;
      while (end < text.size() && is_digit(text[end])) ++end;
      int part = 0;
      std::from_chars(text.data() + i, text.data() + end, part);
      short_parts = short_parts && end - i <= k_most_digits;
      version.parts.push_back(part);
      version.end = end;
      i = end;
      if (i + 1 < text.size() && text[i] == '.' && is_digit(text[i + 1])) ++i;
    }
    if (version.parts.size() > 1 && version.parts.size() <= 4 && short_parts) {
      versions.push_back(std::move(version));
    }
  }
  return versions;
}

std::string join(const std::vector<int>& parts) { return fmt::format("{}", fmt::join(parts, ".")); }

void rewrite(const Match& match, const Context& context, Proposals& out) {
  const Node string = match["string"];
  const std::optional<std::string_view> content = string_content(string.text());
  constexpr std::size_t k_longest = 80;
  if (!content || content->size() > k_longest || is_message(string)) return;
  const auto begin = static_cast<std::size_t>(content->data() - string.source().data());
  const double fit = context.fails_here(string) ? 2 : 1;
  for (const Version& version : versions_in(*content)) {
    const auto propose = [&](const std::vector<int>& parts, double weight) {
      Proposal proposal =
          change_of(string, {begin + version.begin, begin + version.end}, join(parts), weight * fit,
                    fmt::format("version {} instead of {}", join(parts), join(version.parts)));
      proposal.repeatable = true;
      out.add(std::move(proposal));
    };
    // The minor number changes most, and what is behind it starts anew.
    constexpr std::array k_weights = {0.3, 1.0, 0.6, 0.2};
    for (std::size_t i = 0; i < version.parts.size(); ++i) {
      std::vector<int> next = version.parts;
      ++next[i];
      for (std::size_t j = i + 1; j < next.size(); ++j) next[j] = 0;
      propose(next, k_weights[i]);
      std::vector<int> before = version.parts;
      if (before[i]-- > 0) propose(before, 0.5 * k_weights[i]);
    }
    std::vector<int> longer = version.parts;
    longer.push_back(1);
    if (longer.size() == 3) propose(longer, 0.3);
  }
}

}  // namespace

extern constinit const Template k_version_bound = {
    .id = "version-bound",
    .family = Family::version_compatibility,
    .summary = "Move a bound on a version by one step.",
    .language = Language::python,
    .query = "(string) @string",
    .prior = 0.5,
    .rewrite = rewrite,
};
}  // namespace tenline::templates
