#include "templates/python/clauses.h"

#include <algorithm>
#include <array>
#include <map>

#include "templates/python/conditions.h"
#include "templates/python/edits.h"
#include "templates/python/guards.h"

namespace tenline::templates {

namespace {

constexpr std::size_t k_longest_atom = 60;

bool meets(const std::set<std::string>& a, const std::set<std::string>& b) {
  return std::any_of(a.begin(), a.end(), [&](const std::string& name) { return b.contains(name); });
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

  void add(const std::string& text, double weight, double as_or = 0.6) {
    if (text.empty() || text.size() > k_longest_atom) return;
    Clause& known = clauses_[text];
    known.text = text;
    known.and_weight = std::max(known.and_weight, weight * scale_);
    known.or_weight = std::max(known.or_weight, weight * scale_ * as_or);
  }
  void forget(const std::string& text) { clauses_.erase(text); }

  std::vector<Clause> best(std::size_t most) const {
    std::vector<Clause> clauses;
    for (const auto& [text, clause] : clauses_) clauses.push_back(clause);
    std::stable_sort(clauses.begin(), clauses.end(),
                     [](const Clause& a, const Clause& b) { return a.and_weight > b.and_weight; });
    if (clauses.size() > most) clauses.resize(most);
    return clauses;
  }

 private:
  double scale_;
  std::map<std::string, Clause> clauses_;
};

/// True if the body's own `raise` or `assert` is the failure: then its condition is in doubt.
bool raises_here(const Context& context, const Node& body) {
  const std::vector<Node> statements = body.children();
  return std::any_of(statements.begin(), statements.end(), [&](const Node& statement) {
    return (statement.is("raise_statement") || statement.is("assert_statement")) &&
           context.fails_here(statement);
  });
}

struct Surroundings {
  std::set<std::string> visible;
  std::set<std::string> condition;  ///< Subjects of the condition.
  std::set<std::string> body;       ///< Subjects of what it decides about.
};

double relation(const Context& context, const Surroundings& around,
                const std::set<std::string>& subjects) {
  double fit = 1;
  if (meets(subjects, around.condition)) fit *= 2;
  for (const std::string& name : subjects) {
    if (context.in_issue(name)) fit *= 1.5;
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

/// What the condition's variables were made of right before: `value` of `found = pick(value)`.
std::set<std::string> sources_of(const Node& condition, const std::set<std::string>& variables) {
  std::set<std::string> sources;
  constexpr int k_nearest = 4;
  Node statement = enclosing_statement(condition);
  for (int i = 0; i < k_nearest && statement; ++i, statement = statement.previous_sibling()) {
    const Node assignment = statement.child(0);
    bool makes = false;
    assignment.field("left").walk([&](const Node& node) {
      makes = makes || (node.is("identifier") && variables.contains(std::string(node.text())));
      return !makes;
    });
    if (makes) sources.merge(variables_of(assignment.field("right")));
  }
  return sources;
}

/// The values that the code right around works with: `if nonmatch or not value:`.
void add_locals(const Context& context, const Node& condition, const Surroundings& around,
                Clauses& clauses) {
  const std::set<std::string> sources = sources_of(condition, around.condition);
  for (const Name& name : context.names(condition)) {
    const bool local = name.kind == NameKind::parameter || name.kind == NameKind::local;
    if (!local || name.text == "self" || around.condition.contains(name.text)) continue;
    const int distance = condition.line() - name.line;
    constexpr int k_near = 12;
    if (distance < 0 || distance > k_near) continue;
    const double fit = relation(context, around, {name.text}) *
                       (around.body.contains(name.text) ? 1.2 : 1) *
                       (sources.contains(name.text) ? 4 : 1);
    clauses.add(name.text, 0.06 * fit);
    clauses.add("not " + name.text, 0.06 * fit, 1);
    clauses.add(name.text + " is not None", 0.05 * fit);
  }
}

/// `x == 1` from `x >= 1`; `x == 'a'` and `x != 'a'` from `x in ['a', 'b']`.
void add_narrower(const Node& atom, double weight, Clauses& clauses) {
  if (!atom.is("comparison_operator") || atom.children().size() != 2) return;
  const std::string_view left = atom.child(0).text();
  const Node right = atom.child(1);
  const std::string_view sign = operator_of(atom).text();
  if (sign == ">=" || sign == "<=") {
    clauses.add(fmt::format("{} == {}", left, right.text()), weight * 0.8);
  }
  const bool choice = right.is("list") || right.is("tuple") || right.is("set");
  constexpr std::size_t k_most = 4;
  if (!sign.ends_with("in") || !choice || right.children().size() > k_most) return;
  for (const Node& one : right.children()) {
    clauses.add(fmt::format("{} == {}", left, one.text()), weight * 0.6);
    clauses.add(fmt::format("{} != {}", left, one.text()), weight * 0.6);
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
      // What is asserted holds anyway; only something narrower tells cases apart.
      const bool asserted = other.parent().is("assert_statement");
      const double all = weight * relation(context, around, subjects_of(atom));
      const double fit = asserted ? all * 0.1 : all;
      clauses.add(std::string(text), fit);
      clauses.add(negated(atom), fit * 0.7);
      add_narrower(atom, all, clauses);
    }
  }
}

}  // namespace

std::vector<Clause> known_clauses(const Context& context, const Node& condition, const Node& body) {
  Surroundings around;
  for (const Name& name : context.names(condition)) around.visible.insert(name.text);
  around.visible.insert(python_builtins().begin(), python_builtins().end());
  around.condition = subjects_of(condition);
  if (body) around.body = subjects_of(body);
  const Symptom& symptom = context.symptom();
  double scale = 1;
  if (!symptom.type.empty() && !symptom.is("AssertionError")) {
    scale = context.fails_here(condition) ? 0.15 : 0.6;
  }
  if (raises_here(context, body)) scale = 3;
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
