#include "templates/python/conditions.h"

#include <array>

#include "templates/python/edits.h"

namespace tenline::templates {

std::set<std::string> variables_of(const Node& expression) {
  std::set<std::string> names;
  expression.walk([&](const Node& node) {
    if (node.is("identifier") && is_use(node)) names.emplace(node.text());
    return true;
  });
  return names;
}

std::set<std::string> subjects_of(const Node& expression) {
  std::set<std::string> subjects;
  expression.walk([&](const Node& node) {
    const bool own = node.is("attribute") && node.field("object").text() == "self";
    if (own || (node.is("identifier") && is_use(node) && node.text() != "self")) {
      subjects.emplace(node.text());
    }
    return !own;
  });
  return subjects;
}

std::string negated(const Node& atom) {
  const Node sign =
      atom.is("comparison_operator") && atom.children().size() == 2 ? operator_of(atom) : Node{};
  static constexpr std::array<std::array<std::string_view, 2>, 5> k_pairs = {
      {{"is", "is not"}, {"==", "!="}, {"in", "not in"}, {"<", ">="}, {">", "<="}}};
  for (const auto& pair : k_pairs) {
    for (std::size_t i = 0; sign && i < 2; ++i) {
      if (sign.text() != pair[i]) continue;
      return fmt::format("{} {} {}", atom.child(0).text(), pair[1 - i], atom.child(1).text());
    }
  }
  if (atom.is("comparison_operator")) return {};
  return fmt::format("not {}", in_parentheses(atom));
}

std::vector<Node> atoms_of(const Node& condition) {
  std::vector<Node> atoms;
  condition.walk([&](const Node& node) {
    if (!node.named()) return false;
    if (node.is("boolean_operator") || node.is("not_operator") ||
        node.is("parenthesized_expression")) {
      return true;
    }
    if (!node.is("comment")) atoms.push_back(node);
    return false;
  });
  return atoms;
}

std::vector<Node> conditions_in(const Node& node) {
  std::vector<Node> conditions;
  node.walk([&](const Node& at) {
    if (at.is("if_statement") || at.is("elif_clause") || at.is("while_statement")) {
      conditions.push_back(at.field("condition"));
    } else if (at.is("assert_statement") || at.is("if_clause")) {
      conditions.push_back(at.child(0));
    } else if (at.is("conditional_expression")) {
      conditions.push_back(at.child(1));
    }
    return true;
  });
  return conditions;
}

}  // namespace tenline::templates
