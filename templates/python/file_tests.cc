#include "templates/python/file_tests.h"

#include <algorithm>
#include <array>
#include <map>

#include "engine/syntax/python_scope.h"
#include "templates/python/conditions.h"
#include "templates/python/edits.h"

namespace tenline::templates {

namespace {

constexpr std::size_t k_longest = 100;
constexpr std::size_t k_most = 4000;  // Generated files; people's have a few hundred.

bool fits(std::string_view text) {
  return text.size() <= k_longest && text.find('\n') == std::string_view::npos;
}

class Reader {
 public:
  FileTests read(const Tree& tree) {
    tree.root().walk([&](const Node& node) { return visit(node); });
    return std::move(found_);
  }

 private:
  bool visit(const Node& node) {
    if (node.is("string") || node.is("type") || node.is("import_statement") ||
        node.is("import_from_statement")) {
      return false;
    }
    if (node.is("if_statement") || node.is("elif_clause") || node.is("while_statement")) {
      add_condition(node.field("condition"));
    } else if (node.is("assert_statement") || node.is("if_clause")) {
      add_condition(node.child(0));
    } else if (node.is("conditional_expression")) {
      add_condition(node.child(1));
    } else if (node.is("comparison_operator")) {
      add_test(node, true);
    } else if (node.is("call")) {
      add_call(node);
    } else if (node.is("attribute")) {
      add_chain(node);
    }
    return true;
  }

  void add_condition(const Node& condition) {
    if (condition.is("boolean_operator")) add_test(condition, true);
    for (const Node& atom : atoms_of(condition)) add_test(atom, true);
  }

  void add_call(const Node& call) {
    const std::string_view name = called_name(call);
    if (name == "isinstance") {
      add_types(call.field("arguments").child(1));
    } else if (is_question(name) && call.field("arguments").children().size() < 2) {
      add_test(call, false);
    }
  }

  void add_types(const Node& type) {
    const auto add = [&](const Node& one) {
      if (!is_plain(one)) return;
      if (std::find(found_.types.begin(), found_.types.end(), one.text()) == found_.types.end()) {
        found_.types.emplace_back(one.text());
      }
    };
    if (type.is("tuple")) {
      for (const Node& one : type.children()) add(one);
    } else {
      add(type);
    }
  }

  void add_test(const Node& test, bool asked) {
    if (!test || found_.tests.size() >= k_most || !fits(test.text())) return;
    if (test.is("true") || test.is("false") || test.is("named_expression")) return;
    const Home home = home_of(test);
    const bool asserted = test.parent().is("assert_statement");
    const std::pair<std::string, Home> key(test.text(), home);
    if (const auto at = tests_.find(key); at != tests_.end()) {
      KnownTest& known = found_.tests[at->second];
      ++known.count;
      known.asserted = known.asserted && asserted;
      known.asked = known.asked || asked;
      return;
    }
    std::set<std::string> variables = variables_of(test);
    if (variables.empty()) return;
    add_narrower(test, variables, home);
    tests_.emplace(key, found_.tests.size());
    found_.tests.push_back({std::string(test.text()), negated(test), std::move(variables),
                            subjects_of(test), home, test.line(), 1, asserted, asked});
  }

  /// `x == 1` of `x >= 1`; `x == 'a'` of `x in ['a', 'b']`.
  void add_narrower(const Node& atom, const std::set<std::string>& variables, const Home& home) {
    if (!atom.is("comparison_operator") || atom.children().size() != 2) return;
    const std::string_view left = atom.child(0).text();
    const Node right = atom.child(1);
    const std::string_view sign = operator_of(atom).text();
    const auto add = [&](const Node& value) {
      found_.tests.push_back({fmt::format("{} == {}", left, value.text()),
                              fmt::format("{} != {}", left, value.text()), variables,
                              subjects_of(atom), home, atom.line(), 1, false, true, true});
    };
    if (sign == ">=" || sign == "<=") add(right);
    const bool choice = right.is("list") || right.is("tuple") || right.is("set");
    constexpr std::size_t k_most_choices = 4;
    if (!sign.ends_with("in") || !choice || right.children().size() > k_most_choices) return;
    for (const Node& one : right.children()) add(one);
  }

  void add_chain(const Node& chain) {
    if (found_.chains.size() >= k_most || !fits(chain.text()) || !is_plain(chain)) return;
    if (chain.parent().is("call") && chain.parent().field("function") == chain) return;
    const Home home = home_of(chain);
    if (!chains_.emplace(std::string(chain.text()), home).second) return;
    Node root = chain;
    while (root.is("attribute") || root.is("subscript")) {
      root = root.is("attribute") ? root.field("object") : root.field("value");
    }
    found_.chains.push_back({std::string(chain.text()), std::string(root.text()),
                             std::string(chain.field("attribute").text()), home, chain.line()});
  }

  FileTests found_;
  std::map<std::pair<std::string, Home>, std::size_t> tests_;
  std::set<std::pair<std::string, Home>> chains_;
};

}  // namespace

Home home_of(const Node& node) {
  const Node function = enclosing_function(node);
  const Node owner = enclosing_class(node);
  return {function ? function.span().begin : Home::k_nowhere,
          owner ? owner.span().begin : Home::k_nowhere};
}

FileTests read_file_tests(const Tree& tree) { return Reader().read(tree); }

bool is_question(std::string_view name) {
  static constexpr std::array<std::string_view, 17> k_starts = {
      "is_", "has_",  "use_",  "should_", "can_",  "enable", "needs_",   "with_", "do_",
      "no_", "skip_", "allow", "require", "only_", "force",  "support_", "need_"};
  static constexpr std::array<std::string_view, 5> k_ends = {"_enabled", "_available", "enabled",
                                                             "initialized", "_supported"};
  while (name.starts_with('_')) name.remove_prefix(1);
  return name == "training" || name == "requires_grad" || name == "verbose" || name == "debug" ||
         std::any_of(k_starts.begin(), k_starts.end(),
                     [&](std::string_view start) { return name.starts_with(start); }) ||
         std::any_of(k_ends.begin(), k_ends.end(),
                     [&](std::string_view end) { return name.ends_with(end); });
}

bool is_number_name(std::string_view name) {
  static constexpr std::array<std::string_view, 16> k_parts = {
      "size", "num", "len", "count", "rank", "degree", "step",  "iter",
      "dim",  "max", "min", "total", "freq", "n_",     "stage", "idx"};
  return std::any_of(k_parts.begin(), k_parts.end(), [&](std::string_view part) {
    return name.find(part) != std::string_view::npos;
  });
}

}  // namespace tenline::templates
