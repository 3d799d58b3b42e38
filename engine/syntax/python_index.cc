#include "engine/syntax/python_index.h"

#include <algorithm>

#include "engine/base/text.h"
#include "engine/syntax/python_scope.h"

namespace tenline {

namespace {

template <class Map>
const typename Map::mapped_type& find_or_empty(const Map& map, std::string_view name) {
  static const typename Map::mapped_type k_empty;
  const auto it = map.find(name);
  return it == map.end() ? k_empty : it->second;
}

std::string_view last_part(std::string_view dotted) {
  const std::size_t dot = dotted.rfind('.');
  return dot == std::string_view::npos ? dotted : dotted.substr(dot + 1);
}

/// "a, b = 1, 2" and "self.x: int = 3" bind a, b and x.
void add_members(const Node& left, bool in_class_body, std::set<std::string>& members) {
  if (left.is("identifier") && in_class_body) members.emplace(left.text());
  if (left.is("attribute") && left.field("object").text() == "self") {
    members.emplace(left.field("attribute").text());
  }
  if (left.is("pattern_list") || left.is("tuple_pattern")) {
    for (const Node& part : left.children()) add_members(part, in_class_body, members);
  }
}

PythonClass read_class(const std::string& file, const Node& definition) {
  PythonClass found{file, definition.line(), std::string(definition.field("name").text()), {}, {}};
  for (const Node& base : definition.field("superclasses").children()) {
    if (base.is("identifier") || base.is("attribute")) {
      found.bases.emplace_back(last_part(base.text()));
    }
  }
  const Node body = definition.field("body");
  body.walk([&](const Node& node) {
    if (node.is("class_definition")) {
      found.members.emplace(node.field("name").text());
      return false;
    }
    if (node.is("function_definition")) {
      if (enclosing_function(node).null() || !body.contains(enclosing_function(node))) {
        found.members.emplace(node.field("name").text());
      }
      return true;
    }
    if (node.is("assignment") || node.is("augmented_assignment")) {
      const Node function = enclosing_function(node);
      add_members(node.field("left"), function.null() || !body.contains(function), found.members);
    }
    return true;
  });
  return found;
}

void read_import(const Node& statement, PythonFacts::ByName<std::map<std::string, int>>& imports) {
  const bool from = statement.is("import_from_statement");
  const std::string module(statement.field("module_name").text());
  for (const Node& imported : statement.fields("name")) {
    const bool aliased = imported.is("aliased_import");
    const std::string what(imported.text());
    const Node alias = imported.field("alias");
    const std::string bound(aliased ? alias.text() : imported.child(0).text());
    if (bound.empty()) continue;
    const std::string text =
        from ? fmt::format("from {} import {}", module, what) : fmt::format("import {}", what);
    ++imports[bound][text];
  }
}

}  // namespace

std::vector<Parameter> parameters_of(const Node& function) {
  std::vector<Parameter> parameters;
  bool keyword_only = false;
  for (const Node& node : function.field("parameters").children()) {
    Parameter parameter;
    Node name = node.field("name");
    if (!name) name = node.is("identifier") ? node : node.child(0);
    if (node.is("keyword_separator")) {
      keyword_only = true;
      continue;
    }
    if (node.is("positional_separator")) continue;
    Node pattern = node.is("typed_parameter") ? node.child(0) : node;
    if (pattern.is("list_splat_pattern")) {
      parameter.kind = ParameterKind::star;
      name = pattern.child(0);
      keyword_only = true;
    } else if (pattern.is("dictionary_splat_pattern")) {
      parameter.kind = ParameterKind::double_star;
      name = pattern.child(0);
    } else if (keyword_only) {
      parameter.kind = ParameterKind::keyword_only;
    }
    parameter.name = name.text();
    const Node value = node.field("value");
    parameter.has_default = !value.null();
    parameter.default_text = value.text();
    if (!parameter.name.empty()) parameters.push_back(std::move(parameter));
  }
  return parameters;
}

PythonFacts read_facts(const std::string& file, const Tree& tree) {
  PythonFacts facts;
  tree.root().walk([&](const Node& node) {
    if (node.is("class_definition")) {
      facts.classes.push_back(read_class(file, node));
      if (enclosing_function(node).null() && enclosing_class(node).null()) {
        facts.definitions.push_back(facts.classes.back().name);
      }
    } else if (node.is("function_definition")) {
      PythonFunction found{file, node.line(), std::string(node.field("name").text()), {}, {}};
      found.parameters = parameters_of(node);
      const Node owner = enclosing_class(node);
      const Node outer = enclosing_function(node);
      if (owner && !(outer && owner.contains(outer))) {
        found.class_name = owner.field("name").text();
        const bool has_self = !found.parameters.empty() && (found.parameters[0].name == "self" ||
                                                            found.parameters[0].name == "cls");
        if (has_self) found.parameters.erase(found.parameters.begin());
      } else if (!outer) {
        facts.definitions.push_back(found.name);
      }
      facts.functions.push_back(std::move(found));
    } else if (node.is("import_statement") || node.is("import_from_statement")) {
      read_import(node, facts.imports);
    } else if (node.is("assignment")) {
      const Node left = node.field("left");
      const Node statement = node.parent();
      if (left.is("identifier") && statement.parent().is("module")) {
        facts.definitions.emplace_back(left.text());
      }
    } else if (node.is("keyword_argument") && node.parent().parent().is("call")) {
      const std::string_view callee = last_part(node.parent().parent().field("function").text());
      if (is_identifier(callee)) {
        ++facts.call_keywords[std::string(callee)][std::string(node.field("name").text())];
      }
    }
    return true;
  });
  return facts;
}

void PythonIndex::add(const std::string& file, const PythonFacts& facts) {
  for (const PythonClass& found : facts.classes) {
    for (const std::string& member : found.members) member_owners_[member].push_back(found.name);
    classes_[found.name].push_back(found);
  }
  for (const PythonFunction& found : facts.functions) functions_[found.name].push_back(found);
  for (const std::string& name : facts.definitions) definers_[name].push_back(file);
  const auto add_counts = [](const auto& from, auto& to) {
    for (const auto& [name, counts] : from) {
      auto& known = to[name];
      for (const auto& [text, count] : counts) known[text] += count;
    }
  };
  add_counts(facts.imports, imports_);
  add_counts(facts.call_keywords, call_keywords_);
}

const std::vector<PythonFunction>& PythonIndex::functions(std::string_view name) const {
  return find_or_empty(functions_, name);
}

const std::vector<PythonClass>& PythonIndex::classes(std::string_view name) const {
  return find_or_empty(classes_, name);
}

std::set<std::string> PythonIndex::members(std::string_view class_name) const {
  std::set<std::string> found;
  std::set<std::string, std::less<>> visited;
  std::vector<std::string> waiting = {std::string(class_name)};
  while (!waiting.empty()) {
    const std::string name = std::move(waiting.back());
    waiting.pop_back();
    if (!visited.insert(name).second) continue;
    for (const PythonClass& type : classes(name)) {
      found.insert(type.members.begin(), type.members.end());
      waiting.insert(waiting.end(), type.bases.begin(), type.bases.end());
    }
  }
  return found;
}

std::set<std::string> PythonIndex::siblings_of_member(std::string_view member) const {
  constexpr std::size_t k_most_owners = 24;  // A member of everything says nothing.
  std::set<std::string> found;
  const auto& owners = find_or_empty(member_owners_, member);
  if (owners.size() > k_most_owners) return found;
  for (const std::string& owner : owners) {
    for (const PythonClass& type : classes(owner)) {
      if (type.members.contains(std::string(member))) {
        found.insert(type.members.begin(), type.members.end());
      }
    }
  }
  return found;
}

const PythonFunction* PythonIndex::method(std::string_view class_name,
                                          std::string_view method_name) const {
  std::set<std::string, std::less<>> visited;
  std::vector<std::string> waiting = {std::string(class_name)};
  for (std::size_t i = 0; i < waiting.size(); ++i) {  // Breadth first: nearest base wins.
    const std::string name = waiting[i];
    if (!visited.insert(name).second) continue;
    for (const PythonFunction& function : functions(method_name)) {
      if (function.class_name == name) return &function;
    }
    for (const PythonClass& type : classes(name)) {
      waiting.insert(waiting.end(), type.bases.begin(), type.bases.end());
    }
  }
  return nullptr;
}

std::vector<std::string> PythonIndex::imports_of(std::string_view name) const {
  const auto& counts = find_or_empty(imports_, name);
  std::vector<std::pair<std::string, int>> sorted(counts.begin(), counts.end());
  std::stable_sort(sorted.begin(), sorted.end(),
                   [](const auto& a, const auto& b) { return a.second > b.second; });
  std::vector<std::string> texts;
  for (auto& [text, count] : sorted) texts.push_back(text);
  return texts;
}

std::vector<std::string> PythonIndex::definers(std::string_view name) const {
  return find_or_empty(definers_, name);
}

const std::map<std::string, int>& PythonIndex::call_keywords(std::string_view callee) const {
  return find_or_empty(call_keywords_, callee);
}

}  // namespace tenline
