#include "templates/python/value_tests.h"

#include <algorithm>
#include <set>

#include "engine/base/text.h"
#include "templates/python/conditions.h"
#include "templates/python/edits.h"
#include "templates/python/file_tests.h"

namespace tenline::templates {

namespace {

class ValueTests {
 public:
  ValueTests(const Context& context, const Node& code, TestBag& bag)
      : context_(context), code_(code), bag_(bag), quote_(usual_quote(code)) {
    read_hidden();
  }

  void add() {
    for (const Node& use : dereferenced(code_)) {
      if (is_hidden(use) || is_module_or_class(use)) continue;
      const std::string_view text = use.text();
      bag_.add_none(text, 0.09, 0.4);
      bag_.add_truth(text, 0.05, 0.6);
      bag_.add_both(fmt::format("len({}) > 0", text), fmt::format("len({}) == 0", text), 0.06, 0.6);
      bag_.add_both(fmt::format("{}.numel() > 0", text), fmt::format("{}.numel() == 0", text),
                    0.015, 0.6);
      const std::string_view last = use.is("attribute") ? use.field("attribute").text() : text;
      bag_.add_numbers(text, is_number_name(last) ? 0.08 : 0.02);
      for (const std::string_view type : {"list", "tuple", "dict", "str"}) {
        const std::string test = fmt::format("isinstance({}, {})", text, type);
        bag_.add_both(test, "not " + test, 0.012, 0.5);
      }
      for (const std::string& type : context_.tests().types) {
        const double known = type == "dict" || type == "list" || type == "tuple" ? 1.3 : 1;
        const std::string test = fmt::format("isinstance({}, {})", text, type);
        bag_.add_both(test, "not " + test, 0.03 * known, 0.6);
      }
    }
    std::size_t visited = 0;
    code_.walk([&](const Node& at) {
      constexpr std::size_t k_most_nodes = 600;
      if (++visited > k_most_nodes || at.is("lambda")) return false;
      if (at.is("attribute")) add_attribute(at);
      if (at.is("subscript")) add_subscript(at);
      if (at.is("binary_operator") && at.span().size() < 60 && !is_hidden(at)) {
        bag_.add_numbers(at.text(), 0.02);
      }
      if (at.is("assignment")) add_target(at);
      return !at.is("string");
    });
  }

 private:
  /// Names that only the code itself knows: of comprehensions, lambdas and `:=`.
  void read_hidden() {
    const auto hide = [&](const Node& pattern) {
      pattern.walk([&](const Node& at) {
        if (at.is("identifier")) hidden_.insert(at.text());
        return true;
      });
    };
    code_.walk([&](const Node& at) {
      if (at.is("for_in_clause")) hide(at.field("left"));
      if (at.is("named_expression")) hide(at.field("name"));
      if (at.is("lambda")) hide(at.field("parameters"));
      return !at.is("block");
    });
  }

  [[nodiscard]] bool is_hidden(const Node& use) const {
    if (hidden_.empty()) return false;
    const std::set<std::string> names = variables_of(use);
    return std::ranges::any_of(
        names, [&](const std::string& name) { return hidden_.contains(std::string_view(name)); });
  }

  [[nodiscard]] bool is_module_or_class(const Node& plain) const {
    const std::string_view text = plain.text();
    if (text.front() >= 'A' && text.front() <= 'Z') return true;
    Node root = plain;
    while (root.is("attribute")) root = root.field("object");
    for (const Name& name : context_.names(code_)) {
      if (name.text == root.text()) return name.kind == NameKind::import;
    }
    return false;
  }

  [[nodiscard]] bool is_bound_before(const Node& target) const {
    const std::vector<Name>& names = context_.names(code_);
    return std::ranges::any_of(names, [&](const Name& name) {
      return name.text == target.text() && name.line < target.line();
    });
  }

  void add_attribute(const Node& attribute) {
    const Node object = attribute.field("object");
    if (!is_plain(object) || is_module_or_class(object) || is_hidden(object)) return;
    const std::string test = fmt::format("hasattr({0}, {1}{2}{1})", object.text(), quote_,
                                         attribute.field("attribute").text());
    bag_.add_both(test, "not " + test, object.text() == "self" ? 0.02 : 0.09, 0.3);
  }

  void add_subscript(const Node& access) {
    const Node object = access.field("value");
    const Node key = access.field("subscript");
    constexpr std::size_t k_longest = 50;
    if (key.is("slice") || key.is("integer") || key.span().size() > k_longest) return;
    if (!is_plain(object) || is_hidden(object) || is_hidden(key)) return;
    // Reading needs the key; writing makes it.
    const Node parent = access.parent();
    const bool written = parent.is("assignment") && parent.field("left") == access;
    bag_.add_both(fmt::format("{} in {}", key.text(), object.text()),
                  fmt::format("{} not in {}", key.text(), object.text()), written ? 0.14 : 0.15,
                  0.4);
    bag_.add_none(access.text(), 0.05, 0.4);
  }

  /// `if x is None:` and `if not hasattr(o, "x"):` before an assignment to it.
  void add_target(const Node& assignment) {
    const Node left = assignment.field("left");
    if (left.is("attribute") && is_plain(left)) {
      const std::string test = fmt::format("hasattr({0}, {1}{2}{1})", left.field("object").text(),
                                           quote_, left.field("attribute").text());
      bag_.add_both("not " + test, test, 0.06, 0.5);
    }
    if (left.is("attribute") || left.is("subscript") || is_bound_before(left)) {
      bag_.add(fmt::format("{} is None", left.text()), fmt::format("{} is not None", left.text()),
               0.08);
      bag_.add_truth(left.text(), 0.02, 1.5);
    }
    const Node right = assignment.field("right");
    if (is_plain(right)) bag_.add_none(right.text(), 0.12, 0.2);
  }

  const Context& context_;
  Node code_;
  TestBag& bag_;
  char quote_;
  std::set<std::string_view> hidden_;
};

}  // namespace

void add_value_tests(const Context& context, const Node& code, TestBag& bag) {
  ValueTests(context, code, bag).add();
}

}  // namespace tenline::templates
