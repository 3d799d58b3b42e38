#include "templates/ingredients.h"

#include <algorithm>

#include "engine/base/text.h"
#include "engine/syntax/python_scope.h"

namespace tenline::templates {

namespace {

constexpr std::size_t k_longest = 60;
constexpr std::size_t k_most = 4000;

bool is_ingredient(const Node& node) {
  return node.is("attribute") || node.is("call") || node.is("subscript");
}

/// The identifier that an expression begins with; empty where it begins otherwise.
std::string_view root_of(const Node& node) {
  Node at = node;
  while (at) {
    if (at.is("identifier")) return at.text();
    if (at.is("attribute")) {
      at = at.field("object");
    } else if (at.is("call")) {
      at = at.field("function");
    } else if (at.is("subscript")) {
      at = at.field("value");
    } else {
      return {};
    }
  }
  return {};
}

int function_line(const Node& node) {
  const Node function = enclosing_function(node);
  return function ? function.line() : 0;
}

template <class Value>
std::vector<Value> commonest(std::map<std::string, Value>&& table, std::size_t most) {
  std::vector<Value> sorted;
  sorted.reserve(table.size());
  for (auto& [text, value] : table) sorted.push_back(std::move(value));
  std::stable_sort(sorted.begin(), sorted.end(),
                   [](const Value& a, const Value& b) { return a.count > b.count; });
  if (sorted.size() > most) sorted.resize(most);
  return sorted;
}

std::vector<std::pair<std::string, int>> commonest(const std::map<std::string, int>& table,
                                                   std::size_t most) {
  std::vector<std::pair<std::string, int>> sorted(table.begin(), table.end());
  std::stable_sort(sorted.begin(), sorted.end(),
                   [](const auto& a, const auto& b) { return a.second > b.second; });
  if (sorted.size() > most) sorted.resize(most);
  return sorted;
}

}  // namespace

std::vector<std::string> words_of(std::string_view text) {
  std::vector<std::string> words;
  for (std::size_t i = 0; i < text.size();) {
    std::size_t end = i;
    while (end < text.size() &&
           (std::isalnum(static_cast<unsigned char>(text[end])) != 0 || text[end] == '_')) {
      ++end;
    }
    if (end > i) {
      for (std::string& word : identifier_words(text.substr(i, end - i))) {
        const bool plural = word.size() > 3 && word.ends_with('s') && !word.ends_with("ss");
        if (plural) word.pop_back();
        words.push_back(std::move(word));
      }
    }
    i = end + 1;
  }
  std::sort(words.begin(), words.end());
  words.erase(std::unique(words.begin(), words.end()), words.end());
  return words;
}

double word_overlap(const std::vector<std::string>& a, const std::vector<std::string>& b) {
  std::size_t shared = 0;
  for (std::size_t i = 0, j = 0; i < a.size() && j < b.size();) {
    const int order = a[i].compare(b[j]);
    if (order == 0) ++shared;
    if (order <= 0) ++i;
    if (order >= 0) ++j;
  }
  const std::size_t all = a.size() + b.size() - shared;
  return all == 0 ? 0 : static_cast<double>(shared) / static_cast<double>(all);
}

std::string purpose_of(const Node& expression) {
  const Node parent = expression.parent();
  if (parent.is("keyword_argument")) return fmt::format("={}", parent.field("name").text());
  if (parent.is("argument_list")) {
    const std::vector<Node> arguments = parent.children();
    const auto at = std::find(arguments.begin(), arguments.end(), expression);
    return fmt::format("({} {}", last_part(parent.parent().field("function").text()),
                       at - arguments.begin());
  }
  if (parent.is("assignment")) return fmt::format("={}", last_part(parent.field("left").text()));
  if (parent.is("pair")) return fmt::format(":{}", parent.field("key").text());
  if (parent.is("comparison_operator")) {
    const Node other = parent.child(0) == expression ? parent.child(1) : parent.child(0);
    return fmt::format("<{}", other.text());
  }
  if (parent.is("subscript")) return fmt::format("[{}", parent.field("value").text());
  if (parent.is("binary_operator")) {
    const Node other =
        parent.field("left") == expression ? parent.field("right") : parent.field("left");
    return fmt::format("+{}", other.text());
  }
  if (parent.is("for_statement") || parent.is("for_in_clause")) return "for";
  if (parent.is("if_statement") || parent.is("boolean_operator") || parent.is("not_operator") ||
      parent.is("elif_clause")) {
    return "if";
  }
  if (parent.is("return_statement")) return "return";
  return {};
}

Ingredients::Ingredients(const Tree& tree) {
  tree.root().walk([&](const Node& node) {
    if (node.is("import_from_statement") || node.is("import_statement")) return false;
    if (node.is("call")) {
      const std::vector<Node> arguments = node.field("arguments").children();
      const std::string_view function = node.field("function").text();
      if (arguments.size() == 1 && function.size() <= 40 && !arguments[0].is("keyword_argument") &&
          function.find('\n') == std::string_view::npos) {
        ++unary_table_[std::string(function)];
      }
    }
    if (node.is("binary_operator")) {
      const Node right = node.field("right");
      if (right.span().size() <= 40 && right.text().find('\n') == std::string_view::npos &&
          !right.is("string") && !right.is("list") && !right.is("tuple")) {
        ++operation_table_[fmt::format("{} {}", node.field("operator").text(), right.text())];
      }
    }
    if (is_ingredient(node)) {
      read_suffix(node);
      read(node);
    }
    return true;
  });
  constexpr std::size_t k_most_suffixes = 60;
  methods_ = commonest(std::move(method_table_), k_most_suffixes);
  subscripts_ = commonest(std::move(subscript_table_), k_most_suffixes);
  unary_ = commonest(unary_table_, k_most_suffixes);
  operations_ = commonest(operation_table_, k_most_suffixes);
}

void Ingredients::read(const Node& node) {
  const std::string_view text = node.text();
  if (text.size() > k_longest || text.find('\n') != std::string_view::npos) return;
  const Node parent = node.parent();
  const bool called = parent.is("call") && parent.field("function") == node;
  if (called || (parent.is("assignment") && parent.field("left") == node && node.is("subscript"))) {
    return;
  }
  const auto [it, is_new] = by_text_.emplace(text, all_.size());
  if (is_new) {
    if (all_.size() == k_most) {
      by_text_.erase(it);
      return;
    }
    all_.push_back({text, node.kind(), root_of(node), {}, {}, words_of(text)});
  }
  Ingredient& known = all_[it->second];
  constexpr std::size_t k_most_places = 16;
  if (known.places.size() < k_most_places) {
    known.places.emplace_back(node.line(), function_line(node));
  }
  std::string role = purpose_of(node);
  if (!role.empty() && known.roles.size() < k_most_places) known.roles.insert(std::move(role));
}

void Ingredients::read_suffix(const Node& node) {
  constexpr std::size_t k_longest_suffix = 32;
  Node base;
  if (node.is("attribute")) {
    base = node.field("object");
    std::vector<std::string_view>& owners = owners_[node.field("attribute").text()];
    if (base.span().size() <= 40 && owners.size() < 24 &&
        std::find(owners.begin(), owners.end(), base.text()) == owners.end()) {
      owners.push_back(base.text());
    }
    const Node call = node.parent();
    if (call.is("call") && call.field("function") == node) return;
  } else if (node.is("call")) {
    base = node.field("function").field("object");
  } else {
    base = node.field("value");
  }
  if (!base || node.span().end - base.span().end > k_longest_suffix) return;
  const std::string_view text = node.source();
  const std::string suffix(text.substr(base.span().end, node.span().end - base.span().end));
  if (suffix.find('\n') != std::string::npos) return;
  Suffix& known = (node.is("subscript") ? subscript_table_ : method_table_)[suffix];
  known.text = suffix;
  ++known.count;
  if (known.bases.size() < 24) known.bases.insert(base.text());
}

const std::vector<std::string_view>& Ingredients::owners(std::string_view attribute) const {
  static const std::vector<std::string_view> k_none;
  const auto it = owners_.find(attribute);
  return it == owners_.end() ? k_none : it->second;
}

std::vector<Ingredients::Fit> Ingredients::fitting(
    const Node& place, const std::unordered_set<std::string_view>& in_scope,
    std::size_t most) const {
  const std::string role = purpose_of(place);
  const std::vector<std::string> words = words_of(place.text());
  const int line = place.line();
  const int function = function_line(place);
  const std::vector<std::string> role_words = words_of(role);
  std::vector<Fit> fits;
  for (const Ingredient& known : all_) {
    if (known.text == place.text() || known.root.empty() || !in_scope.contains(known.root)) {
      continue;
    }
    double weight = 0.02 + word_overlap(words, known.words);
    if (!role_words.empty()) weight += 0.5 * word_overlap(role_words, known.words);
    if (known.kind == place.kind()) weight *= 1.6;
    if (!role.empty() && known.roles.contains(role)) weight = weight * 2 + 0.3;
    bool near = false;
    bool same_function = false;
    for (const auto& [at, owner] : known.places) {
      near = near || std::abs(at - line) <= 8;
      same_function = same_function || owner == function;
    }
    if (same_function) weight *= 2;
    if (near) weight *= 1.5;
    fits.push_back({&known, weight});
  }
  const std::size_t kept = std::min(most, fits.size());
  std::partial_sort(fits.begin(), fits.begin() + static_cast<std::ptrdiff_t>(kept), fits.end(),
                    [](const Fit& a, const Fit& b) {
                      return a.weight != b.weight ? a.weight > b.weight
                                                  : a.ingredient->text < b.ingredient->text;
                    });
  fits.resize(kept);
  return fits;
}

}  // namespace tenline::templates
