// Edits of several places at once, made of edits of one: a fix often repeats itself, or changes two
// neighbours that belong together.

#include <algorithm>
#include <cctype>
#include <cmath>
#include <map>
#include <set>

#include "engine/syntax/python_scope.h"
#include "templates/draft.h"
#include "templates/prior.h"

namespace tenline::templates {

namespace {

constexpr std::size_t k_most_places = 5;  // Ten changed lines.

/// Where a draft's first change stands: file and first line of the statement.
using Place = std::pair<int, int>;

Place place_of(const Draft& draft) {
  return {draft.changes.front().file, enclosing_statement(draft.anchor).line()};
}

/// What a draft does, apart from where: the old texts and the new ones. With `words`, the whole
/// words that it changes: `x` to `config.x`; without, only what is added or taken away: `config.`.
std::string deed(const Draft& draft, const std::vector<const Tree*>& trees, bool words) {
  std::string text;
  for (const PlacedChange& change : draft.changes) {
    const std::string_view source = trees[static_cast<std::size_t>(change.file)]->source();
    // The word around a trimmed change is part of what is replaced.
    const auto is_word = [&](std::size_t at) {
      const char c = source[at];
      return c == '_' || (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
    };
    std::size_t begin = change.span.begin;
    std::size_t end = change.span.end;
    if (words &&
        (change.span.size() > 0 || (!change.text.empty() && change.text.front() != '\n'))) {
      while (begin > 0 && is_word(begin - 1)) --begin;
      while (end < source.size() && is_word(end)) ++end;
    }
    text += source.substr(begin, change.span.begin - begin);
    text += '\x01';
    text += source.substr(change.span.begin, change.span.size());
    text += '\x02';
    text += change.text;
    text += '\x03';
    text += source.substr(change.span.end, end - change.span.end);
    text += '\x04';
  }
  return text;
}

/// Two drafts or more as one; without changes where they are in each other's way.
Draft join(const std::vector<const Draft*>& parts, std::string_view key, double probability) {
  Draft all{.form = parts.front()->form,
            .prior_key = key,
            .weight = probability,
            .score = Prior::learned().joint(key, probability),
            .line = parts.front()->line,
            .anchor = parts.front()->anchor,
            .joined = static_cast<int>(parts.size())};
  for (const Draft* part : parts) {
    all.changes.insert(all.changes.end(), part->changes.begin(), part->changes.end());
  }
  if (!put_in_order(all.changes)) all.changes.clear();
  return all;
}

/// True for edits that only add lines: the same lines at several places of a block say nothing new.
bool adds_lines(const Draft& draft) {
  return std::ranges::all_of(draft.changes, [](const PlacedChange& change) {
    return change.span.size() == 0 && change.text.find('\n') != std::string::npos;
  });
}

/// The same edit wherever it was proposed.
void repeat(const std::vector<const Tree*>& trees, const std::vector<Draft>& singles,
            std::vector<Draft>& joint) {
  std::map<std::string, std::vector<const Draft*>> by_deed;
  std::set<Place> located;
  for (const Draft& draft : singles) located.insert(place_of(draft));
  // Where many statements are located, half of them have an operator or a bracket to change.
  constexpr std::size_t k_few = 8;
  const bool precise = located.size() <= k_few;
  for (const Draft& draft : singles) {
    if (draft.joined > 1 || draft.changes.size() > 2 || adds_lines(draft)) continue;
    // A changed word is the same anywhere; a changed sign only between the same operands.
    const std::string whole = deed(draft, trees, true);
    const bool word =
        std::ranges::any_of(whole, [](unsigned char c) { return std::isalnum(c) != 0; });
    by_deed[word || precise ? whole : fmt::format("{}{}", draft.anchor.text(), whole)].push_back(
        &draft);
    // Letters of a word alone say little.
    constexpr std::size_t k_least = 4;
    const PlacedChange& change = draft.changes.front();
    if (precise && draft.changes.size() == 1 &&
        change.span.size() + change.text.size() >= k_least) {
      by_deed[deed(draft, trees, false)].push_back(&draft);
    }
  }
  for (const auto& [text, parts] : by_deed) {
    if (parts.size() < 2 || parts.size() > 2 * k_most_places) continue;
    std::set<Place> places;
    for (const Draft* part : parts) places.insert(place_of(*part));
    if (places.size() > k_most_places) continue;
    const double probability = std::sqrt(parts.front()->score * parts.back()->score);
    Draft all = join(parts, places.size() > 1 ? "same-edit" : "same-line", probability);
    if (all.changes.empty()) continue;
    all.summary = fmt::format("{}, at {} places", parts.front()->summary, parts.size());
    joint.push_back(std::move(all));
  }
}

/// The best edits of one place with the best of the others, where few places are located.
void combine(const std::vector<Draft>& drafts, std::vector<Draft>& joint) {
  std::map<Place, std::vector<const Draft*>> by_place;
  for (const Draft& draft : drafts) {
    if (draft.joined == 1) by_place[place_of(draft)].push_back(&draft);
    if (by_place.size() > 3) return;
  }
  if (by_place.size() < 2) return;
  const std::size_t most = by_place.size() == 2 ? 50 : 14;
  std::vector<std::vector<const Draft*>> lists;
  for (auto& [place, list] : by_place) {
    list.resize(std::min(list.size(), most));
    lists.push_back(std::move(list));
  }
  const auto add = [&](const std::vector<const Draft*>& parts, std::string_view key) {
    double probability = 1;
    for (const Draft* part : parts) probability *= part->score;
    Draft all = join(parts, key, probability);
    if (all.changes.empty()) return;
    all.summary = parts.front()->summary;
    for (std::size_t i = 1; i < parts.size(); ++i) all.summary += "; " + parts[i]->summary;
    joint.push_back(std::move(all));
  };
  for (std::size_t i = 0; i < lists.size(); ++i) {
    for (std::size_t j = i + 1; j < lists.size(); ++j) {
      for (const Draft* a : lists[i]) {
        for (const Draft* b : lists[j]) add({a, b}, lists.size() == 2 ? "pair" : "pair-of-three");
      }
    }
  }
  if (lists.size() < 3) return;
  for (const Draft* a : lists[0]) {
    for (const Draft* b : lists[1]) {
      for (const Draft* c : lists[2]) add({a, b, c}, "triple");
    }
  }
}

}  // namespace

void join_drafts(const std::vector<const Tree*>& trees, std::vector<Draft>& drafts) {
  std::vector<Draft> joint;
  repeat(trees, drafts, joint);
  combine(drafts, joint);
  std::move(joint.begin(), joint.end(), std::back_inserter(drafts));
}

}  // namespace tenline::templates
