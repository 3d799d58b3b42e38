#include "templates/python/test_pool.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <unordered_set>

#include "engine/base/text.h"
#include "templates/python/conditions.h"
#include "templates/python/edits.h"
#include "templates/python/file_tests.h"
#include "templates/python/test_bag.h"
#include "templates/python/value_tests.h"

namespace tenline::templates {

namespace {

/// `not` of a test that asks one thing: the first operator is its own, others stand in strings.
std::string opposite_of(std::string_view test) {
  using Sign = std::pair<std::string_view, std::string_view>;
  constexpr std::array k_opposites = {Sign{" is not ", " is "}, Sign{" is ", " is not "},
                                      Sign{" not in ", " in "}, Sign{" in ", " not in "},
                                      Sign{" == ", " != "},     Sign{" != ", " == "},
                                      Sign{" >= ", " < "},      Sign{" <= ", " > "},
                                      Sign{" < ", " >= "},      Sign{" > ", " <= "}};
  std::size_t first = std::string_view::npos;
  std::string opposite = fmt::format("not {}", test);
  for (const auto& [sign, other] : k_opposites) {
    const std::size_t at = test.find(sign);
    if (at >= first) continue;
    first = at;
    opposite = fmt::format("{}{}{}", test.substr(0, at), other, test.substr(at + sign.size()));
  }
  return opposite;
}

class Pool {
 public:
  Pool(const Context& context, const Node& place, const std::vector<Node>& about)
      : context_(context), place_(place), about_(about), home_(home_of(place)) {
    const Node loop = place.ancestor({"for_statement", "while_statement"});
    const int last = loop ? loop.end_line() : place.line();
    for (const Name& name : context.names(place)) {
      const bool later = name.kind == NameKind::local && name.line > last;
      if (later || is_bound_here(name)) continue;
      visible_.insert(name.text);
      if (name.kind == NameKind::local || name.kind == NameKind::parameter) {
        variables_.insert(name.text);
      }
    }
    for (const std::string& name : python_builtins()) visible_.insert(name);
    for (const Node& node : about) subjects_.merge(subjects_of(node));
    if (!place.kind().ends_with("_statement")) subjects_.merge(subjects_of(place));
    add_sources();
    if (!place.kind().ends_with("_statement")) add_objects(place);
    for (const Node& node : about) add_objects(node);
  }

  std::vector<Test> fill(std::size_t most) {
    add_known();
    add_parameters();
    add_locals();
    add_members();
    add_chains();
    for (const Node& node : about_) add_value_tests(context_, node, bag_);
    std::vector<Test> tests = bag_.take_best(most);
    // What other files ask does not make what this one asks less likely.
    std::unordered_set<std::string> known;
    for (const Test& test : tests) known.insert(test.text);
    add_distant();
    constexpr double k_share = 0.25;
    for (Test& test : distant_.take_best(most)) {
      if (known.contains(test.text)) continue;
      test.weight *= k_share;
      tests.push_back(std::move(test));
    }
    std::ranges::stable_sort(tests, std::greater{}, &Test::weight);
    return tests;
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

  /// What other files ask of the objects that are visible, and of any objects.
  void add_distant() {
    const auto add = [&](const std::string& test, double weight) {
      distant_.add_both(test, opposite_of(test), weight, 0.7);
    };
    const std::vector<std::string> words = words_of(place_.text().substr(0, k_most_text));
    for (const std::string_view object : context_.distant().objects()) {
      const std::string_view root = root_name(object);
      if (!visible_.contains(std::string(root))) continue;
      const double fit = relation({std::string(root)});
      for (const auto& [question, count] : context_.index().tests(object)) {
        const double alike = word_overlap(words, words_of(question));
        add(fmt::format("{}.{}", object, question),
            0.02 * std::log2(1.0 + count) * fit + 0.2 * alike);
      }
      for (const auto& [access, count] : context_.index().accesses(object)) {
        const std::string_view name = std::string_view(access).substr(0, access.find('('));
        if (access.ends_with('(') || !is_question(name)) continue;
        const double alike = word_overlap(words, words_of(name));
        add(fmt::format("{}.{}", object, access),
            0.01 * std::log2(1.0 + count) * fit + 0.1 * alike);
      }
    }
    for (const auto& [test, count] : context_.index().tests("")) {
      if (!visible_.contains(test.substr(0, test.find('(')))) continue;
      add(test, 0.02 * std::log2(1.0 + count));
    }
    for (const std::string_view object : objects_) {
      for (const auto& [question, count] : context_.index().common_questions()) {
        add(fmt::format("{}.{}", object, question), 0.02 * std::log2(count));
      }
      for (const auto& [suffix, count] : context_.index().common_suffixes()) {
        const std::string_view name = suffix.substr(0, suffix.find('('));
        const std::string value = fmt::format("{}.{}", object, suffix);
        if (is_question(name)) add(value, 0.01 * std::log2(count));
        if (is_number_name(name) && suffix.ends_with(')')) {
          distant_.add_numbers(value, 0.01 * std::log2(count));
        }
      }
    }
  }

  /// The variables of a piece of code, names and dotted chains.
  void add_objects(const Node& code) {
    constexpr std::size_t k_most = 8;
    code.walk([&](const Node& at) {
      if (at.is("string") || at.is("lambda")) return false;
      const bool chain = at.is("attribute");
      if (!chain && !at.is("identifier")) return true;
      const Node parent = at.parent();
      const bool called = parent.is("call") && parent.field("function") == at;
      const Node object = chain && called ? at.field("object") : at;
      if ((called && !chain) || !is_plain(object) || !is_value(object)) return true;
      const std::string root(root_name(object.text()));
      if (root == "self" ? object.text() == root : !variables_.contains(root)) return false;
      if (objects_.size() < k_most &&
          std::ranges::find(objects_, object.text()) == objects_.end()) {
        objects_.push_back(object.text());
      }
      return false;
    });
  }

  static constexpr std::size_t k_most_text = 400;
  const Context& context_;
  Node place_;
  const std::vector<Node>& about_;
  Home home_;
  std::unordered_set<std::string> visible_;
  std::unordered_set<std::string> variables_;  ///< The visible ones that hold values.
  std::vector<std::string_view> objects_;      ///< What the code is about.
  std::set<std::string> subjects_;
  TestBag bag_;
  TestBag distant_;
};

}  // namespace

std::vector<Test> possible_tests(const Context& context, const Node& place,
                                 const std::vector<Node>& about, std::size_t most) {
  return Pool(context, place, about).fill(most);
}

}  // namespace tenline::templates
