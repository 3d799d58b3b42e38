// A value that may be None is used only where it is not: the statement in an `if`, an early exit
// before it, a conditional expression, a filter of a comprehension.

#include "templates/python/edits.h"
#include "templates/python/guards.h"

namespace tenline::templates {
namespace {

Guard not_none(const Suspect& suspect) {
  return {fmt::format("{} is not None", suspect.use.text()),
          fmt::format("{} is None", suspect.use.text()), suspect.weight};
}

/// `return f(x)` in a loop ends the search at its first result, found or not.
void return_only_found(const Node& statement, const Context& context, Proposals& out) {
  const Node value = statement.child(0);
  const Node function = enclosing_function(statement);
  if (!value.is("call") || !function || !starts_line(statement)) return;
  const std::string_view callee = value.field("function").text();
  const std::string_view own = function.field("name").text();
  const bool recursive = callee == own || callee == fmt::format("self.{}", own);
  const Node around =
      statement.ancestor({"for_statement", "while_statement", "function_definition"});
  const bool in_loop = !around.is("function_definition");
  if (!recursive && !in_loop) return;
  std::string name = "result";
  for (const Name& taken : context.names(statement)) {
    if (taken.text == name) name = "found";
  }
  const std::string end = line_end(statement);
  const std::string indent = indentation(statement);
  out.replace(statement,
              fmt::format("{0} = {1}{2}{3}if {0} is not None:{2}{3}{4}return {0}", name,
                          value.text(), end, indent, indent_step(statement)),
              recursive ? 0.8 : 0.15,
              fmt::format("return `{}` only if it is not None", brief(value.text())));
}

void rewrite(const Match& match, const Context& context, Proposals& out) {
  if (const Node comprehension = match["comprehension"]) {
    for (const Suspect& suspect : none_suspects(context, comprehension)) {
      if (!is_bound_inside(suspect.use, comprehension)) continue;
      guard_comprehension(comprehension, not_none(suspect), out);
    }
    return;
  }
  const Node statement = match["statement"];
  if (statement.is("return_statement")) return_only_found(statement, context, out);
  for (const Suspect& suspect : none_suspects(context, statement)) {
    if (is_bound_inside(suspect.use, statement)) continue;
    Guard guard = not_none(suspect);
    // Conditions take a clause more often; see add-clause.
    if (statement.is("if_statement")) guard.weight *= 0.4;
    guard_statement(statement, guard, out);
    guard_value(suspect.use, guard, out);
    const Node parent = suspect.use.parent();
    if (parent.is("for_statement")) {
      out.replace(suspect.use, fmt::format("{} or []", suspect.use.text()), guard.weight * 0.8,
                  fmt::format("iterate over nothing if `{}`", guard.fails));
    }
  }
}

}  // namespace

extern constinit const Template k_guard_none = {
    .id = "guard-none",
    .family = Family::precondition_guard,
    .summary = "Use a value only where it is not None.",
    .language = Language::python,
    .query =
        "[(expression_statement) (return_statement) (for_statement) (if_statement)"
        " (with_statement) (assert_statement) (delete_statement)] @statement"
        "[(list_comprehension) (set_comprehension) (dictionary_comprehension)"
        " (generator_expression)] @comprehension",
    .prior = 0.9,
    .answers = answers::attribute_error | answers::key_error,
    .rewrite = rewrite,
};
}  // namespace tenline::templates
