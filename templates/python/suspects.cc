// Which value made it fail. The failing frame's values decide where they are known: a value seen as
// None on the failing statement is the suspect, one seen as something else is not.

#include <algorithm>
#include <array>

#include "templates/python/edits.h"
#include "templates/python/guards.h"

namespace tenline::templates {

namespace {

enum class Role { attribute, subscript, iteration, operand, membership, argument, callee, other };

bool takes_only_sized(std::string_view function) {
  static constexpr std::array<std::string_view, 16> k_functions = {
      "len", "int",    "float", "sum",   "max",  "min", "range",    "enumerate",
      "zip", "sorted", "list",  "tuple", "iter", "set", "reversed", "dict"};
  return std::find(k_functions.begin(), k_functions.end(), function) != k_functions.end();
}

Role role_of(const Node& use) {
  const Node parent = use.parent();
  if (parent.is("attribute")) return Role::attribute;
  if (parent.is("subscript")) return Role::subscript;
  if (parent.is("for_statement") || parent.is("for_in_clause")) return Role::iteration;
  if (parent.is("call")) return Role::callee;
  if (parent.is("binary_operator")) return Role::operand;
  if (parent.is("comparison_operator")) {
    const std::string_view sign = operator_of(parent).text();
    if (sign.starts_with("is")) return Role::other;  // Asks for None itself.
    if (!sign.ends_with("in")) return sign == "==" || sign == "!=" ? Role::other : Role::operand;
    return parent.children().back() == use ? Role::membership : Role::other;
  }
  if (parent.is("argument_list")) return Role::argument;
  return Role::other;
}

double weight_of(Role role, const Node& use) {
  switch (role) {
    case Role::attribute:
    case Role::subscript:
      return 1;
    case Role::iteration:
    case Role::membership:
    case Role::callee:
      return 0.9;
    case Role::operand:
      return 0.8;
    case Role::argument:
      return takes_only_sized(use.parent().parent().field("function").text()) ? 0.9 : 0.4;
    case Role::other:
      return 0.15;
  }
  return 0;
}

/// How well the message's complaint about None fits the use: 2, 1 or 0.3.
double fit_of_complaint(const Symptom& symptom, Role role, const Node& use) {
  const auto fits = [](bool yes) { return yes ? 2.0 : 0.3; };
  if (symptom.is("AttributeError")) {
    return fits(role == Role::attribute && use.parent().field("attribute").text() == symptom.name);
  }
  if (symptom.mentions("subscriptable") || symptom.mentions("item assignment") ||
      symptom.mentions("item deletion")) {
    return fits(role == Role::subscript);
  }
  if (symptom.mentions("not callable")) return fits(role == Role::callee);
  if (symptom.mentions("argument of type 'NoneType'")) return fits(role == Role::membership);
  if (symptom.mentions("not iterable")) {
    return fits(role == Role::iteration || role == Role::argument || role == Role::membership);
  }
  if (symptom.mentions("operand type") || symptom.mentions("not supported between")) {
    return fits(role == Role::operand);
  }
  if (symptom.mentions("has no len()")) {
    return fits(role == Role::argument && use.parent().parent().field("function").text() == "len");
  }
  return role == Role::argument ? 2 : 1;
}

std::string_view root_name(const Node& plain) {
  Node at = plain;
  while (!at.is("identifier") && at) {
    at = at.is("attribute") ? at.field("object") : at.field("value");
  }
  return at.text();
}

/// Modules, classes and functions are what they are; only values of variables can be missing.
bool is_variable(const Context& context, const Node& use) {
  const std::string_view root = root_name(use);
  if (root.empty() || root == "cls" || use.text() == "self") return false;
  if (root == "self") return true;
  if (root.front() >= 'A' && root.front() <= 'Z') return false;
  const std::vector<Name>& names = context.names(use);
  const auto it =
      std::find_if(names.begin(), names.end(), [&](const Name& name) { return name.text == root; });
  if (it == names.end() || it->kind == NameKind::import) return false;
  return it->kind != NameKind::module || context.index().functions(root).empty();
}

std::vector<Suspect> ordered(std::vector<Suspect> suspects) {
  constexpr double k_least = 0.01;
  std::erase_if(suspects, [](const Suspect& suspect) { return suspect.weight < k_least; });
  std::stable_sort(suspects.begin(), suspects.end(),
                   [](const Suspect& a, const Suspect& b) { return a.weight > b.weight; });
  return suspects;
}

/// The plain callees of a node: they matter only where the message says "not callable".
void add_callees(const Node& node, std::vector<Node>& uses) {
  node.walk([&](const Node& at) {
    if (at.is("block") || at.is("lambda")) return false;
    if (at.is("call") && is_plain(at.field("function"))) uses.push_back(at.field("function"));
    return true;
  });
}

bool is_divisor(const Node& use) {
  const Node parent = use.parent();
  if (!parent.is("binary_operator") && !parent.is("augmented_assignment")) return false;
  const std::string_view sign = operator_of(parent).text();
  return (sign.starts_with("/") || sign.starts_with("%")) && parent.field("right") == use;
}

bool complains_of_none(const Symptom& symptom) {
  return symptom.mentions("NoneType") || symptom.mentions("not None") ||
         symptom.mentions("got None");
}

bool complains_of_emptiness(const Symptom& symptom) {
  return symptom.is("IndexError") || symptom.is("ZeroDivisionError") ||
         symptom.is("StopIteration") || symptom.mentions("empty") ||
         symptom.mentions("not enough values") || symptom.mentions("at least one") ||
         symptom.mentions("no elements") || symptom.mentions("zero-size") ||
         symptom.mentions("numel() == 0");
}

/// True under an `if isinstance(use, ...)`: None would not have come this far.
bool has_known_type(const Node& use) {
  const std::string test = fmt::format("isinstance({},", use.text());
  for (Node at = use; at.parent() && !at.is("function_definition"); at = at.parent()) {
    const Node parent = at.parent();
    if (parent.is("if_statement") && parent.field("consequence") == at &&
        parent.field("condition").text().starts_with(test)) {
      return true;
    }
  }
  return false;
}

}  // namespace

std::vector<Suspect> none_suspects(const Context& context, const Node& node) {
  const Symptom& symptom = context.symptom();
  const bool about_none = complains_of_none(symptom);
  const bool here = context.fails_here(node);
  std::vector<Node> uses = dereferenced(node);
  if (symptom.mentions("not callable")) add_callees(node, uses);
  std::vector<Suspect> suspects;
  int seen_none = 0;
  for (const Node& use : uses) {
    if (!is_variable(context, use)) continue;
    const Role role = role_of(use);
    const SeenValue* seen = context.seen(use);
    const bool is_none = seen != nullptr && seen->type == "NoneType";
    if (is_none && role != Role::other) ++seen_none;
    double weight = weight_of(role, use);
    if (has_known_type(use)) weight *= 0.3;
    if (seen != nullptr && !is_none) {
      weight *= about_none ? 0.02 : 0.002;
    } else if (about_none) {
      weight *= fit_of_complaint(symptom, role, use);
      if (here) {
        weight *= is_none ? 3 : 1;
      } else {
        weight *= is_none ? 0.8 : 0.2;
      }
    } else if (symptom.type.empty() || symptom.is("AssertionError")) {
      weight *= 0.15;
    } else {
      weight *= is_none ? 0.5 : 0.05;
    }
    suspects.push_back({use, weight});
  }
  if (seen_none > 1) {
    for (Suspect& suspect : suspects) suspect.weight *= 0.7;
  }
  return ordered(std::move(suspects));
}

std::vector<Suspect> empty_suspects(const Context& context, const Node& node) {
  const Symptom& symptom = context.symptom();
  const bool about_empty = complains_of_emptiness(symptom);
  const bool here = context.fails_here(node);
  std::vector<Suspect> suspects;
  for (const Node& use : dereferenced(node)) {
    if (!is_variable(context, use)) continue;
    const Role role = role_of(use);
    const SeenValue* seen = context.seen(use);
    // Attributes of an empty value are as good as those of a full one; its elements are not.
    double weight = role == Role::attribute || role == Role::other ? 0.2 : weight_of(role, use);
    if (symptom.is("ZeroDivisionError")) weight = is_divisor(use) ? 1.2 : 0.02;
    const std::string_view member =
        role == Role::attribute ? use.parent().field("attribute").text() : std::string_view{};
    if (member == "pop" || member == "popleft" || member == "popitem" || member == "split" ||
        member == "max" || member == "min") {
      weight = 1;
    }
    if (seen != nullptr && (seen->length == 0 || seen->repr == "0")) {
      weight *= here ? 4 : 1;
    } else if (seen != nullptr && (seen->type == "NoneType" || seen->length > 0)) {
      weight *= symptom.is("IndexError") ? 0.15 : 0.05;
    } else {
      weight *= here ? 1 : 0.3;
    }
    if (!about_empty) weight *= symptom.type.empty() ? 0.15 : 0.06;
    suspects.push_back({use, weight});
  }
  return ordered(std::move(suspects));
}

bool is_bound_inside(const Node& use, const Node& node) {
  const std::string_view root = root_name(use);
  const auto binds = [&](const Node& pattern) {
    bool found = false;
    pattern.walk([&](const Node& at) {
      found = found || (at.is("identifier") && at.text() == root);
      return !found;
    });
    return found;
  };
  bool found = false;
  node.walk([&](const Node& at) {
    if (found || at.is("block")) return false;
    if (at.is("for_in_clause")) found = binds(at.field("left"));
    if (at.is("named_expression")) found = binds(at.field("name"));
    if (at.is("lambda")) found = binds(at.field("parameters"));
    return !found;
  });
  return found;
}

}  // namespace tenline::templates
