// The words of `constraints`. A text matches by RE2, whose time is linear in the text.

#include "templates/user_constraint.h"

#include <re2/re2.h>

#include <algorithm>
#include <memory>

#include "engine/base/text.h"

namespace tenline::templates {

namespace {

using Texts = std::vector<std::string>;
using Holds = std::function<bool(const Bindings&)>;

tl::unexpected<Error> refuse(std::string reason) {
  return fail(ErrorCode::invalid_input, std::move(reason));
}

Result<std::string> one_text(const std::string& word, const YamlValue& value) {
  if (value.kind != YamlValue::Kind::text) return refuse(word + " needs a text");
  return value.text;
}

/// A text, or a list of them.
Result<Texts> texts(const std::string& word, const YamlValue& value) {
  if (value.kind == YamlValue::Kind::text) return Texts{value.text};
  if (value.kind != YamlValue::Kind::list || value.items.empty()) {
    return refuse(word + " needs a list of texts");
  }
  Texts found;
  for (const YamlValue& item : value.items) {
    if (item.kind != YamlValue::Kind::text) return refuse(word + " needs a list of texts");
    found.push_back(item.text);
  }
  return found;
}

bool contains(const Texts& list, std::string_view text) {
  return std::find(list.begin(), list.end(), text) != list.end();
}

Result<Texts> kinds(const std::string& word, const YamlValue& value) {
  TENLINE_TRY(Texts found, texts(word, value));
  for (const std::string& kind : found) {
    if (!is_node_kind(Language::python, kind)) {
      return refuse(fmt::format("there is no node kind {}", kind));
    }
  }
  return found;
}

bool is_inside(const Node& node, const Texts& wanted) {
  for (Node at = node.parent(); at; at = at.parent()) {
    if (contains(wanted, at.kind())) return true;
  }
  return false;
}

enum class Argument { absent, hidden, present };

/// Whether a call has an argument of this name; a `**` may hide it.
Argument argument_of(const Node& node, std::string_view name) {
  const Node list = node.is("call") ? node.field("arguments") : node;
  Argument found = Argument::absent;
  for (const Node& one : list.children()) {
    if (one.is("dictionary_splat")) found = Argument::hidden;
    if (one.is("keyword_argument") && one.field("name").text() == name) return Argument::present;
  }
  return found;
}

Result<Holds> about_pattern(const std::string& subject, const std::string& word,
                            const YamlValue& value) {
  TENLINE_TRY(const std::string text, one_text(word, value));
  constexpr std::size_t k_longest = 1000;
  if (text.size() > k_longest)
    return refuse(fmt::format("{} has more than {} bytes", word, k_longest));
  re2::RE2::Options options;
  options.set_log_errors(false);
  options.set_max_mem(1 << 20);
  // Shared, as std::function copies what it holds.
  const auto pattern = std::make_shared<const re2::RE2>(text, options);
  if (!pattern->ok())
    return refuse(fmt::format("{} is no regular expression: {}", word, pattern->error()));
  const bool wanted = word == "matches";
  return [=](const Bindings& bindings) {
    const std::string_view tested = bindings.text(subject);
    return re2::RE2::PartialMatch({tested.data(), tested.size()}, *pattern) == wanted;
  };
}

Result<Holds> about_text(const std::string& subject, const std::string& word,
                         const YamlValue& value) {
  if (word == "matches" || word == "not_matches") return about_pattern(subject, word, value);
  Texts list;
  if (word == "equals") {
    TENLINE_TRY(const std::string text, one_text(word, value));
    list.push_back(text);
  } else {
    TENLINE_TRY(list, texts(word, value));
  }
  const bool wanted = word != "not_in";
  return [=](const Bindings& bindings) { return contains(list, bindings.text(subject)) == wanted; };
}

Result<Holds> about_node(const std::string& subject, const std::string& word,
                         const YamlValue& value) {
  if (word == "has_argument" || word == "lacks_argument") {
    TENLINE_TRY(const std::string name, one_text(word, value));
    if (!is_identifier(name)) return refuse(word + " needs the name of a keyword");
    const Argument wanted = word == "has_argument" ? Argument::present : Argument::absent;
    return [=](const Bindings& bindings) {
      return argument_of(bindings.node(subject), name) == wanted;
    };
  }
  TENLINE_TRY(const Texts list, kinds(word, value));
  if (word == "kind") {
    return [=](const Bindings& bindings) { return contains(list, bindings.node(subject).kind()); };
  }
  const bool wanted = word == "inside";
  return
      [=](const Bindings& bindings) { return is_inside(bindings.node(subject), list) == wanted; };
}

/// A constraint about a capture that a match lacks does not hold.
Holds of_present(const std::string& subject, Holds holds) {
  return [subject, holds = std::move(holds)](const Bindings& bindings) {
    return bindings.node(subject) && holds(bindings);
  };
}

}  // namespace

Result<Constraint> make_constraint(const std::string& subject, Subject kind,
                                   const std::string& word, const YamlValue& value) {
  static const Texts k_of_texts = {"equals", "matches", "not_matches", "in", "not_in"};
  static const Texts k_of_nodes = {"kind", "inside", "not_inside", "has_argument",
                                   "lacks_argument"};
  Constraint made{.subject = subject, .other = {}, .holds = {}};
  if (contains(k_of_texts, word)) {
    TENLINE_TRY(made.holds, about_text(subject, word, value));
  } else if (contains(k_of_nodes, word)) {
    if (kind == Subject::hole)
      return refuse(fmt::format("{} is about nodes, and ${} is none", word, subject));
    TENLINE_TRY(made.holds, about_node(subject, word, value));
  } else if (word == "differs") {
    TENLINE_TRY(made.other, one_text(word, value));
    if (made.other.starts_with('@') || made.other.starts_with('$')) made.other.erase(0, 1);
    made.holds = [subject, other = made.other](const Bindings& bindings) {
      return bindings.text(subject) != bindings.text(other);
    };
  } else {
    return refuse(fmt::format(
        "there is no constraint {} (equals, matches, not_matches, in, not_in, differs, kind, "
        "inside, not_inside, has_argument, lacks_argument)",
        word));
  }
  if (kind == Subject::capture) made.holds = of_present(subject, std::move(made.holds));
  return made;
}

bool looks_outside(const std::string& word) { return word == "inside" || word == "not_inside"; }

}  // namespace tenline::templates
