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
      const std::string loose = deed(draft, trees, false);
      if (loose != whole) by_deed[loose].push_back(&draft);
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

/// True if a draft changes a line that another one changes too.
bool touches(const Draft& group, const Draft& single) {
  const PlacedChange& own = single.changes.front();
  return std::ranges::any_of(group.changes, [&](const PlacedChange& change) {
    if (change.file != own.file) return false;
    const auto [first, last] = std::minmax(change.span.begin, own.span.begin);
    const std::string_view source = single.anchor.source();
    return source.substr(first, last - first).find('\n') == std::string_view::npos;
  });
}

/// The same edit at several places, with one edit of another place.
void extend(const std::vector<Draft>& drafts, std::vector<Draft>& joint) {
  constexpr std::size_t k_most_located = 6;  // Statements; where more are located little is known.
  constexpr std::size_t k_most_groups = 40;
  constexpr std::size_t k_most_pairs = 1200;  // A product of ranks, from 1.
  std::set<Place> located;
  std::vector<const Draft*> singles;
  for (const Draft& draft : drafts) {
    if (draft.joined > 1) continue;
    singles.push_back(&draft);
    located.insert(place_of(draft));
    if (located.size() > k_most_located) return;
  }
  std::vector<Draft> groups;
  for (const Draft& draft : joint) {
    if (draft.prior_key == "same-edit") groups.push_back(draft);
  }
  sort_unique(groups);
  if (groups.size() > k_most_groups) groups.resize(k_most_groups);
  for (std::size_t i = 0; i < groups.size(); ++i) {
    std::size_t rank = 0;
    for (const Draft* single : singles) {
      if ((i + 1) * ++rank > k_most_pairs) break;
      Draft all = join({&groups[i], single}, "group-pair", groups[i].score * single->score);
      if (all.changes.empty() || touches(groups[i], *single)) continue;
      all.joined = groups[i].joined + 1;
      all.summary = fmt::format("{}; {}", groups[i].summary, single->summary);
      joint.push_back(std::move(all));
    }
  }
}

/// Joins the drafts of few places, best first, up to a product of their ranks: as likely edits as
/// the lists allow, without making all of them.
class Combiner {
 public:
  Combiner(const std::vector<Draft>& drafts, std::vector<Draft>& joint) : joint_(joint) {
    std::map<Place, std::vector<const Draft*>> by_place;
    for (const Draft& draft : drafts) {
      if (draft.joined == 1) by_place[place_of(draft)].push_back(&draft);
      if (by_place.size() > k_most) return;
    }
    for (auto& [place, list] : by_place) lists_.push_back(std::move(list));
  }

  void run() {
    for (std::size_t i = 0; i < lists_.size(); ++i) {
      for (std::size_t j = i + 1; j < lists_.size(); ++j) add_pairs(lists_[i], lists_[j]);
    }
    if (lists_.size() >= 3) add_triples();
  }

 private:
  static constexpr std::size_t k_most = 4;  // Places; where more are located little is known.

  void add_pairs(const std::vector<const Draft*>& first, const std::vector<const Draft*>& second) {
    const std::size_t pairs = lists_.size() * (lists_.size() - 1) / 2;
    const std::size_t limit = k_pairs / pairs;
    for (std::size_t a = 0; a < first.size() && a < limit; ++a) {
      for (std::size_t b = 0; b < second.size() && (a + 1) * (b + 1) <= limit; ++b) {
        add({first[a], second[b]}, lists_.size() == 2 ? "pair" : "pair-of-three");
      }
    }
  }

  void add_triples() {
    const std::size_t limit = lists_.size() == 3 ? k_triples : k_triples / 4;
    for (std::size_t i = 0; i < lists_.size(); ++i) {
      for (std::size_t j = i + 1; j < lists_.size(); ++j) {
        for (std::size_t k = j + 1; k < lists_.size(); ++k) {
          for (std::size_t a = 0; a < lists_[i].size() && a < limit; ++a) {
            for (std::size_t b = 0; b < lists_[j].size() && (a + 1) * (b + 1) <= limit; ++b) {
              for (std::size_t c = 0; c < lists_[k].size() && (a + 1) * (b + 1) * (c + 1) <= limit;
                   ++c) {
                add({lists_[i][a], lists_[j][b], lists_[k][c]}, "triple");
              }
            }
          }
        }
      }
    }
  }

  void add(const std::vector<const Draft*>& parts, std::string_view key) {
    double probability = 1;
    for (const Draft* part : parts) probability *= part->score;
    Draft all = join(parts, key, probability);
    if (all.changes.empty()) return;
    all.summary = parts.front()->summary;
    for (std::size_t i = 1; i < parts.size(); ++i) all.summary += "; " + parts[i]->summary;
    joint_.push_back(std::move(all));
  }

  // Products of ranks, from 1.
  static constexpr std::size_t k_pairs = 1200;
  static constexpr std::size_t k_triples = 800;

  std::vector<std::vector<const Draft*>> lists_;
  std::vector<Draft>& joint_;
};

}  // namespace

void join_drafts(const std::vector<const Tree*>& trees, std::vector<Draft>& drafts) {
  std::vector<Draft> joint;
  repeat(trees, drafts, joint);
  extend(drafts, joint);
  Combiner(drafts, joint).run();
  std::move(joint.begin(), joint.end(), std::back_inserter(drafts));
}

}  // namespace tenline::templates
