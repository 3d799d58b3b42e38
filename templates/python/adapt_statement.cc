// A statement of the function or class is missing a sister: the same with one name put for another,
// wherever it says it, or with one word of its names put for another.

#include <algorithm>
#include <cmath>
#include <map>

#include "engine/base/text.h"
#include "templates/python/edits.h"
#include "templates/python/unset.h"
#include "templates/vocabulary.h"

namespace tenline::templates {
namespace {

/// A name that a statement says, and where.
struct Atom {
  std::string_view text;
  std::vector<Span> spans;
  bool is_attribute = false;  ///< Read as `x.name` or a keyword; otherwise a name in scope.
  bool is_target = false;
  bool is_called = false;
};

std::vector<Atom> atoms_of(const Node& statement) {
  std::vector<Atom> atoms;
  const std::vector<std::string>& builtins = python_builtins();
  const auto add = [&](std::string_view text, Span span, bool attribute, bool target) {
    if (text == "self" || text == "cls" || !is_identifier(text)) return;
    if (!attribute && std::find(builtins.begin(), builtins.end(), text) != builtins.end()) return;
    auto known = std::find_if(atoms.begin(), atoms.end(),
                              [&](const Atom& atom) { return atom.text == text; });
    if (known == atoms.end()) known = atoms.insert(atoms.end(), Atom{text, {}, attribute});
    known->spans.push_back(span);
    known->is_attribute = known->is_attribute && attribute;
    known->is_target = known->is_target || target;
  };
  statement.walk([&](const Node& node) {
    if (node.is("identifier")) {
      const Node parent = node.parent();
      const bool attribute = parent.is("attribute") && parent.field("attribute") == node;
      const Node whole = attribute ? parent : node;
      add(node.text(), node.span(), attribute || parent.field("name") == node,
          whole.parent().field("left") == whole);
      if (!atoms.empty() && whole.parent().is("call") &&
          whole.parent().field("function") == whole) {
        atoms.back().is_called = atoms.back().text == node.text();
      }
    } else if (node.is("string")) {
      const std::optional<std::string_view> content = string_content(node.text());
      if (content && is_identifier(*content)) {
        const std::size_t quote = node.text().find(*content);
        const std::size_t begin = node.span().begin + quote;
        add(*content, {begin, begin + content->size()}, true, false);
      }
    }
    return true;
  });
  return atoms;
}

/// What may stand for an atom, with how likely the gap makes it.
using Pool = std::map<std::string_view, double>;

void offer(Pool& pool, std::string_view text, double weight) {
  double& known = pool[text];
  known = std::max(known, weight);
}

struct Pools {
  Pool names;
  Pool attributes;
};

Pools pools_of(const Gap& gap, const Context& context, const Scope& scope) {
  Pools pools;
  for (const Node& near :
       {gap.beside, previous_statement(gap.beside), next_statement(gap.beside)}) {
    std::size_t seen = 0;
    near.walk([&](const Node& node) {
      constexpr std::size_t k_enough = 40;
      if (!node.is("identifier")) return seen < k_enough;
      ++seen;
      const bool attribute = node.parent().field("attribute") == node;
      if (attribute) offer(pools.attributes, node.text(), 0.5);
      if (scope.has(node.text())) offer(pools.names, node.text(), 0.8);
      return true;
    });
  }
  for (const std::string_view local : scope.locals()) offer(pools.names, local, 0.4);
  const Node owner = enclosing_class(gap.beside);
  for (const auto& [name, attribute] : context.vocabulary().self_attributes(owner)) {
    offer(pools.attributes, name, 0.25);
  }
  for (const std::string_view name : unset_attributes(context, owner)) {
    offer(pools.attributes, name, 2);
  }
  for (const Unset& unset : unset_names(context, gap)) {
    offer(pools.names, unset.name, 1.5 * unset.weight);
  }
  return pools;
}

/// The part in which two names of words joined by `_` differ, as (old, new); empty where that is
/// all of one of them.
std::pair<std::string, std::string> changed_words(std::string_view a, std::string_view b) {
  const std::vector<std::string_view> from = split(a, '_');
  const std::vector<std::string_view> to = split(b, '_');
  std::size_t begin = 0;
  const std::size_t shorter = std::min(from.size(), to.size());
  while (begin < shorter && from[begin] == to[begin]) ++begin;
  std::size_t end = 0;
  while (end < shorter - begin && from[from.size() - 1 - end] == to[to.size() - 1 - end]) ++end;
  const auto join = [&](const std::vector<std::string_view>& words) {
    std::string text;
    for (std::size_t i = begin; i + end < words.size(); ++i) {
      text += (text.empty() ? "" : "_") + std::string(words[i]);
    }
    return text;
  };
  if (begin + end == 0) return {};
  return {join(from), join(to)};
}

std::string with_word(std::string_view name, const std::string& from, const std::string& to) {
  const std::string padded = fmt::format("_{}_", name);
  const std::size_t at = padded.find(fmt::format("_{}_", from));
  if (from.empty() || to.empty() || at == std::string::npos) return std::string(name);
  std::string text = padded;
  text.replace(at + 1, from.size(), to);
  return text.substr(1, text.size() - 2);
}

class Adapter {
 public:
  Adapter(const Gap& gap, const Context& context)
      : gap_(gap),
        context_(context),
        scope_(context, gap),
        pools_(pools_of(gap, context, scope_)) {}

  void adapt(const Node& model, double fit) {
    const std::vector<Atom> atoms = atoms_of(model);
    model.walk([&](const Node& node) {
      const bool flag = node.is("true") || node.is("false");
      if (flag)
        keep(written(model, {{node.span(), node.is("true") ? "False" : "True"}}), fit * 0.4);
      return true;
    });
    turn_round(model, fit);
    constexpr std::size_t k_most_atoms = 10;
    if (atoms.size() > k_most_atoms) return;
    for (const Atom& atom : atoms) {
      const Pool& pool = atom.is_attribute ? pools_.attributes : pools_.names;
      for (const auto& [name, chance] : pool) {
        if (name == atom.text || python_constant(name)) continue;
        const double similar = name_similarity(atom.text, name);
        const double weight = fit * chance * (0.08 + similar * similar) *
                              (atom.is_target ? 1.5 : 1) * (atom.is_called ? 0.4 : 1);
        substitute(model, atoms, atom, name, weight);
      }
    }
  }

  void give(const Node& anchor, Proposals& out) const {
    std::vector<std::pair<double, std::string_view>> best;
    for (const auto& [text, weight] : weights_) best.emplace_back(weight, text);
    std::stable_sort(best.begin(), best.end(),
                     [](const auto& a, const auto& b) { return a.first > b.first; });
    if (best.size() > k_most) best.resize(k_most);
    for (const auto& [weight, text] : best) {
      out.add({{gap_.put(text)},
               anchor,
               weight * gap_.told,
               fmt::format("add `{}`", brief(text)),
               false});
    }
  }

 private:
  static constexpr std::size_t k_most = 200;

  /// `a.m(b)` as `b.m(a)`.
  void turn_round(const Node& model, double fit) {
    const Node function = model.child(0).field("function");
    const std::vector<Node> arguments = model.child(0).field("arguments").children();
    if (!function.is("attribute") || arguments.size() != 1) return;
    const Node object = function.field("object");
    const Node argument = arguments.front();
    if (argument.is("keyword_argument") || argument.is("string") || object.text() == "self") return;
    if (!argument.is("call") && !is_plain(argument)) return;
    keep(written(model, {{object.span(), std::string(argument.text())},
                         {argument.span(), std::string(object.text())}}),
         fit * 0.3);
  }

  static bool python_constant(std::string_view name) {
    return name == "self" || name == "cls" || is_python_keyword(name);
  }

  void substitute(const Node& model, const std::vector<Atom>& atoms, const Atom& atom,
                  std::string_view name, double weight) {
    std::vector<std::pair<Span, std::string>> changes;
    for (const Span& span : atom.spans) changes.emplace_back(span, std::string(name));
    const auto [from, to] = changed_words(atom.text, name);
    bool more = false;
    for (const Atom& other : atoms) {
      if (other.text == atom.text || from.empty() || to.empty()) continue;
      const std::string text = with_word(other.text, from, to);
      if (text == other.text || !context_.vocabulary().has(text)) continue;
      more = true;
      for (const Span& span : other.spans) changes.emplace_back(span, text);
    }
    if (more) {
      keep(written(model, changes), weight * 2);
      changes.resize(atom.spans.size());
    }
    keep(written(model, changes), weight);
  }

  void keep(const std::string& text, double weight) {
    double& known = weights_[text];
    known = std::max(known, weight);
  }

  static std::string written(const Node& model, std::vector<std::pair<Span, std::string>> changes) {
    std::sort(changes.begin(), changes.end(),
              [](const auto& a, const auto& b) { return a.first.begin > b.first.begin; });
    std::string text(model.text());
    for (const auto& [span, name] : changes) {
      text.replace(span.begin - model.span().begin, span.size(), name);
    }
    return text;
  }

  const Gap& gap_;
  const Context& context_;
  Scope scope_;
  Pools pools_;
  std::map<std::string, double> weights_;
};

void rewrite(const Match& match, const Context& context, Proposals& out) {
  const Node statement = match["statement"];
  const Node function = enclosing_function(statement);
  if (!function) return;
  const Node owner = enclosing_class(statement);
  for (const Gap& gap : gaps_at(context, statement)) {
    std::vector<std::pair<int, Node>> models;
    for (const Model& model : context.vocabulary().models()) {
      const bool same = model.function == function;
      if (!same && (!owner || model.owner != owner)) continue;
      const int distance = std::abs(model.node.line() - statement.line());
      models.emplace_back(distance + (same ? 0 : 30), model.node);
    }
    std::stable_sort(models.begin(), models.end(),
                     [](const auto& a, const auto& b) { return a.first < b.first; });
    constexpr std::size_t k_most_models = 24;
    if (models.size() > k_most_models) models.resize(k_most_models);
    Adapter adapter(gap, context);
    for (const auto& [distance, model] : models) adapter.adapt(model, 1 / (1 + distance / 8.0));
    adapter.give(statement, out);
  }
}

}  // namespace

extern constinit const Template k_adapt_statement = {
    .id = "adapt-statement",
    .family = Family::state_or_order,
    .summary = "Add a statement like one nearby, with one name or word put for another.",
    .language = Language::python,
    .query = k_any_statement,
    .prior = 0.3,
    .rewrite = rewrite,
};
}  // namespace tenline::templates
