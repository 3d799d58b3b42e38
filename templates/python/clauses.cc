#include "templates/python/clauses.h"

#include <algorithm>
#include <array>
#include <map>

#include "templates/python/edits.h"
#include "templates/python/guards.h"

namespace tenline::templates {

namespace {

constexpr std::size_t k_longest_atom = 60;

/// The variables that an expression reads.
std::set<std::string> variables_of(const Node& expression) {
  std::set<std::string> names;
  expression.walk([&](const Node& node) {
    if (node.is("identifier") && is_use(node)) names.emplace(node.text());
    return true;
  });
  return names;
}

bool meets(const std::set<std::string>& a, const std::set<std::string>& b) {
  return std::any_of(a.begin(), a.end(), [&](const std::string& name) { return b.contains(name); });
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

bool is_question(std::string_view name) {
  static constexpr std::array<std::string_view, 9> k_starts = {
      "is_", "has_", "use_", "should_", "can_", "enable", "needs_", "with_", "do_"};
  return name.ends_with("_enabled") ||
         std::any_of(k_starts.begin(), k_starts.end(),
                     [&](std::string_view start) { return name.starts_with(start); });
}

/// Collects clauses; a text counts once, with its best weight.
class Clauses {
 public:
  explicit Clauses(double scale) : scale_(scale) {}

  void add(const std::string& text, double weight) {
    if (text.empty() || text.size() > k_longest_atom) return;
    double& known = weights_[text];
    known = std::max(known, weight * scale_);
  }
  void forget(const std::string& text) { weights_.erase(text); }

  std::vector<Clause> best(std::size_t most) const {
    std::vector<Clause> clauses;
    for (const auto& [text, weight] : weights_) {
      clauses.push_back({text, weight, weight * 0.6, false});
    }
    std::stable_sort(clauses.begin(), clauses.end(),
                     [](const Clause& a, const Clause& b) { return a.and_weight > b.and_weight; });
    if (clauses.size() > most) clauses.resize(most);
    return clauses;
  }

 private:
  double scale_;
  std::map<std::string, double> weights_;
};

struct Surroundings {
  std::set<std::string> visible;
  std::set<std::string> condition;  ///< Variables of the condition.
  std::set<std::string> body;       ///< Variables of what it decides about.
};

double relation(const Context& context, const Surroundings& around,
                const std::set<std::string>& variables) {
  double fit = 1;
  std::set<std::string> own = around.condition;
  own.erase("self");
  if (meets(variables, own)) fit *= 1.6;
  for (const std::string& name : variables) {
    if (name != "self" && context.in_issue(name)) fit *= 1.5;
  }
  return fit;
}

void add_parameters(const Context& context, const Node& condition, const Surroundings& around,
                    Clauses& clauses) {
  for (const Parameter& parameter : parameters_of(enclosing_function(condition))) {
    if (parameter.kind == ParameterKind::star || parameter.kind == ParameterKind::double_star ||
        parameter.name == "self" || parameter.name == "cls") {
      continue;
    }
    const std::string& name = parameter.name;
    const double fit = relation(context, around, {name}) * (around.body.contains(name) ? 1.3 : 1);
    if (parameter.default_text == "None") {
      clauses.add(name + " is not None", 0.2 * fit);
      clauses.add(name + " is None", 0.12 * fit);
    } else if (parameter.default_text == "True" || parameter.default_text == "False" ||
               is_question(name)) {
      clauses.add(name, 0.25 * fit);
      clauses.add("not " + name, 0.2 * fit);
    }
  }
}

void add_predicates(const Context& context, const Node& condition, Clauses& clauses) {
  const Node owner = enclosing_class(condition);
  if (!owner || !enclosing_function(condition)) return;
  const std::string_view class_name = owner.field("name").text();
  for (const std::string& member : context.index().members(class_name)) {
    if (!is_question(member)) continue;
    const PythonFunction* method = context.index().method(class_name, member);
    if (method != nullptr && !method->parameters.empty()) continue;
    const std::string text = fmt::format("self.{}{}", member, method != nullptr ? "()" : "");
    const double fit = context.in_issue(member) ? 2.5 : 1;
    clauses.add(text, 0.08 * fit);
    clauses.add("not " + text, 0.06 * fit);
  }
}

/// The values that the code right around works with: `if nonmatch or not value:`.
void add_locals(const Context& context, const Node& condition, const Surroundings& around,
                Clauses& clauses) {
  for (const Name& name : context.names(condition)) {
    const bool local = name.kind == NameKind::parameter || name.kind == NameKind::local;
    if (!local || name.text == "self" || around.condition.contains(name.text)) continue;
    const int distance = condition.line() - name.line;
    constexpr int k_near = 12;
    if (distance < 0 || distance > k_near) continue;
    const double fit =
        relation(context, around, {name.text}) * (around.body.contains(name.text) ? 1.2 : 1);
    clauses.add(name.text, 0.06 * fit);
    clauses.add("not " + name.text, 0.06 * fit);
    clauses.add(name.text + " is not None", 0.05 * fit);
  }
}

void add_known_atoms(const Context& context, const Node& condition, const Surroundings& around,
                     Clauses& clauses) {
  const Node function = enclosing_function(condition);
  const Node owner = enclosing_class(condition);
  const Node scope = owner ? owner : context.tree().root();
  for (const Node& other : conditions_in(scope)) {
    double weight = owner ? 0.08 : 0.03;
    if (function && function.contains(other)) weight = 0.22;
    if (condition.contains(other) && !(condition == other)) continue;
    for (const Node& atom : atoms_of(other)) {
      const std::string_view text = atom.text();
      if (text.size() > k_longest_atom || text.find('\n') != std::string_view::npos) continue;
      const std::set<std::string> variables = variables_of(atom);
      const bool usable =
          !variables.empty() && std::includes(around.visible.begin(), around.visible.end(),
                                              variables.begin(), variables.end());
      if (!usable || atom.is("named_expression")) continue;
      const double fit = weight * relation(context, around, variables);
      clauses.add(std::string(text), fit);
      clauses.add(negated(atom), fit * 0.7);
      const std::string_view sign =
          atom.is("comparison_operator") ? operator_of(atom).text() : std::string_view{};
      if (sign == ">=" || sign == "<=") {
        clauses.add(fmt::format("{} == {}", atom.child(0).text(), atom.children().back().text()),
                    fit * 0.6);
      }
    }
  }
}

}  // namespace

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

std::vector<Clause> known_clauses(const Context& context, const Node& condition, const Node& body) {
  Surroundings around;
  for (const Name& name : context.names(condition)) around.visible.insert(name.text);
  around.visible.insert(python_builtins().begin(), python_builtins().end());
  around.condition = variables_of(condition);
  if (body) around.body = variables_of(body);
  const Symptom& symptom = context.symptom();
  double scale = 1;
  if (!symptom.type.empty() && !symptom.is("AssertionError")) {
    scale = context.fails_here(condition) ? 0.15 : 0.6;
  }
  Clauses clauses(scale);
  add_parameters(context, condition, around, clauses);
  add_predicates(context, condition, clauses);
  add_locals(context, condition, around, clauses);
  add_known_atoms(context, condition, around, clauses);
  for (const Node& atom : atoms_of(condition)) {
    clauses.forget(std::string(atom.text()));
    clauses.forget(negated(atom));
  }
  constexpr std::size_t k_most = 16;
  return clauses.best(k_most);
}

}  // namespace tenline::templates
