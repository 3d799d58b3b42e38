// A list, tuple, set or class header lacks an element: the next number or version, a name of
// the file that is like those in it, what the issue names.

#include <algorithm>
#include <map>

#include "engine/base/text.h"
#include "templates/python/edits.h"

namespace tenline::templates {
namespace {

/// The text with its last number one higher: "11.3" gives "11.4"; empty without a number.
std::string successor(std::string_view text) {
  const std::size_t last = text.find_last_of("0123456789");
  if (last == std::string_view::npos) return {};
  std::size_t begin = last;
  constexpr std::size_t k_longest_number = 6;
  while (begin > 0 && text[begin - 1] >= '0' && text[begin - 1] <= '9') --begin;
  if (last - begin >= k_longest_number) return {};
  const int number = std::stoi(std::string(text.substr(begin, last + 1 - begin)));
  return fmt::format("{}{}{}", text.substr(0, begin), number + 1, text.substr(last + 1));
}

bool holds(const std::vector<Node>& elements, std::string_view text) {
  return std::any_of(elements.begin(), elements.end(),
                     [&](const Node& element) { return element.text() == text; });
}

class Filler {
 public:
  Filler(const Node& list, const Context& context, Proposals& out)
      : list_(list), context_(context), elements_(list.children()), out_(out) {}

  void run() {
    successors();
    const Node last = elements_.back();
    if (last.is("string")) {
      strings();
    } else if (last.is("identifier") || last.is("attribute")) {
      names();
    }
    std::vector<std::pair<double, std::string>> best;
    best.reserve(fits_.size());
    for (const auto& [text, weight] : fits_) best.emplace_back(weight, text);
    std::stable_sort(best.begin(), best.end(),
                     [](const auto& a, const auto& b) { return a.first > b.first; });
    constexpr std::size_t k_most = 40;
    if (best.size() > k_most) best.resize(k_most);
    for (const auto& [weight, text] : best) append(text, weight);
  }

 private:
  void offer(const std::string& text, double weight) {
    if (text.empty() || holds(elements_, text)) return;
    double& known = fits_[text];
    known = std::max(known, weight);
  }

  void successors() {
    const std::string next = successor(elements_.back().text());
    if (elements_.back().is("string") || elements_.back().is("integer")) {
      offer(next, 1.5);
      if (!next.empty()) offer(fmt::format("{}, {}", next, successor(next)), 0.9);
    }
    for (const Node& element : elements_) {
      const std::string other = successor(element.text());
      if (!element.is("string") || other.empty() || holds(elements_, other)) continue;
      const std::size_t at = element.span().end;
      add({{at, at}, ", " + other}, other, 0.3);
    }
  }

  void strings() {
    const char quote = elements_.back().text().back();
    const auto quoted = [&](std::string_view name) {
      return fmt::format("{0}{1}{0}", quote, name);
    };
    if (list_.parent().field("left").text() == "__all__") {
      for (const Name& name : context_.names(list_)) {
        if (name.text.starts_with("_")) continue;
        offer(quoted(name.text), name.kind == NameKind::import ? 0.6 : 0.8);
      }
    }
    for (const std::string& literal : context_.issue_literals()) offer(literal, 0.8);
    for (const std::string& name : context_.issue_names()) offer(quoted(name), 0.5);
    for (const std::string& literal : context_.string_literals()) {
      offer(literal, 0.05 + 0.6 * likeness(literal));
    }
  }

  void names() {
    for (const Name& name : context_.names(list_)) {
      if (name.text == "self") continue;
      offer(name.text, 0.05 + 0.8 * likeness(name.text));
    }
    const Node last = elements_.back();
    if (!last.is("attribute")) return;
    const Node object = last.field("object");
    for (const std::string& member : context_.members(object, last.field("attribute").text())) {
      offer(fmt::format("{}.{}", object.text(), member), 0.1 + 0.5 * likeness(member));
    }
  }

  /// How like the elements a text is, by the likest of the last few.
  [[nodiscard]] double likeness(std::string_view text) const {
    constexpr std::size_t k_most = 6;
    double best = 0;
    for (std::size_t i = 0; i < elements_.size() && i < k_most; ++i) {
      const Node& element = elements_[elements_.size() - 1 - i];
      best = std::max(best, name_similarity(element.text(), text));
    }
    return best * best;
  }

  void append(const std::string& text, double weight) {
    const std::size_t end = elements_.back().span().end;
    add({{end, end}, ", " + text}, text, weight);
    const std::size_t begin = elements_.front().span().begin;
    add({{begin, begin}, text + ", "}, text, weight * (list_.is("argument_list") ? 0.8 : 0.2));
  }

  void add(Change change, const std::string& text, double weight) {
    out_.add({{std::move(change)}, list_, weight, fmt::format("add `{}`", brief(text)), false});
  }

  Node list_;
  const Context& context_;
  std::vector<Node> elements_;
  Proposals& out_;
  std::map<std::string, double> fits_;
};

/// An empty list that is given back, or that a result begins with, holds one element: a value of
/// the function, or an empty list.
void fill(const Node& list, const Context& context, Proposals& out) {
  const Node parent = list.parent();
  if (!parent.is("return_statement") && !parent.is("assignment")) return;
  const double fit = parent.is("return_statement") ? 1 : 0.4;
  const auto propose = [&](std::string_view element, double weight) {
    out.replace(list, fmt::format("[{}]", element), fit * weight,
                fmt::format("put `{}` into the empty list", element));
  };
  propose("[]", 0.1);
  constexpr int k_most = 8;
  int count = 0;
  for (const Name& name : context.names(list)) {
    const bool local = name.kind == NameKind::parameter || name.kind == NameKind::local;
    if (!local || name.text == "self" || ++count > k_most) continue;
    propose(name.text, name.kind == NameKind::parameter ? 0.15 : 0.1);
  }
}

void rewrite(const Match& match, const Context& context, Proposals& out) {
  const Node list = match["list"];
  const std::vector<Node> elements = list.children();
  if (elements.empty() && list.is("list")) fill(list, context, out);
  if (elements.empty() || (list.is("tuple") && elements.size() < 2)) return;
  bool told = false;
  for (int line = list.line(); line <= list.end_line() && !told; ++line) {
    told = context.line_score(line) > 0;
  }
  const Node last = elements.back();
  const bool same_kind = std::all_of(elements.begin(), elements.end(), [&](const Node& element) {
    return element.kind() == last.kind() || element.is("attribute") || element.is("identifier");
  });
  if (told && same_kind) Filler(list, context, out).run();
}

}  // namespace

extern constinit const Template k_add_element = {
    .id = "add-element",
    .family = Family::other,
    .summary = "Add an element to a list, tuple, set or class header that is like the others.",
    .language = Language::python,
    .query =
        "[(list) @list (tuple) @list (set) @list"
        " (class_definition superclasses: (argument_list) @list)]",
    .prior = 0.3,
    .answers = answers::import_error | answers::key_error,
    .rewrite = rewrite,
};
}  // namespace tenline::templates
