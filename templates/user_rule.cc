// A rule fills its holes, then makes all its steps at once. Ingredients are the only choice: the
// best values of each, heaviest combination first.

#include "templates/user_rule.h"

#include <algorithm>
#include <optional>

#include "engine/base/text.h"
#include "templates/python/edits.h"
#include "templates/python/imports.h"

namespace tenline::templates {

namespace {

constexpr std::size_t k_values_per_hole = 8;
constexpr std::size_t k_combinations = 64;

bool is_receiver(std::string_view name) { return name == "self" || name == "cls"; }

std::vector<std::string> values_of(const HoleIngredient& ingredient, const Bindings& bindings,
                                   const Node& place, const Context& context) {
  std::vector<std::string> values;
  switch (ingredient.source) {
    case HoleIngredient::Source::in_scope:
      for (const Name& name : context.names(place)) {
        if (!is_receiver(name.text)) values.push_back(name.text);
      }
      break;
    case HoleIngredient::Source::parameter:
      for (const Parameter& parameter : parameters_of(enclosing_function(place))) {
        const bool plain = parameter.kind == ParameterKind::normal ||
                           parameter.kind == ParameterKind::keyword_only;
        if (plain && !is_receiver(parameter.name)) values.push_back(parameter.name);
      }
      break;
    case HoleIngredient::Source::own_member:
      if (const Node owner = enclosing_class(place)) {
        const auto members = context.index().members(owner.field("name").text());
        values.assign(members.begin(), members.end());
      }
      break;
    case HoleIngredient::Source::member_of:
      values = context.members(bindings.node(ingredient.object), {});
      break;
    case HoleIngredient::Source::key_of:
      values = context.keys(bindings.node(ingredient.object));
      break;
  }
  return values;
}

struct Filled {
  Bindings bindings;
  double weight = 1;
};

class Filler {
 public:
  Filler(const Rule& rule, const Node& place, const Context& context)
      : rule_(rule), place_(place), context_(context) {}

  /// All ways to fill the holes, best first.
  [[nodiscard]] std::vector<Filled> fill(const Match& match) const {
    std::vector<Filled> all = {{Bindings(match)}};
    for (std::size_t i = 0; i < rule_.ingredients.size(); ++i) {
      std::vector<Filled> next;
      for (const Filled& filled : all) extend(filled, i, next);
      std::stable_sort(next.begin(), next.end(),
                       [](const Filled& a, const Filled& b) { return a.weight > b.weight; });
      next.erase(next.begin() + static_cast<std::ptrdiff_t>(std::min(next.size(), k_combinations)),
                 next.end());
      all = std::move(next);
    }
    return all;
  }

 private:
  void extend(const Filled& filled, std::size_t i, std::vector<Filled>& out) const {
    const HoleIngredient& ingredient = rule_.ingredients[i];
    Choices choices;
    for (const std::string& value : values_of(ingredient, filled.bindings, place_, context_)) {
      Bindings tried = filled.bindings;
      tried.set(ingredient.name, value);
      if (!decided_hold(tried, i)) continue;
      const std::string_view bare = string_content(value).value_or(value);
      choices.add(value, fit_of_name(context_, ingredient.name, bare));
    }
    const auto best = choices.best(k_values_per_hole);
    for (const auto& [value, fit] : best) {
      Filled made = filled;
      made.bindings.set(ingredient.name, value);
      made.weight *= fit / best.front().second;
      out.push_back(std::move(made));
    }
  }

  /// The constraints that the i-th hole decides: about it and what was filled before.
  [[nodiscard]] bool decided_hold(const Bindings& bindings, std::size_t i) const {
    const std::string& name = rule_.ingredients[i].name;
    const auto open = [&](const std::string& other) {
      return std::any_of(rule_.ingredients.begin() + static_cast<std::ptrdiff_t>(i) + 1,
                         rule_.ingredients.end(),
                         [&](const HoleIngredient& later) { return later.name == other; });
    };
    return std::all_of(rule_.constraints.begin(), rule_.constraints.end(),
                       [&](const Constraint& constraint) {
                         const bool about = constraint.subject == name || constraint.other == name;
                         return !about || open(constraint.subject) || open(constraint.other) ||
                                constraint.holds(bindings);
                       });
  }

  const Rule& rule_;
  const Node& place_;
  const Context& context_;
};

struct Layout {
  std::string base;  ///< Indentation of the place.
  std::string step;
  std::string line_end;
};

Layout layout_at(const Node& place) {
  return {indentation(enclosing_statement(place)), indent_step(place), line_end(place)};
}

std::string render(const RewriteText& text, const Bindings& bindings, const Layout& layout) {
  std::string out;
  for (std::size_t i = 0; i < text.lines.size(); ++i) {
    const TextLine& line = text.lines[i];
    if (i > 0) out += layout.line_end;
    if (i > 0 && !line.parts.empty()) out += layout.base;
    std::string extra;
    for (int level = 0; level < line.level; ++level) extra += layout.step;
    out += extra;
    for (const TextPart& part : line.parts) {
      const Node node = part.hole.empty() ? Node{} : bindings.node(part.hole);
      if (part.hole.empty()) {
        out += part.text;
      } else if (part.operand && node) {
        out += in_parentheses(node);
      } else if (node) {
        out += indented(node, extra);
      } else {
        out += bindings.text(part.hole);
      }
    }
  }
  return out;
}

/// Nothing: the step does not fit here.
using Changes = std::optional<std::vector<Change>>;

Changes one(Span span, std::string text) { return std::vector<Change>{{span, std::move(text)}}; }

Changes insertion(const RuleStep& step, const Node& place, const Bindings& bindings) {
  const Node statement = enclosing_statement(place);
  if (!statement || !has_own_lines(statement)) return std::nullopt;
  const Layout layout = layout_at(statement);
  const std::string text = render(step.text, bindings, layout);
  if (step.action == RuleStep::Action::insert_before) {
    const std::size_t at = statement.span().begin;
    return one({at, at}, text + layout.line_end + layout.base);
  }
  const std::size_t at = end_of_line(statement);
  return one({at, at}, layout.line_end + layout.base + text);
}

Changes removal(const Node& node) {
  if (enclosing_statement(node) == node) {
    if (!has_own_lines(node)) return std::nullopt;
    if (is_alone(node)) return one(node.span(), "pass");
    return one(whole_lines(node), "");
  }
  for (const std::string_view kind :
       {"argument_list", "list", "tuple", "set", "dictionary", "parameters"}) {
    if (node.parent().is(kind)) return std::vector<Change>{removal_of(node)};
  }
  return std::nullopt;
}

/// No change where the call has an argument of this name already, or where the result would be no
/// Python: an argument by position behind one by name.
Changes argument(const RuleStep& step, const Node& node, const Bindings& bindings) {
  const Node list = node.is("call") ? node.field("arguments") : node;
  if (!list.is("argument_list")) return std::nullopt;
  const std::string text = render(step.text, bindings, layout_at(list));
  const std::size_t equals = text.find('=');
  const std::string_view name =
      trim(std::string_view(text).substr(0, std::min(equals, text.size())));
  const bool by_name = equals != std::string::npos && is_identifier(name);
  const std::vector<Node> given = list.children();
  for (const Node& one : given) {
    if (by_name && one.is("keyword_argument") && one.field("name").text() == name)
      return std::nullopt;
    const bool named = one.is("keyword_argument") || one.is("dictionary_splat");
    if (named && !by_name && !text.starts_with("**")) return std::nullopt;
  }
  if (given.empty()) {
    const std::size_t at = list.span().begin + 1;
    return one({at, at}, text);
  }
  const std::size_t at = given.back().span().end;
  return one({at, at}, ", " + text);
}

/// Nothing to do where the file has this line.
Changes import_of(const RuleStep& step, const Node& anchor, const Bindings& bindings) {
  const std::string text = render(step.text, bindings, {});
  for (const std::string_view line : split_lines(anchor.source())) {
    if (trim(line) == text) return std::vector<Change>{};
  }
  return top_level_import(anchor, text, 1).changes;
}

Changes changes_of(const RuleStep& step, const Node& node, const Bindings& bindings) {
  using Action = RuleStep::Action;
  switch (step.action) {
    case Action::replace:
      return one(node.span(), render(step.text, bindings, layout_at(node)));
    case Action::insert_before:
    case Action::insert_after:
      return insertion(step, node, bindings);
    case Action::remove:
      return removal(node);
    case Action::add_argument:
      return argument(step, node, bindings);
    case Action::add_import:
      return import_of(step, node, bindings);
  }
  return std::nullopt;
}

std::string summary_of(const RuleStep& step, const Node& node, const Change& change) {
  const std::string text = brief(trim(change.text));
  switch (step.action) {
    case RuleStep::Action::replace:
      return fmt::format("replace `{}` by `{}`", brief(node.text()), text);
    case RuleStep::Action::insert_before:
      return fmt::format("insert `{}` before `{}`", text, brief(node.text()));
    case RuleStep::Action::insert_after:
      return fmt::format("insert `{}` after `{}`", text, brief(node.text()));
    case RuleStep::Action::remove:
      return fmt::format("delete `{}`", brief(node.text()));
    case RuleStep::Action::add_argument:
      return fmt::format("add `{}` to `{}`", text, brief(node.text()));
    case RuleStep::Action::add_import:
      return fmt::format("add `{}`", text);
  }
  return {};
}

bool overlap(std::vector<Change> changes) {
  std::sort(changes.begin(), changes.end(),
            [](const Change& a, const Change& b) { return a.span < b.span; });
  for (std::size_t i = 1; i < changes.size(); ++i) {
    if (changes[i].span.begin < changes[i - 1].span.end) return true;
  }
  return false;
}

void propose(const Rule& rule, const Match& match, const Filled& filled, Proposals& out) {
  Proposal proposal{.changes = {}, .anchor = match.first(), .weight = filled.weight, .summary = {}};
  for (const RuleStep& step : rule.steps) {
    const Node node = step.capture.empty() ? match.first() : match[step.capture];
    if (!node) return;
    const Changes changes = changes_of(step, node, filled.bindings);
    if (!changes) return;
    if (proposal.summary.empty() && !changes->empty()) {
      proposal.summary = summary_of(step, node, changes->front());
      if (!rule.repeatable) proposal.anchor = node;
    }
    proposal.changes.insert(proposal.changes.end(), changes->begin(), changes->end());
  }
  if (overlap(proposal.changes)) return;
  proposal.repeatable = rule.repeatable;
  out.add(std::move(proposal));
}

/// Every hole that is a capture must have a node in this match.
bool captures_fill(const Rule& rule, const Match& match) {
  const auto is_ingredient = [&](const std::string& name) {
    return std::any_of(rule.ingredients.begin(), rule.ingredients.end(),
                       [&](const HoleIngredient& one) { return one.name == name; });
  };
  for (const RuleStep& step : rule.steps) {
    for (const TextLine& line : step.text.lines) {
      for (const TextPart& part : line.parts) {
        if (!part.hole.empty() && !is_ingredient(part.hole) && !match[part.hole]) return false;
      }
    }
  }
  return true;
}

}  // namespace

std::string_view Bindings::text(std::string_view name) const {
  const auto it = values_.find(name);
  return it != values_.end() ? std::string_view(it->second) : (*match_)[name].text();
}

void Rule::rewrite(const Match& match, const Context& context, Proposals& out) const {
  if (!captures_fill(*this, match)) return;
  const auto about_holes = [&](const Constraint& constraint) {
    return std::any_of(ingredients.begin(), ingredients.end(), [&](const HoleIngredient& one) {
      return one.name == constraint.subject || one.name == constraint.other;
    });
  };
  const Bindings captured(match);
  for (const Constraint& constraint : constraints) {
    if (!about_holes(constraint) && !constraint.holds(captured)) return;
  }
  const Node place = steps.front().capture.empty() ? match.first() : match[steps.front().capture];
  if (!place) return;
  for (const Filled& filled : Filler(*this, place, context).fill(match)) {
    propose(*this, match, filled, out);
  }
}

}  // namespace tenline::templates
