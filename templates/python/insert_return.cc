// A function that gives a value on some paths, or should, gives one on all: `return self` of
// `__enter__`, the dropped result of a recursive call, a `return` at the end.

#include <algorithm>

#include "templates/python/edits.h"

namespace tenline::templates {
namespace {

struct Returns {
  std::vector<std::string> values;  ///< Texts, in order, without repeats.
  bool yields = false;
};

Returns returns_of(const Node& function) {
  Returns found;
  function.field("body").walk([&](const Node& node) {
    if (node.is("function_definition") || node.is("lambda") || node.is("class_definition")) {
      return false;
    }
    found.yields = found.yields || node.is("yield");
    if (node.is("return_statement") && node.child(0)) {
      const std::string text(node.child(0).text());
      if (std::find(found.values.begin(), found.values.end(), text) == found.values.end()) {
        found.values.push_back(text);
      }
    }
    return true;
  });
  return found;
}

bool ends_flow(const Node& statement) {
  return statement.is("return_statement") || statement.is("raise_statement");
}

/// The statement a function's body ends with; its block's last.
Node last_statement(const Node& function) {
  const std::vector<Node> statements = function.field("body").children();
  return statements.empty() ? Node{} : statements.back();
}

void append_return(const Node& function, const Node& last, const std::string& value, double weight,
                   Proposals& out) {
  const std::size_t at = end_of_line(last);
  Proposal proposal{
      {{{at, at}, fmt::format("{}{}return {}", line_end(function), indentation(last), value)}},
      last,
      weight,
      fmt::format("return `{}` at the end of `{}`", brief(value), function.field("name").text())};
  out.add(std::move(proposal));
}

/// What the function makes: the last plain variable that it assigns or fills.
std::string made_value(const Node& function) {
  std::string name;
  for (const Node& statement : function.field("body").children()) {
    const Node left = statement.child(0).field("left");
    if (left.is("identifier")) name = left.text();
  }
  return name;
}

void at_the_end(const Node& function, const Context& context, Proposals& out) {
  const Node last = last_statement(function);
  if (!last || ends_flow(last) || !starts_line(last)) return;
  const std::string_view name = function.field("name").text();
  const Returns returns = returns_of(function);
  if (returns.yields || name == "__init__") return;
  if (name == "__enter__" || name == "__aenter__" || name == "__iter__") {
    if (returns.values.empty()) append_return(function, last, "self", 3, out);
    return;
  }
  const bool none_failed = context.symptom().mentions("NoneType");
  double weight = none_failed ? 0.6 : 0.3;
  if (!returns.values.empty()) {
    for (std::size_t i = 0; i < std::min<std::size_t>(3, returns.values.size()); ++i) {
      const std::string& value = returns.values[i];
      if (value == "True") append_return(function, last, "False", weight, out);
      if (value == "False") append_return(function, last, "True", weight, out);
      append_return(function, last, value, weight * 0.7, out);
      weight *= 0.7;
    }
  }
  const std::string made = made_value(function);
  if (!made.empty()) append_return(function, last, made, weight * 0.6, out);
}

/// `self.find(child)` as a statement drops what `find` returns.
void return_result(const Node& statement, Proposals& out) {
  const Node call = statement.child(0);
  const Node function = enclosing_function(statement);
  if (!call.is("call") || !function || is_message(call.field("arguments").child(0))) return;
  const std::string_view name = function.field("name").text();
  const Node callee = call.field("function");
  const bool recursive =
      callee.text() == name || (callee.is("attribute") && callee.field("attribute").text() == name);
  const bool last = statement == last_statement(function);
  if (!recursive && !last) return;
  if (name == "__init__" || returns_of(function).yields) return;
  const bool gives = !returns_of(function).values.empty();
  double weight = recursive ? 0.6 : 0.15;
  if (gives) weight *= 2;
  const std::size_t at = statement.span().begin;
  out.add(change_of(statement, {at, at}, "return ", weight,
                    fmt::format("return the result of `{}`", brief(call.text()))));
}

void rewrite(const Match& match, const Context& context, Proposals& out) {
  if (const Node function = match["function"]) at_the_end(function, context, out);
  if (const Node last = match["last"]) at_the_end(enclosing_function(last), context, out);
  if (const Node statement = match["statement"]) return_result(statement, out);
}

}  // namespace

extern constinit const Template k_insert_return = {
    .id = "insert-return",
    .family = Family::state_or_order,
    .summary = "Return a value where a function drops it.",
    .language = Language::python,
    .query =
        "(function_definition) @function"
        "(function_definition body: (block (_) @last .))"
        "(expression_statement (call)) @statement",
    .prior = 0.6,
    .rewrite = rewrite,
};
}  // namespace tenline::templates
