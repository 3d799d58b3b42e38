#include "engine/syntax/python_index.h"

#include <algorithm>
#include <cmath>
#include <functional>

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
    const Node pattern = node.is("typed_parameter") ? node.child(0) : node;
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
    parameter.type_text = node.field("type").text();
    if (!parameter.name.empty()) parameters.push_back(std::move(parameter));
  }
  return parameters;
}

namespace {

bool is_dataclass(const Node& decorated) {
  const std::vector<Node> parts = decorated.children();
  return std::any_of(parts.begin(), parts.end(), [](const Node& part) {
    return part.is("decorator") && part.text().find("dataclass") != std::string_view::npos;
  });
}

/// Reads a file in one walk. It carries down what is around a node: asking a tree for parents costs
/// more than the walk.
class FactsReader {
 public:
  explicit FactsReader(const std::string& file) : file_(file) {}

  PythonFacts read(const Tree& tree) {
    visit(tree.root(), {});
    return std::move(facts_);
  }

 private:
  /// The innermost class, and whether a function stands between it (or the module) and the node.
  struct Around {
    int owner = -1;
    bool in_function = false;
    bool in_module = false;     ///< Directly: the node is a statement of the module.
    bool in_dataclass = false;  ///< Directly: the node is decorated as a dataclass.
    bool is_called = false;     ///< Directly: the node is a call's function.
    int depth = 0;
  };

  void visit(const Node& node, Around around) {
    constexpr int k_deepest = 500;  // Nobody's code; recursion would end the program.
    if (++around.depth > k_deepest) return;
    const std::string_view kind = node.kind();
    if (kind == "class_definition") {
      take_class(node, around);
    } else if (kind == "function_definition") {
      take_function(node, around);
    } else if (kind == "import_statement" || kind == "import_from_statement") {
      read_import(node, facts_.imports);
      return;
    } else if (kind == "assignment" || kind == "augmented_assignment") {
      take_assignment(node, around);
    } else if (kind == "call") {
      take_keywords(node);
      take_call(node);
    } else if (kind == "attribute") {
      if (!around.is_called) count_access(node, node.field("attribute").text());
    } else if (kind == "if_statement" || kind == "elif_clause" || kind == "while_statement") {
      take_tests(node.field("condition"));
    } else if (kind == "assert_statement" || kind == "if_clause") {
      take_tests(node.child(0));
    } else if (kind == "conditional_expression") {
      take_tests(node.child(1));
    } else if (kind == "string" || kind == "comment" || kind == "identifier") {
      return;
    }
    const bool transparent = kind == "module" || kind == "expression_statement";
    around.in_module = kind == "module" || (around.in_module && transparent);
    around.in_dataclass = kind == "decorated_definition" && is_dataclass(node);
    std::vector<Node> children;
    node.append_children(children);
    const bool call = kind == "call";
    for (const Node& child : children) {
      around.is_called = call && child == children.front();
      if (child.named()) visit(child, around);
    }
  }

  void take_class(const Node& node, Around& around) {
    PythonClass found{file_, node.line(), std::string(node.field("name").text()), {}, {}};
    for (const Node& base : node.field("superclasses").children()) {
      if (base.is("identifier") || base.is("attribute")) {
        found.bases.emplace_back(last_part(base.text()));
      }
    }
    if (around.in_dataclass) take_fields(node, found.name);
    if (around.owner >= 0) member_of(around.owner, found.name);
    if (around.owner < 0 && !around.in_function) facts_.definitions.push_back(found.name);
    around = {.owner = static_cast<int>(facts_.classes.size()), .depth = around.depth};
    facts_.classes.push_back(std::move(found));
  }

  void take_function(const Node& node, Around& around) {
    PythonFunction found{file_, node.line(), std::string(node.field("name").text()), {}, {}};
    found.parameters = parameters_of(node);
    take_forms(node);
    if (around.owner >= 0 && !around.in_function) {
      member_of(around.owner, found.name);
      found.class_name = facts_.classes[static_cast<std::size_t>(around.owner)].name;
      const bool has_self = !found.parameters.empty() && (found.parameters[0].name == "self" ||
                                                          found.parameters[0].name == "cls");
      if (has_self) found.parameters.erase(found.parameters.begin());
    } else if (!around.in_function) {
      facts_.definitions.push_back(found.name);
    }
    facts_.functions.push_back(std::move(found));
    around.in_function = true;
  }

  /// "a, b = 1, 2" and "self.x: int = 3" bind a, b and x.
  void take_assignment(const Node& node, const Around& around) {
    const Node left = node.field("left");
    if (around.in_module && node.is("assignment") && left.is("identifier")) {
      facts_.definitions.emplace_back(left.text());
    }
    if (around.owner >= 0) add_members(left, around);
  }

  void add_members(const Node& left, const Around& around) {
    if (left.is("identifier") && !around.in_function) member_of(around.owner, left.text());
    if (left.is("attribute") && left.field("object").text() == "self") {
      member_of(around.owner, left.field("attribute").text());
    }
    if (left.is("pattern_list") || left.is("tuple_pattern")) {
      for (const Node& part : left.children()) add_members(part, around);
    }
  }

  void take_keywords(const Node& call) {
    const std::string_view callee = last_part(call.field("function").text());
    if (!is_identifier(callee)) return;
    for (const Node& argument : call.field("arguments").children()) {
      if (!argument.is("keyword_argument")) continue;
      const std::string_view keyword = argument.field("name").text();
      ++facts_.call_keywords[std::string(callee)][std::string(keyword)];
      constexpr std::size_t k_longest = 48;
      const std::string_view value = argument.field("value").text();
      if (value.size() > k_longest || value.find('\n') != std::string_view::npos) continue;
      ++facts_.call_values[std::string(callee)][fmt::format("{}={}", keyword, value)];
    }
  }

  void take_call(const Node& call) {
    const Node function = call.field("function");
    if (!function.is("attribute")) return;
    const std::string_view arguments = call.field("arguments").text();
    count_access(function,
                 has_own_names(call)
                     ? fmt::format("{}(", function.field("attribute").text())
                     : fmt::format("{}{}", function.field("attribute").text(), arguments));
  }

  void count_access(const Node& attribute, std::string_view what) {
    constexpr std::size_t k_longest = 40;
    if (what.size() <= k_longest) ++facts_.accesses[object_of(attribute)][std::string(what)];
  }

  /// The object as written where it is names and dots, else "".
  static std::string object_of(const Node& attribute) {
    constexpr std::size_t k_longest = 48;
    const Node object = attribute.field("object");
    const bool plain = object.span().size() <= k_longest && is_dotted_name(object);
    return plain ? std::string(object.text()) : std::string{};
  }

  /// True if a call's arguments are more than constants: such a call says nothing elsewhere.
  static bool has_own_names(const Node& call) {
    constexpr std::size_t k_longest = 24;
    const Node arguments = call.field("arguments");
    return arguments.span().size() > k_longest || !is_constant(arguments);
  }

  static bool is_constant(const Node& node) {
    bool constant = true;
    node.walk([&](const Node& part) {
      if (part.is("keyword_argument")) {
        constant = constant && is_constant(part.field("value"));
        return false;
      }
      constant = constant && !part.is("identifier") && !part.is("lambda") &&
                 !part.is("interpolation") && part.text().find('\n') == std::string_view::npos;
      return constant;
    });
    return constant;
  }

  void take_tests(const Node& condition) {
    if (condition.is("boolean_operator") || condition.is("not_operator") ||
        condition.is("parenthesized_expression")) {
      for (const Node& part : condition.children()) take_tests(part);
      return;
    }
    Node subject = condition;
    if (condition.is("comparison_operator")) {
      const std::vector<Node> operands = condition.children();
      if (operands.size() != 2 || !is_constant(operands[1])) return;
      subject = operands[0];
    }
    if (subject.is("call")) {
      if (has_own_names(subject)) return;
      subject = subject.field("function");
    }
    constexpr std::size_t k_longest = 80;
    if (condition.span().size() > k_longest) return;
    if (subject.is("identifier") && condition.is("call")) {
      ++facts_.tests[""][std::string(condition.text())];
    } else if (subject.is("attribute")) {
      const std::size_t before = subject.field("attribute").span().begin - condition.span().begin;
      ++facts_.tests[object_of(subject)][std::string(condition.text().substr(before))];
    }
  }

  void take_forms(const Node& function) {
    constexpr std::size_t k_longest = 80;
    for (const Node& node : function.field("parameters").children()) {
      Node name = node.field("name");
      if (!name) name = node.is("identifier") ? node : node.child(0);
      const std::string_view text = node.text();
      if (!name.is("identifier") || text.starts_with("*") || text.size() > k_longest ||
          text.find('\n') != std::string_view::npos) {
        continue;
      }
      ++facts_.parameter_forms[std::string(name.text())][std::string(text)];
    }
  }

  /// The constructor that `@dataclass` makes of the fields with types, if the class has none.
  void take_fields(const Node& definition, const std::string& name) {
    PythonFunction found{file_, definition.line(), "__init__", name, {}};
    for (const Node& statement : definition.field("body").children()) {
      const Node method = statement.is("function_definition") ? statement.field("name") : Node{};
      if (method.text() == "__init__") return;  // Its own.
      const Node field = statement.child(0);
      const Node left = field.field("left");
      const Node type = field.field("type");
      if (!field.is("assignment") || !left.is("identifier") || !type) continue;
      Parameter parameter;
      parameter.name = left.text();
      parameter.type_text = type.text();
      parameter.default_text = field.field("right").text();
      parameter.has_default = !parameter.default_text.empty();
      found.parameters.push_back(std::move(parameter));
    }
    facts_.functions.push_back(std::move(found));
  }

  void member_of(int owner, std::string_view name) {
    facts_.classes[static_cast<std::size_t>(owner)].members.emplace(name);
  }

  const std::string& file_;
  PythonFacts facts_;
};

}  // namespace

PythonFacts read_facts(const std::string& file, const Tree& tree) {
  return FactsReader(file).read(tree);
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
  add_counts(facts.call_values, call_values_);
  add_counts(facts.parameter_forms, parameter_forms_);
  add_counts(facts.accesses, accesses_);
  add_counts(facts.tests, tests_);
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

std::vector<std::pair<std::string, double>> PythonIndex::members_like(std::string_view name,
                                                                      std::size_t most) const {
  if (members_by_word_.empty()) {
    for (const auto& [member, owners] : member_owners_) {
      if (member.starts_with("__")) continue;
      for (std::string& word : identifier_words(member)) {
        members_by_word_[std::move(word)].push_back(member);
      }
    }
  }
  const std::vector<std::string> words = identifier_words(name);
  std::map<std::string_view, double> shared;
  for (const std::string& word : words) {
    const auto it = members_by_word_.find(word);
    constexpr std::size_t k_common = 400;  // A word of everything says nothing.
    if (it == members_by_word_.end() || it->second.size() > k_common) continue;
    for (const std::string_view member : it->second) shared[member] += 1;
  }
  std::vector<std::pair<std::string, double>> like;
  for (const auto& [member, count] : shared) {
    const auto all = static_cast<double>(std::max(words.size(), identifier_words(member).size()));
    if (member != name && count >= 0.5 * all) like.emplace_back(member, count / all);
  }
  std::stable_sort(like.begin(), like.end(),
                   [](const auto& a, const auto& b) { return a.second > b.second; });
  if (like.size() > most) like.resize(most);
  return like;
}

std::vector<std::pair<std::string_view, double>> PythonIndex::importable_like(
    const std::vector<std::string>& words, std::size_t most) const {
  if (importable_by_word_.empty()) {
    std::set<std::string_view> names;
    for (const auto& [name, files] : definers_) names.insert(name);
    for (const auto& [name, texts] : imports_) names.insert(name);
    for (const std::string_view name : names) {
      std::vector<std::string> own = identifier_words(name);
      const std::set<std::string> unique(own.begin(), own.end());
      for (const std::string& word : unique) importable_by_word_[word].push_back(name);
    }
  }
  std::map<std::string_view, double> shared;
  const std::set<std::string> asked(words.begin(), words.end());
  for (const std::string& word : asked) {
    const auto it = importable_by_word_.find(word);
    constexpr std::size_t k_common = 400;  // A word of everything says nothing.
    if (it == importable_by_word_.end() || it->second.size() > k_common) continue;
    for (const std::string_view name : it->second) shared[name] += 1;
  }
  std::vector<std::pair<std::string_view, double>> like;
  for (const auto& [name, count] : shared) {
    const auto all = static_cast<double>(identifier_words(name).size() + asked.size()) - count;
    int used = 0;
    for (const auto& [text, times] : find_or_empty(imports_, name)) used += times;
    like.emplace_back(name, count / all * (1 + 0.1 * std::log2(1.0 + used)));
  }
  std::ranges::stable_sort(like, std::greater{}, [](const auto& entry) { return entry.second; });
  if (like.size() > most) like.resize(most);
  return like;
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
  texts.reserve(sorted.size());
  for (const auto& [text, count] : sorted) texts.push_back(text);
  return texts;
}

std::vector<std::string> PythonIndex::definers(std::string_view name) const {
  return find_or_empty(definers_, name);
}

const std::map<std::string, int>& PythonIndex::call_keywords(std::string_view callee) const {
  return find_or_empty(call_keywords_, callee);
}

const std::map<std::string, int>& PythonIndex::call_values(std::string_view callee) const {
  return find_or_empty(call_values_, callee);
}

const std::map<std::string, int>& PythonIndex::parameter_forms(std::string_view name) const {
  return find_or_empty(parameter_forms_, name);
}

namespace {

PythonIndex::Ranked ranked(const std::map<std::string_view, int>& counts, int least) {
  constexpr std::size_t k_most = 200;
  PythonIndex::Ranked sorted;
  for (const auto& [text, count] : counts) {
    if (count >= least) sorted.emplace_back(text, count);
  }
  std::ranges::stable_sort(sorted, std::greater{}, &PythonIndex::Ranked::value_type::second);
  if (sorted.size() > k_most) sorted.resize(k_most);
  return sorted;
}

}  // namespace

const PythonIndex::Counts& PythonIndex::accesses(std::string_view object) const {
  return find_or_empty(accesses_, object);
}

const PythonIndex::Counts& PythonIndex::tests(std::string_view object) const {
  return find_or_empty(tests_, object);
}

const PythonIndex::Ranked& PythonIndex::common_suffixes() const {
  if (!suffixes_.empty()) return suffixes_;
  std::map<std::string_view, int> counts;
  for (const auto& [object, accesses] : accesses_) {
    for (const auto& [text, count] : accesses) {
      if (!text.ends_with('(')) counts[text] += count;
    }
  }
  constexpr int k_least = 3;
  return suffixes_ = ranked(counts, k_least);
}

const PythonIndex::Ranked& PythonIndex::common_questions() const {
  if (!questions_.empty()) return questions_;
  std::map<std::string_view, int> objects;
  for (const auto& [object, tests] : tests_) {
    if (object.empty()) continue;
    for (const auto& [text, count] : tests) ++objects[text];
  }
  constexpr int k_least = 2;
  return questions_ = ranked(objects, k_least);
}

}  // namespace tenline
