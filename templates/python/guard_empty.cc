// A value that may be empty is used only where it is not: `if len(x) > 0:` around, an early exit
// before, `x.numel() > 0` for tensors, and lines of text that are blank.

#include <algorithm>

#include "engine/base/text.h"
#include "templates/python/edits.h"
#include "templates/python/guards.h"

namespace tenline::templates {
namespace {

bool is_tensor(const Context& context, const Node& use) {
  if (const SeenValue* seen = context.seen(use)) {
    return seen->type.ends_with("Tensor") || seen->type == "Parameter";
  }
  const std::vector<std::string> members = context.members(use, "");
  return std::any_of(members.begin(), members.end(), [](const std::string& member) {
    return member == "numel" || member == "dtype" || member == "requires_grad";
  });
}

Guard not_empty(const Context& context, const Suspect& suspect) {
  const std::string_view name = suspect.use.text();
  const SeenValue* seen = context.seen(suspect.use);
  const bool number = seen != nullptr && (seen->type == "int" || seen->type == "float");
  if (number || (seen == nullptr && context.symptom().is("ZeroDivisionError"))) {
    return {fmt::format("{} != 0", name), fmt::format("{} == 0", name), suspect.weight};
  }
  if (is_tensor(context, suspect.use)) {
    return {fmt::format("{}.numel() > 0", name), fmt::format("{}.numel() == 0", name),
            suspect.weight};
  }
  return {fmt::format("len({}) > 0", name), fmt::format("len({}) == 0", name), suspect.weight};
}

/// The variable whose text a statement takes apart: `line` of `a, b = line.split("=")`.
Node taken_apart(const Node& statement) {
  const Node assignment = statement.child(0);
  if (!assignment.is("assignment")) return {};
  Node found;
  assignment.field("right").walk([&](const Node& node) {
    if (!node.is("call") || !found.null()) return found.null();
    const Node method = node.field("function").field("attribute");
    const Node object = node.field("function").field("object");
    if ((method.text() == "split" || method.text() == "rsplit") && object.is("identifier")) {
      found = object;
    }
    return found.null();
  });
  return found;
}

/// Blank lines of a file have no parts: `line = line.strip()` and `if not line: continue`.
void skip_blank_lines(const Context& context, const Node& statement, Proposals& out) {
  const Node line = taken_apart(statement);
  if (!line || !starts_line(statement)) return;
  const Node loop = statement.ancestor({"for_statement", "while_statement", "function_definition"});
  const bool in_loop = loop && !loop.is("function_definition");
  if (!in_loop && !enclosing_function(statement)) return;
  const Symptom& symptom = context.symptom();
  double weight = 0.08;
  if (symptom.mentions("not enough values to unpack") || symptom.is("IndexError")) {
    weight = context.fails_here(statement) ? 4 : 1;
    const SeenValue* seen = context.seen(line);
    // A text with something in it is not blank, unless it is white space only.
    if (seen != nullptr && seen->length > 2) weight *= 0.3;
  } else if (!symptom.type.empty() && !symptom.is("AssertionError")) {
    return;
  }
  const std::string end = line_end(statement);
  const std::string indent = indentation(statement);
  const std::string exit =
      in_loop ? "continue" : "return " + neutral_returns(enclosing_function(statement)).front();
  const std::string name(line.text());
  const std::size_t at = statement.span().begin;
  const auto insert = [&](const std::string& text, double fit, const std::string& summary) {
    out.add(change_of(statement, {at, at}, text, weight * fit, summary));
  };
  const std::string leave =
      fmt::format(":{}{}{}{}{}{}", end, indent, indent_step(statement), trim(exit), end, indent);
  insert(fmt::format("{0} = {0}.strip(){1}{2}if not {0}{3}", name, end, indent, leave), 1,
         fmt::format("strip `{}` and skip blank ones", name));
  insert(fmt::format("if not {}.strip(){}", name, leave), 0.7,
         fmt::format("skip blank `{}`", name));
}

void rewrite(const Match& match, const Context& context, Proposals& out) {
  if (const Node comprehension = match["comprehension"]) {
    for (const Suspect& suspect : empty_suspects(context, comprehension)) {
      if (!is_bound_inside(suspect.use, comprehension)) continue;
      guard_comprehension(comprehension, not_empty(context, suspect), out);
    }
    return;
  }
  const Node statement = match["statement"];
  skip_blank_lines(context, statement, out);
  for (const Suspect& suspect : empty_suspects(context, statement)) {
    if (is_bound_inside(suspect.use, statement) || suspect.weight < 0.02) continue;
    // A loop over nothing is no failure.
    if (suspect.use.parent().is("for_statement")) continue;
    Guard guard = not_empty(context, suspect);
    if (statement.is("if_statement")) guard.weight *= 0.4;
    guard_statement(statement, guard, out);
    guard_value(suspect.use, guard, out);
  }
}

}  // namespace

extern constinit const Template k_guard_empty = {
    .id = "guard-empty",
    .family = Family::precondition_guard,
    .summary = "Use a value only where it is not empty or zero.",
    .language = Language::python,
    .query =
        "[(expression_statement) (return_statement) (for_statement) (if_statement)"
        " (with_statement) (assert_statement)] @statement"
        "[(list_comprehension) (set_comprehension) (dictionary_comprehension)"
        " (generator_expression)] @comprehension",
    .prior = 0.7,
    .answers = answers::index_error,
    .rewrite = rewrite,
};
}  // namespace tenline::templates
