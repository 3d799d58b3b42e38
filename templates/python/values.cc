#include "templates/python/values.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cstdlib>

#include "engine/base/text.h"
#include "templates/python/edits.h"
#include "templates/python/known_keywords.h"

namespace tenline::templates {

namespace {

bool is_name_character(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
}

/// Objects that hold options: `config`, `self.args`.
bool holds_options(std::string_view object) {
  constexpr std::array<std::string_view, 6> k_parts = {"config", "args",   "cfg",
                                                       "opt",    "params", "settings"};
  return std::any_of(k_parts.begin(), k_parts.end(), [&](std::string_view part) {
    return object.find(part) != std::string_view::npos;
  });
}

}  // namespace

double kinship(std::string_view name, std::string_view other) {
  if (name == other) return 1;
  const auto ends_with_word = [](std::string_view longer, std::string_view word) {
    return longer.size() > word.size() && longer.ends_with(word) &&
           longer[longer.size() - word.size() - 1] == '_';
  };
  const double similarity = name_similarity(name, other);
  const bool same_end = ends_with_word(other, name) || ends_with_word(name, other);
  return same_end ? std::max(similarity, 0.75) : similarity;
}

/// Texts with their best weights.
class Values::Collector {
 public:
  void add(std::string_view text, double weight) {
    const auto [it, fresh] = weights_.try_emplace(std::string(text), weight);
    if (!fresh) it->second = std::max(it->second, weight);
  }

  [[nodiscard]] Weighted best(std::size_t most) const {
    Weighted sorted(weights_.begin(), weights_.end());
    std::stable_sort(sorted.begin(), sorted.end(),
                     [](const auto& a, const auto& b) { return a.second > b.second; });
    if (sorted.size() > most) sorted.resize(most);
    return sorted;
  }

 private:
  std::map<std::string, double> weights_;
};

Values::Values(const Node& at, const Context& context)
    : context_(context), at_(at), function_(enclosing_function(at)) {
  for (const Name& name : context.names(at)) names_.insert(name.text);
  if (const Node owner = enclosing_class(at)) {
    class_name_ = owner.field("name").text();
    members_ = context.index().members(class_name_);
  }
  (function_ ? function_ : enclosing_statement(at)).walk([&](const Node& node) {
    if (node.is("attribute") && is_plain(node.field("object"))) {
      ++objects_[node.field("object").text()];
    }
    return true;
  });
  constexpr std::size_t k_most_near = 12;
  enclosing_statement(at).walk([&](const Node& node) {
    const bool name = node.is("identifier") || node.is("attribute");
    const bool called = node.parent().field("function") == node;
    if (name && near_.size() < k_most_near && is_plain(node) && !called &&
        (node.is("attribute") || is_value(node))) {
      near_.push_back(node.text());
    }
    return !node.is("block");
  });
}

bool Values::usable(std::string_view expression) const {
  char quote = 0;
  for (std::size_t i = 0; i < expression.size(); ++i) {
    const char c = expression[i];
    if (quote != 0) {
      if (c == quote) quote = 0;
      continue;
    }
    if (c == '"' || c == '\'') quote = c;
    if (!is_name_character(c)) continue;
    const std::size_t begin = i;
    while (i + 1 < expression.size() && is_name_character(expression[i + 1])) ++i;
    const std::string_view word = expression.substr(begin, i + 1 - begin);
    const bool number = std::isdigit(static_cast<unsigned char>(word.front())) != 0;
    const bool member = begin > 0 && expression[begin - 1] == '.';
    const bool keyword = i + 1 < expression.size() && expression[i + 1] == '=';
    const bool prefix =
        i + 1 < expression.size() && (expression[i + 1] == '"' || expression[i + 1] == '\'');
    if (number || member || keyword || prefix || names_.contains(word) || is_python_keyword(word)) {
      continue;
    }
    const std::vector<std::string>& builtins = python_builtins();
    if (std::find(builtins.begin(), builtins.end(), word) == builtins.end()) return false;
  }
  return true;
}

void Values::add_passed(std::string_view name, std::string_view callee, Collector& found) const {
  const std::string prefix = std::string(name) + "=";
  const std::map<std::string, int>& passed = context_.index().call_values(callee);
  int all = 0;
  for (auto it = passed.lower_bound(prefix); it != passed.end(); ++it) {
    if (!it->first.starts_with(prefix)) break;
    all += it->second;
  }
  for (auto it = passed.lower_bound(prefix); it != passed.end(); ++it) {
    if (!it->first.starts_with(prefix)) break;
    const std::string_view value = std::string_view(it->first).substr(prefix.size());
    if (usable(value)) found.add(value, 0.1 + 0.6 * it->second / all);
  }
  constexpr int k_near = 60;
  for (const auto& [value, lines] : context_.keyword_values(name)) {
    if (!usable(value)) continue;
    const bool near = std::any_of(lines.begin(), lines.end(),
                                  [&](int line) { return std::abs(line - at_.line()) <= k_near; });
    found.add(value, near ? 0.5 : 0.25);
  }
}

void Values::add_attributes(std::string_view name, Collector& found) const {
  for (const auto& [chain, lines] : context_.attributes(name)) {
    if (!usable(chain)) continue;
    const bool near = function_ && std::any_of(lines.begin(), lines.end(), [&](int line) {
                        return function_.line() <= line && line <= function_.end_line();
                      });
    found.add(chain, near ? 0.5 : 0.25);
  }
  const std::string ending = fmt::format("_{}", name);
  for (const auto& [last, chains] : context_.attributes()) {
    if (!last.ends_with(ending)) continue;
    for (const auto& [chain, lines] : chains) {
      if (usable(chain)) found.add(chain, 0.15);
    }
  }
  // What other files read of an object that this one has.
  for (const std::string_view object : context_.distant().objects()) {
    if (!names_.contains(root_name(object))) continue;
    const PythonIndex::Counts& accesses = context_.index().accesses(object);
    for (const auto& [access, count] : accesses) {
      if (access == name) {
        found.add(fmt::format("{}.{}", object, name), 0.3);
      } else if (access.ends_with(ending)) {
        found.add(fmt::format("{}.{}", object, access), 0.12);
      }
    }
  }
  const bool of_tensor = name == "device" || name == "dtype";
  for (const auto& [object, count] : objects_) {
    if (object == "self" || !usable(object)) continue;
    const double weight = holds_options(object) ? 0.25 : 0.02;
    found.add(fmt::format("{}.{}", object, name), weight);
  }
  if (!of_tensor) return;
  for (const std::string_view object : near_) {
    if (usable(object)) found.add(fmt::format("{}.{}", object, name), 0.3);
  }
  for (const auto& [object, count] : objects_) {
    if (object != "self" && usable(object)) found.add(fmt::format("{}.{}", object, name), 0.1);
  }
}

void Values::add_members(std::string_view name, Collector& found) const {
  if (!visible("self")) return;
  const auto add = [&](const std::string& member, double weight) {
    const bool method = context_.index().method(class_name_, member) != nullptr;
    found.add("self." + member, method ? weight * 0.3 : weight);
    if (method) found.add(fmt::format("self.{}()", member), weight * 0.8);
  };
  for (const std::string& member : members_) {
    const std::string_view bare =
        std::string_view(member).substr(std::min(member.find_first_not_of('_'), member.size()));
    if (member == name) {
      add(member, 0.55);
    } else if (bare == name) {
      add(member, 0.35);
    } else if (const double kin = kinship(name, bare); kin >= 0.55) {
      add(member, 0.25 * kin * kin);
    }
  }
}

void Values::add_names(std::string_view name, Collector& found) const {
  for (const std::string_view other : names_) {
    if (other == name) {
      found.add(other, 0.8);
      continue;
    }
    const double kin = kinship(name, other);
    if (kin < 0.5) continue;
    if (other.starts_with("get_")) found.add(fmt::format("{}()", other), 0.3 * kin * kin);
    found.add(other, 0.4 * kin * kin);
  }
}

void Values::add_literals(std::string_view name, std::string_view fallback,
                          Collector& found) const {
  double weight = 0.4;
  for (const std::string_view value : known_values(name)) {
    if (!usable(value)) continue;
    found.add(value, weight);
    weight *= 0.6;
  }
  if (fallback == "True" || fallback == "False") {
    found.add(fallback == "True" ? "False" : "True", 0.35);
  } else if (fallback.empty()) {
    found.add("True", 0.08);
    found.add("False", 0.08);
  }
  found.add("None", 0.06);
  found.add("0", 0.03);
  if (!fallback.empty() && usable(fallback)) found.add(fallback, 0.06);
}

Values::Weighted Values::of(std::string_view name, std::string_view callee,
                            std::string_view fallback, std::size_t most) const {
  Collector found;
  add_passed(name, callee, found);
  add_attributes(name, found);
  add_members(name, found);
  add_names(name, found);
  add_literals(name, fallback, found);
  return found.best(most);
}

}  // namespace tenline::templates
