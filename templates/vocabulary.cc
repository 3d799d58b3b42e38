#include "templates/vocabulary.h"

#include <algorithm>
#include <unordered_set>

#include "engine/base/text.h"
#include "templates/context.h"

namespace tenline::templates {

namespace {

constexpr std::size_t k_longest_model = 200;

bool is_self_attribute(const Node& node) {
  return node.is("attribute") && node.field("object").text() == "self";
}

/// The targets of an assignment: its left side, or the parts of a tuple there.
std::vector<Node> targets_of(const Node& assignment) {
  const Node left = assignment.field("left");
  const bool several = left.is("pattern_list") || left.is("tuple_pattern");
  return several ? left.children() : std::vector<Node>{left};
}

bool is_builtin(std::string_view name) {
  static const std::set<std::string_view> k_builtins(python_builtins().begin(),
                                                     python_builtins().end());
  return k_builtins.contains(name) || (name.starts_with("__") && name.ends_with("__"));
}

/// A type in quotes: `x: "T"`.
bool is_quoted_type(const Node& string) {
  return string.parent().is("type") && is_identifier(string.child(1).text());
}

/// A string of the list that `__all__` is set to or grows by.
bool is_exported(const Node& string) {
  const Node list = string.parent();
  if (!list.is("list") && !list.is("tuple")) return false;
  return list.parent().field("left").text() == "__all__";
}

/// An `if` of at most four lines without other branches or blocks.
bool is_small(const Node& statement) {
  constexpr int k_most_lines = 4;
  if (statement.end_line() - statement.line() >= k_most_lines) return false;
  if (statement.field("alternative")) return false;
  const std::vector<Node> body = statement.field("consequence").children();
  return !body.empty() && body.size() <= 2 && std::ranges::all_of(body, [](const Node& part) {
    return part.is("expression_statement") || part.is("return_statement") ||
           part.is("continue_statement") || part.is("break_statement") ||
           part.is("delete_statement");
  });
}

}  // namespace

bool is_constant(const Node& expression) {
  if (expression.is("unary_operator")) return is_constant(expression.field("argument"));
  if (expression.is("list") || expression.is("dictionary") || expression.is("tuple")) {
    return expression.children().empty();
  }
  if (expression.is("string")) return expression.span().size() <= 2;
  if (expression.is("call")) return expression.text() == "set()";
  return expression.is("none") || expression.is("true") || expression.is("false") ||
         expression.is("integer") || expression.is("float");
}

Vocabulary::Vocabulary(const Context& context) {
  context.tree().root().walk([&](const Node& node) {
    if (node.is("class_definition")) {
      read_class(node);
    } else if (node.is("expression_statement") || node.is("delete_statement")) {
      read_statement(node);
    } else if (node.is("if_statement")) {
      if (is_small(node)) read_statement(node);
    } else if (node.is("assignment")) {
      const Node left = node.field("left");
      if (left.is("identifier") && node.field("right")) assignments_[left.text()].push_back(node);
    } else if (node.is("identifier")) {
      identifiers_.insert(node.text());
    } else if (node.is("attribute")) {
      const Node object = node.field("object");
      constexpr std::size_t k_longest_object = 40;
      if (object.span().size() <= k_longest_object && !object.is("call")) {
        objects_[node.field("attribute").text()].insert(object.text());
        members_[object.text()].insert(node.field("attribute").text());
      }
    } else if (node.is("wildcard_import")) {
      imports_all_ = true;
    }
    return true;
  });
  find_unbound(context);
}

void Vocabulary::read_statement(const Node& statement) {
  const Node inner = statement.child(0);
  const bool block = statement.is("if_statement");
  const std::size_t longest = block ? 2 * k_longest_model : k_longest_model;
  if (!inner || inner.is("string") || statement.span().size() > longest) return;
  if (statement.has_error()) return;
  const Node owner = enclosing_class(statement);
  const std::size_t key = owner ? owner.span().begin + 1 : 0;
  const auto [it, is_new] = model_by_text_.try_emplace({key, statement.text()}, models_.size());
  if (is_new) {
    models_.push_back({statement, enclosing_function(statement), owner});
  } else {
    ++models_[it->second].count;
  }
}

void Vocabulary::read_class(const Node& owner) {
  SelfAttributes& attributes = attributes_by_class_[owner.span().begin];
  std::set<std::size_t> set_here;  // Where targets begin: these are no reads.
  owner.walk([&](const Node& node) {
    if (node.is("assignment")) {
      for (const Node& target : targets_of(node)) {
        if (!is_self_attribute(target)) continue;
        SelfAttribute& attribute = attributes[target.field("attribute").text()];
        attribute.is_set = true;
        set_here.insert(target.span().begin);
        const Node right = node.field("right");
        if (!is_constant(right)) continue;
        auto& values = attribute.values;
        if (std::find(values.begin(), values.end(), right.text()) == values.end()) {
          values.push_back(right.text());
        }
      }
    } else if (is_self_attribute(node) && !set_here.contains(node.span().begin)) {
      SelfAttribute& attribute = attributes[node.field("attribute").text()];
      const Node parent = node.parent();
      const bool called = parent.is("call") && parent.field("function") == node;
      attribute.is_called = attribute.is_called || called;
      attribute.is_read = true;
    }
    return true;
  });
}

void Vocabulary::find_unbound(const Context& context) {
  std::map<const std::vector<Name>*, std::unordered_set<std::string_view>> bound;
  std::set<std::pair<std::size_t, std::string_view>> seen;
  const auto is_bound = [&](const Node& at, std::string_view name) {
    const std::vector<Name>& names = context.names(at);
    auto [it, is_new] = bound.try_emplace(&names);
    if (is_new) {
      for (const Name& known : names) it->second.insert(known.text);
    }
    return it->second.contains(name);
  };
  context.tree().root().walk([&](const Node& node) {
    std::string_view name;
    if (node.is("identifier")) {
      name = node.text();
      if (is_builtin(name) || !is_use(node)) return true;
    } else if (node.is("string") && (is_exported(node) || is_quoted_type(node))) {
      name = trim(node.text());
      name = name.size() > 2 ? name.substr(1, name.size() - 2) : std::string_view{};
      if (!is_identifier(name)) return false;
    } else {
      return true;
    }
    const Node function = enclosing_function(node);
    const std::size_t key = function ? function.span().begin + 1 : 0;
    if (!is_bound(node, name) && seen.emplace(key, name).second) unbound_.push_back(node);
    return true;
  });
}

const SelfAttributes& Vocabulary::self_attributes(const Node& owner) const {
  static const SelfAttributes k_none;
  if (!owner) return k_none;
  const auto it = attributes_by_class_.find(owner.span().begin);
  return it == attributes_by_class_.end() ? k_none : it->second;
}

const std::vector<Node>& Vocabulary::assignments_to(std::string_view name) const {
  static const std::vector<Node> k_none;
  const auto it = assignments_.find(name);
  return it == assignments_.end() ? k_none : it->second;
}

const std::set<std::string_view>& Vocabulary::attributes_of(std::string_view object) const {
  static const std::set<std::string_view> k_none;
  const auto it = members_.find(object);
  return it == members_.end() ? k_none : it->second;
}

const std::set<std::string_view>& Vocabulary::objects_with(std::string_view attribute) const {
  static const std::set<std::string_view> k_none;
  const auto it = objects_.find(attribute);
  return it == objects_.end() ? k_none : it->second;
}

}  // namespace tenline::templates
