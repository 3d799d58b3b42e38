#include "templates/python/guards.h"

#include <algorithm>

#include "templates/python/edits.h"

namespace tenline::templates {

namespace {

bool is_loop(const Node& node) { return node.is("for_statement") || node.is("while_statement"); }

/// The names that a statement assigns.
std::vector<std::string_view> targets(const Node& statement) {
  std::vector<std::string_view> names;
  const Node left = statement.child(0).field("left");
  left.walk([&](const Node& node) {
    if (node.is("identifier")) names.push_back(node.text());
    return !node.is("attribute") && !node.is("subscript");
  });
  return names;
}

bool uses_any(const Node& node, const std::vector<std::string_view>& names) {
  bool found = false;
  node.walk([&](const Node& at) {
    found = found || (at.is("identifier") && is_use(at) &&
                      std::find(names.begin(), names.end(), at.text()) != names.end());
    return !found;
  });
  return found;
}

bool used_after(const Node& last, const std::vector<std::string_view>& names) {
  for (Node next = last.next_sibling(); next; next = next.next_sibling()) {
    if (uses_any(next, names)) return true;
  }
  return false;
}

/// What the statements from the first to the last assign.
std::vector<std::string_view> targets_between(const Node& first, const Node& last) {
  std::vector<std::string_view> names = targets(first);
  for (Node next = first; next && !(next == last);) {
    next = next.next_sibling();
    const std::vector<std::string_view> more = targets(next);
    names.insert(names.end(), more.begin(), more.end());
  }
  return names;
}

void add_neutral(std::vector<std::string>& neutral, std::string_view text) {
  if (std::find(neutral.begin(), neutral.end(), text) == neutral.end()) neutral.emplace_back(text);
}

/// The neutral value of the kind that an expression gives; empty where it says nothing.
std::string_view neutral_of(const Node& value) {
  if (value.is("comparison_operator") || value.is("boolean_operator") || value.is("not_operator") ||
      value.is("true") || value.is("false")) {
    return "False";
  }
  if (value.is("list") || value.is("list_comprehension")) return "[]";
  if (value.is("dictionary") || value.is("dictionary_comprehension")) return "{}";
  if (value.is("none")) return "None";
  if (value.is("integer") && value.text() == "0") return "0";
  return {};
}

}  // namespace

Node enclosing_loop(const Node& statement) {
  const Node found = statement.ancestor(
      {"for_statement", "while_statement", "function_definition", "class_definition"});
  return is_loop(found) ? found : Node{};
}

Node last_dependent(const Node& statement) {
  const std::vector<std::string_view> names = targets(statement);
  Node last = statement;
  if (names.empty()) return last;
  constexpr int k_most_lines = 4;  // Each is removed and added again, within ten.
  for (Node next = statement.next_sibling(); next; next = next.next_sibling()) {
    if (next.end_line() - statement.line() >= k_most_lines) break;
    if (next.is("comment")) continue;
    if (!uses_any(next, names)) break;
    last = next;
  }
  return last;
}

Proposal wrapped(const Node& first, const Node& last, const Guard& guard, double weight) {
  const std::string step = indent_step(first);
  const std::string inner = indentation(first) + step;
  Proposal proposal{{},
                    first,
                    weight * guard.weight,
                    fmt::format("run `{}` only if `{}`", brief(first.text()), guard.holds)};
  proposal.changes.push_back({{first.span().begin, first.span().begin},
                              fmt::format("if {}:{}{}", guard.holds, line_end(first), inner)});
  const Span range = {first.span().begin, last.span().end};
  for (const std::size_t at : line_starts(first.parent(), range)) {
    proposal.changes.push_back({{at, at}, step});
  }
  return proposal;
}

Proposal exit_before(const Node& statement, const Guard& guard, const std::string& exit,
                     double weight) {
  const std::string indent = indentation(statement);
  const std::string end = line_end(statement);
  return {{{{statement.span().begin, statement.span().begin},
            fmt::format("if {}:{}{}{}{}{}{}", guard.fails, end, indent, indent_step(statement),
                        exit, end, indent)}},
          statement,
          weight * guard.weight,
          fmt::format("`{}` before it if `{}`", exit, guard.fails)};
}

std::vector<std::string> neutral_returns(const Node& function) {
  std::vector<std::string> neutral;
  bool generator = false;
  bool gives_values = false;
  const std::vector<Parameter> parameters = parameters_of(function);
  std::vector<std::string> parameter_returns;
  function.field("body").walk([&](const Node& node) {
    if (node.is("function_definition") || node.is("lambda") || node.is("class_definition")) {
      return false;
    }
    generator = generator || node.is("yield");
    if (!node.is("return_statement")) return true;
    const Node value = node.child(0);
    if (!value) return true;
    gives_values = true;
    if (const std::string_view text = neutral_of(value); !text.empty()) add_neutral(neutral, text);
    for (const Parameter& parameter : parameters) {
      if (parameter.name == value.text()) add_neutral(parameter_returns, parameter.name);
    }
    return true;
  });
  if (generator || !gives_values) return {""};
  for (const std::string& name : parameter_returns) add_neutral(neutral, name);
  add_neutral(neutral, "None");
  constexpr std::size_t k_most = 3;
  if (neutral.size() > k_most) neutral.resize(k_most);
  neutral.emplace_back();  // Some write `return` for None.
  return neutral;
}

void guard_statement(const Node& statement, const Guard& guard, Proposals& out) {
  if (!starts_line(statement)) return;
  const Node last = last_dependent(statement);
  const bool loses = used_after(last, targets_between(statement, last));
  if (!(last == statement)) out.add(wrapped(statement, last, guard, loses ? 0.3 : 0.95));
  const bool needed = loses || !(last == statement);
  out.add(wrapped(statement, statement, guard, needed ? 0.15 : 1));
  const Node function = enclosing_function(statement);
  const Node loop = enclosing_loop(statement);
  const Node owner = enclosing_class(statement);
  if (loop) {
    out.add(exit_before(statement, guard, "continue", 0.9));
    out.add(exit_before(statement, guard, "break", 0.1));
  }
  if (!function || (owner && function.contains(owner))) return;
  double weight = loop ? 0.25 : 0.85;
  for (const std::string& value : neutral_returns(function)) {
    out.add(exit_before(statement, guard, value.empty() ? "return" : "return " + value, weight));
    weight *= 0.6;
  }
}

void guard_value(const Node& use, const Guard& guard, Proposals& out) {
  Node value = use;
  if (value.parent().is("argument_list")) value = value.parent().parent();
  for (Node parent = value.parent(); parent; value = parent, parent = value.parent()) {
    const bool slot = parent.is("argument_list") || parent.is("return_statement") ||
                      parent.is("list") || parent.is("tuple") || parent.is("expression_list") ||
                      (parent.is("assignment") && parent.field("right") == value) ||
                      (parent.is("keyword_argument") && parent.field("value") == value) ||
                      (parent.is("pair") && parent.field("value") == value);
    if (slot) break;
    if (parent.is("expression_statement") || parent.is("block") || parent.is("lambda") ||
        parent.is("conditional_expression") || parent.is("for_in_clause") ||
        parent.is("assignment") || parent.is("augmented_assignment") ||
        parent.is("comparison_operator") || parent.is("boolean_operator") ||
        parent.kind().ends_with("_comprehension") || parent.is("generator_expression") ||
        parent.is("interpolation")) {
      return;
    }
  }
  if (!value || value == use || value.parent().null()) return;
  const bool sized = value.is("call") && value.field("function").text() == "len";
  const bool loose = value.is("conditional_expression") || value.is("named_expression");
  const std::string_view neutral = sized || value.is("binary_operator") ? "0" : "None";
  Proposal proposal{
      {},
      enclosing_statement(use),
      guard.weight * (value.parent().is("return_statement") ? 0.3 : 0.75),
      fmt::format("`{}` is {} unless `{}`", brief(value.text()), neutral, guard.holds)};
  if (loose) proposal.changes.push_back({{value.span().begin, value.span().begin}, "("});
  proposal.changes.push_back(
      {{value.span().end, value.span().end},
       fmt::format("{} if {} else {}", loose ? ")" : "", guard.holds, neutral)});
  out.add(std::move(proposal));
}

void guard_comprehension(const Node& comprehension, const Guard& guard, Proposals& out) {
  Node filter;
  Node last;
  for (const Node& part : comprehension.children()) {
    if (part.is("if_clause") && filter.null()) filter = part.child(0);
    if (part.is("if_clause") || part.is("for_in_clause")) last = part;
  }
  if (!last) return;
  const std::string summary = fmt::format("take only elements for which `{}`", brief(guard.holds));
  if (!filter) {
    const std::size_t end = last.span().end;
    out.add(change_of(comprehension, {end, end}, fmt::format(" if {}", guard.holds),
                      guard.weight * 1.2, summary));
    return;
  }
  const bool loose = binds_weaker_than_and(filter);
  Proposal proposal{{{{filter.span().begin, filter.span().begin},
                      fmt::format("{} and {}", guard.holds, loose ? "(" : "")}},
                    comprehension,
                    guard.weight * 1.2,
                    summary};
  if (loose) proposal.changes.push_back({{filter.span().end, filter.span().end}, ")"});
  out.add(std::move(proposal));
}

}  // namespace tenline::templates
