#include "templates/python/unset.h"

#include <algorithm>
#include <map>

#include "templates/vocabulary.h"

namespace tenline::templates {

namespace {

/// Where a scope reads and binds one name.
struct Sites {
  std::vector<Node> bindings;
  std::vector<Node> reads;
  std::vector<Node> assignments;
  Usage usage;
};

bool is_target(const Node& identifier) {
  Node at = identifier;
  while (at.parent().is("pattern_list") || at.parent().is("tuple_pattern")) at = at.parent();
  const Node parent = at.parent();
  const bool binds =
      parent.is("assignment") || parent.is("for_statement") || parent.is("augmented_assignment");
  return (binds && parent.field("left") == at) || parent.is("as_pattern_target");
}

void add_usage(const Node& use, Usage& usage) {
  const Node parent = use.parent();
  if (parent.is("attribute")) {
    const std::string_view method = parent.field("attribute").text();
    usage.appended = usage.appended || method == "append" || method == "extend";
    usage.keyed = usage.keyed || method == "update" || method == "items" || method == "get";
  } else if (parent.is("subscript")) {
    usage.keyed = usage.keyed || parent.parent().field("left") == parent;
  } else if (parent.is("if_statement") || parent.is("boolean_operator") ||
             parent.is("not_operator")) {
    usage.condition = true;
  }
}

std::map<std::string_view, Sites> sites_of(const Node& scope) {
  std::map<std::string_view, Sites> sites;
  scope.walk([&](const Node& node) {
    if (node != scope && (node.is("function_definition") || node.is("class_definition"))) {
      return false;
    }
    if (!node.is("identifier")) return true;
    const Node parent = node.parent();
    Sites& here = sites[node.text()];
    if (is_target(node)) {
      here.usage.counted = here.usage.counted || parent.is("augmented_assignment");
      if (parent.is("augmented_assignment")) here.reads.push_back(node);
      here.bindings.push_back(node);
      if (parent.is("assignment") && parent.field("right")) here.assignments.push_back(parent);
    } else if (is_use(node)) {
      here.reads.push_back(node);
      add_usage(node, here.usage);
    }
    return true;
  });
  return sites;
}

/// The statement of the block that holds a node, or null.
Node statement_in(const Node& block, const Node& node) {
  for (Node at = node; at; at = at.parent()) {
    if (at.parent() == block) return at;
  }
  return {};
}

/// How likely it is a mistake that a name has no value at a gap; 0 if it has one.
double weight_of(const Sites& sites, const Gap& gap) {
  const std::size_t at = gap.position();
  const Node block = gap.beside.parent();
  bool nested = false;
  std::size_t bound_from = std::string::npos;  // Where the block itself binds the name.
  std::vector<Node> holders;
  for (const Node& binding : sites.bindings) {
    const Node holder = enclosing_statement(binding);
    const Node parent = holder.parent();
    if (binding.span().begin < at && (parent == block || parent.contains(gap.beside))) return 0;
    holders.push_back(statement_in(block, binding));
    nested = nested || (holders.back() && holders.back() != holder);
    if (parent == block) bound_from = std::min(bound_from, binding.span().begin);
  }
  bool read_outside = false;
  bool read = false;
  for (const Node& use : sites.reads) {
    if (use.span().begin < at || use.span().begin > bound_from) continue;
    read = true;
    const Node holder = statement_in(block, use);
    read_outside =
        read_outside || std::find(holders.begin(), holders.end(), holder) == holders.end();
  }
  if (!read) return 0;
  return nested && read_outside ? 1 : 0.15;
}

bool has_word(std::string_view name, std::initializer_list<std::string_view> starts) {
  return std::any_of(starts.begin(), starts.end(),
                     [&](std::string_view start) { return name.starts_with(start); });
}

}  // namespace

std::vector<Unset> unset_names(const Context& context, const Gap& gap) {
  const Node function = enclosing_function(gap.beside);
  const Node scope = function ? function.field("body") : context.tree().root();
  std::vector<Unset> found;
  std::map<std::string_view, Sites> sites = sites_of(scope);
  for (const Parameter& parameter : parameters_of(function)) sites.erase(parameter.name);
  for (auto& [name, here] : sites) {
    if (here.bindings.empty()) continue;
    const double weight = weight_of(here, gap);
    if (weight > 0) found.push_back({name, weight, true, here.usage, here.assignments});
  }
  const double doubt = context.vocabulary().imports_all() ? 0.3 : 1;
  for (const Node& use : context.vocabulary().unbound()) {
    if (!use.is("identifier") || enclosing_function(use) != function) continue;
    if (use.span().begin < gap.position()) continue;
    const bool called = use.parent().is("call") && use.parent().field("function") == use;
    found.push_back({use.text(), doubt * (called ? 0.2 : 1), false, sites[use.text()].usage, {}});
  }
  std::stable_sort(found.begin(), found.end(),
                   [](const Unset& a, const Unset& b) { return a.weight > b.weight; });
  constexpr std::size_t k_most = 12;
  if (found.size() > k_most) found.resize(k_most);
  return found;
}

std::vector<std::pair<std::string_view, double>> initial_values(std::string_view name,
                                                                const Usage& usage) {
  const bool flag = usage.condition || has_word(name, {"is_", "has_", "use_", "enable_", "found"});
  const bool number = usage.counted || has_word(name, {"num_", "n_", "total_", "count"});
  std::vector<std::pair<std::string_view, double>> values = {
      {"None", 1.0},
      {"False", flag ? 0.7 : 0.2},
      {"[]", usage.appended ? 2.0 : 0.15},
      {"{}", usage.keyed ? 1.0 : 0.1},
      {"0", number ? 1.5 : 0.15},
      {"0.0", number ? 0.4 : 0.05},
      {"True", flag ? 0.15 : 0.05},
      {"\"\"", 0.05},
      {"1", 0.04},
  };
  std::stable_sort(values.begin(), values.end(),
                   [](const auto& a, const auto& b) { return a.second > b.second; });
  return values;
}

std::vector<std::string_view> unset_attributes(const Context& context, const Node& owner) {
  std::vector<std::string_view> found;
  if (!owner) return found;
  std::set<std::string> known;
  for (const PythonClass& same : context.index().classes(owner.field("name").text())) {
    if (same.file != context.file()) continue;  // Classes of other files may share the name.
    known.insert(same.members.begin(), same.members.end());
    for (const std::string& base : same.bases) known.merge(context.index().members(base));
  }
  for (const auto& [name, attribute] : context.vocabulary().self_attributes(owner)) {
    const bool is_own = attribute.is_set || known.contains(std::string(name));
    if (!is_own && !attribute.is_called && !name.starts_with("__")) found.push_back(name);
  }
  return found;
}

std::optional<std::string> arguments_for(const PythonFunction& function, const Scope& scope) {
  constexpr std::size_t k_most = 3;
  std::string text;
  std::size_t count = 0;
  for (const Parameter& parameter : function.parameters) {
    if (parameter.has_default || parameter.kind != ParameterKind::normal) continue;
    if (!scope.has(parameter.name) || ++count > k_most) return std::nullopt;
    text += (text.empty() ? "" : ", ") + parameter.name;
  }
  return text;
}

Scope::Scope(const Context& context, const Gap& gap) {
  const int line = gap.beside.line() + (gap.before ? 0 : 1);
  for (const Name& name : context.names(gap.beside)) {
    const bool local = name.kind == NameKind::local || name.kind == NameKind::parameter;
    if (local && name.kind == NameKind::local && name.line >= line) continue;
    bound_.insert(name.text);
    if (local) locals_.push_back(name.text);
  }
}

bool Scope::can_run(const Node& node) const {
  static const std::set<std::string_view> k_builtins(python_builtins().begin(),
                                                     python_builtins().end());
  bool can = true;
  node.walk([&](const Node& at) {
    if (at.is("lambda") || at.is("string") || at.kind().ends_with("_comprehension")) return false;
    if (at.is("identifier") && is_use(at) && at.parent().field("left") != at) {
      can = can && (has(at.text()) || k_builtins.contains(at.text()));
    }
    return can;
  });
  return can;
}

}  // namespace tenline::templates
