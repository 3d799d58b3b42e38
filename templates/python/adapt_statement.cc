// A statement or small `if` of the function or class is missing a sister: the same with one name
// put for another, wherever it says it, or with one word of its names put for another.

#include <algorithm>
#include <cmath>
#include <map>

#include "engine/base/text.h"
#include "templates/python/edits.h"
#include "templates/python/said_names.h"
#include "templates/python/unset.h"
#include "templates/vocabulary.h"

namespace tenline::templates {
namespace {

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

class Adapter {
 public:
  Adapter(const Gap& gap, const Context& context)
      : gap_(gap),
        context_(context),
        scope_(context, gap),
        pools_(pools_of(gap, context, scope_)) {}

  void adapt(const Node& model, double fit) {
    const std::vector<SaidName> atoms = said_names(model);
    model.walk([&](const Node& node) {
      const bool flag = node.is("true") || node.is("false");
      if (flag)
        keep(written(model, {{node.span(), node.is("true") ? "False" : "True"}}), fit * 0.4);
      return true;
    });
    turn_round(model, fit);
    constexpr std::size_t k_most_atoms = 10;
    if (atoms.size() > k_most_atoms) return;
    std::vector<Substitution> singles;
    for (const SaidName& atom : atoms) {
      Pool pool = atom.is_attribute ? pools_.attributes : pools_.names;
      if (atom.is_attribute && atom.object != "self") {
        constexpr std::size_t k_most_members = 30;
        const std::set<std::string_view>& members =
            context_.vocabulary().attributes_of(atom.object);
        if (members.size() <= k_most_members) {
          for (const std::string_view member : members) offer(pool, member, 0.4);
        }
      }
      for (const auto& [name, chance] : pool) {
        if (name == atom.text || python_constant(name)) continue;
        const double similar = name_similarity(atom.text, name);
        const double weight = fit * chance * (0.08 + similar * similar) *
                              (atom.is_target ? 1.5 : 1) * (atom.is_called ? 0.4 : 1);
        substitute(model, atoms, atom, name, weight);
        if (model.is("if_statement")) singles.push_back({&atom, name, weight});
      }
    }
    combine(model, std::move(singles), fit);
  }

  void give(const Node& anchor, Proposals& out) const {
    std::vector<std::pair<double, std::string_view>> best;
    best.reserve(weights_.size());
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

  /// One name put for another.
  struct Substitution {
    const SaidName* atom = nullptr;
    std::string_view name;
    double weight = 0;
  };

  /// The likeliest substitutions two at a time: the condition and what it decides on.
  void combine(const Node& model, std::vector<Substitution> singles, double fit) {
    constexpr std::size_t k_best = 16;
    std::ranges::stable_sort(singles, std::greater{}, &Substitution::weight);
    if (singles.size() > k_best) singles.resize(k_best);
    for (std::size_t i = 0; i < singles.size(); ++i) {
      for (std::size_t j = i + 1; j < singles.size(); ++j) {
        if (singles[i].atom == singles[j].atom) continue;
        std::vector<std::pair<Span, std::string>> changes;
        for (const Substitution& one : {singles[i], singles[j]}) {
          for (const Span& span : one.atom->spans) changes.emplace_back(span, one.name);
        }
        keep(written(model, std::move(changes)),
             2 * singles[i].weight * singles[j].weight / std::max(fit, 0.01));
      }
    }
  }

  static bool python_constant(std::string_view name) {
    return name == "self" || name == "cls" || is_python_keyword(name);
  }

  void substitute(const Node& model, const std::vector<SaidName>& atoms, const SaidName& atom,
                  std::string_view name, double weight) {
    std::vector<std::pair<Span, std::string>> changes;
    changes.reserve(atom.spans.size());
    for (const Span& span : atom.spans) changes.emplace_back(span, std::string(name));
    const auto [from, to] = changed_words(atom.text, name);
    bool more = false;
    for (const SaidName& other : atoms) {
      if (other.text == atom.text || from.empty() || to.empty()) continue;
      const std::string text = with_words(other.text, from, to);
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

  [[nodiscard]] std::string written(const Node& model,
                                    std::vector<std::pair<Span, std::string>> changes) const {
    std::sort(changes.begin(), changes.end(),
              [](const auto& a, const auto& b) { return a.first.begin > b.first.begin; });
    std::string text(model.text());
    for (const auto& [span, name] : changes) {
      text.replace(span.begin - model.span().begin, span.size(), name);
    }
    return gap_.fitted(model, text);
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
      if (!gap.can_leave(model.node)) continue;
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
    .summary = "Add a statement or small `if` like one nearby, with names or words put for others.",
    .language = Language::python,
    .query = k_any_statement,
    .prior = 0.3,
    .rewrite = rewrite,
};
}  // namespace tenline::templates
