#include "templates/python/test_pool.h"

#include <algorithm>
#include <unordered_set>

#include "engine/base/text.h"
#include "templates/python/conditions.h"
#include "templates/python/file_tests.h"
#include "templates/python/test_bag.h"
#include "templates/python/value_tests.h"

namespace tenline::templates {

namespace {

class Pool {
 public:
  Pool(const Context& context, const Node& place, const std::vector<Node>& about)
      : context_(context), place_(place), about_(about), home_(home_of(place)) {
    Node loop = place.ancestor({"for_statement", "while_statement"});
    const int last = loop ? loop.end_line() : place.line();
    for (const Name& name : context.names(place)) {
      const bool later = name.kind == NameKind::local && name.line > last;
      if (!later && !is_bound_here(name)) visible_.insert(name.text);
    }
    for (const std::string& name : python_builtins()) visible_.insert(name);
    for (const Node& node : about) subjects_.merge(subjects_of(node));
    if (!place.kind().ends_with("_statement")) subjects_.merge(subjects_of(place));
    add_sources();
  }

  std::vector<Test> fill(std::size_t most) {
    add_known();
    add_parameters();
    add_locals();
    add_members();
    add_chains();
    for (const Node& node : about_) add_value_tests(context_, node, bag_);
    return bag_.take_best(most);
  }

 private:
  /// True for what the place itself binds first, such as a loop's variable: a test before it is too
  /// early.
  bool is_bound_here(const Name& name) const {
    return name.kind == NameKind::local && name.line == place_.line() &&
           place_.kind().ends_with("_statement");
  }

  /// What the code's variables were made of right before: `value` of `found = pick(value)`.
  void add_sources() {
    constexpr int k_nearest = 4;
    std::set<std::string> sources;
    Node statement = enclosing_statement(place_);
    for (int i = 0; i < k_nearest && statement; ++i, statement = statement.previous_sibling()) {
      const Node assignment = statement.child(0);
      bool makes = false;
      assignment.field("left").walk([&](const Node& node) {
        makes = makes || (node.is("identifier") && subjects_.contains(std::string(node.text())));
        return !makes;
      });
      if (makes) sources.merge(subjects_of(assignment.field("right")));
    }
    subjects_.merge(sources);
  }

  bool is_visible(const std::set<std::string>& variables) const {
    return std::ranges::all_of(variables,
                               [&](const std::string& name) { return visible_.contains(name); });
  }

  double relation(const std::set<std::string>& subjects) const {
    double shared = 0;
    for (const std::string& name : subjects) shared += subjects_.contains(name) ? 1 : 0;
    double fit = 0.4;
    if (shared > 0) fit = 1.2 + 1.2 * shared / static_cast<double>(subjects.size());
    for (const std::string& name : subjects) {
      if (context_.in_issue(name)) fit *= 3;
    }
    return fit;
  }

  double nearness(const Home& home, double function, double owner, double file) const {
    if (home_.function != Home::k_nowhere && home.function == home_.function) return function;
    if (home_.owner != Home::k_nowhere && home.owner == home_.owner) return owner;
    return file;
  }

  /// What the file asks already.
  void add_known() {
    for (const KnownTest& known : context_.tests().tests) {
      double weight = nearness(known.home, 0.2, 0.07, 0.03) * relation(known.subjects);
      weight *= 1 + 0.3 * std::min(4, known.count - 1);
      weight *= 1 + 10.0 / (10 + std::abs(known.line - place_.line()));
      if (known.asserted) weight *= 0.2;
      if (!known.asked) weight *= 0.5;
      if (known.derived) weight *= 0.4;
      if (weight < 0.01 || known.opposite.empty() || !is_visible(known.variables)) continue;
      bag_.add_both(known.text, known.opposite, weight, 0.7);
    }
  }

  void add_parameters() {
    for (const Parameter& parameter : parameters_of(enclosing_function(place_))) {
      if (parameter.kind == ParameterKind::star || parameter.kind == ParameterKind::double_star ||
          parameter.name == "self" || parameter.name == "cls") {
        continue;
      }
      const std::string& name = parameter.name;
      const double fit = relation({name});
      if (parameter.default_text == "None") {
        bag_.add_none(name, 0.15 * fit, 0.5);
        bag_.add_truth(name, 0.04 * fit, 0.6);
      } else if (parameter.default_text == "True" || parameter.default_text == "False" ||
                 is_question(name)) {
        bag_.add_truth(name, 0.2 * fit, 0.8);
      } else {
        bag_.add_by_name(name, name, 0.05 * fit);
      }
    }
  }

  void add_locals() {
    constexpr int k_near = 15;
    for (const Name& name : context_.names(place_)) {
      if (name.kind != NameKind::local) continue;
      const int distance = place_.line() - name.line;
      if (distance < 0 || is_bound_here(name)) continue;
      bag_.add_by_name(name.text, name.text,
                       (distance > k_near ? 0.03 : 0.08) * relation({name.text}));
    }
  }

  /// Flags and predicates of the own class.
  void add_members() {
    const Node owner = enclosing_class(place_);
    if (!owner || !visible_.contains("self")) return;
    const std::string_view class_name = owner.field("name").text();
    for (const std::string& member : context_.index().members(class_name)) {
      const PythonFunction* method = context_.index().method(class_name, member);
      const double fit = relation({member});
      if (method != nullptr) {
        if (!is_question(member) && !member.ends_with("ed")) continue;
        if (!method->parameters.empty()) continue;
        bag_.add_truth(fmt::format("self.{}()", member), 0.05 * fit, 0.9);
      } else {
        bag_.add_by_name(fmt::format("self.{}", member), member, 0.03 * fit);
      }
    }
  }

  /// What the function reads of objects, and the file of the objects that are visible.
  void add_chains() {
    for (const KnownChain& chain : context_.tests().chains) {
      const double weight = nearness(chain.home, 0.05, 0.02, 0.008) *
                            relation({chain.root == "self" ? chain.last : chain.root});
      if (weight < 0.004 || !visible_.contains(chain.root)) continue;
      if (!is_question(chain.last) && weight < 0.01) continue;
      bag_.add_by_name(chain.text, chain.last, weight);
    }
  }

  const Context& context_;
  Node place_;
  const std::vector<Node>& about_;
  Home home_;
  std::unordered_set<std::string> visible_;
  std::set<std::string> subjects_;
  TestBag bag_;
};

}  // namespace

std::vector<Test> possible_tests(const Context& context, const Node& place,
                                 const std::vector<Node>& about, std::size_t most) {
  return Pool(context, place, about).fill(most);
}

}  // namespace tenline::templates
