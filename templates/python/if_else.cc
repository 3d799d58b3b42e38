// A statement does one thing where a test holds and another where it fails: a variable gets a
// stand-in, a function another result, a call one argument less.

#include <algorithm>

#include "templates/python/alternatives.h"
#include "templates/python/edits.h"
#include "templates/python/guards.h"
#include "templates/python/test_pool.h"

namespace tenline::templates {
namespace {

/// What the statement may do instead, as source text.
std::vector<std::pair<std::string, double>> instead_of(const Node& statement,
                                                       const Context& context) {
  std::vector<std::pair<std::string, double>> others;
  const Node inner = statement.child(0);
  const auto with_value = [&](const Node& value) {
    const std::string text(statement.text());
    const std::size_t begin = value.span().begin - statement.span().begin;
    for (const auto& [other, fit] : stand_ins(context, value)) {
      others.emplace_back(text.substr(0, begin) + other + text.substr(begin + value.span().size()),
                          fit);
    }
  };
  if (statement.is("return_statement")) {
    if (inner) with_value(inner);
  } else if (inner.is("assignment") && inner.field("right")) {
    with_value(inner.field("right"));
  } else if (inner.is("call")) {
    const std::vector<Node> arguments = inner.field("arguments").children();
    for (const Node& argument : arguments) {
      if (arguments.size() < 2) break;
      const Change removal = removal_of(argument);
      std::string text(statement.text());
      text.replace(removal.span.begin - statement.span().begin, removal.span.size(), removal.text);
      others.emplace_back(std::move(text), argument.is("keyword_argument") ? 0.3 : 0.05);
    }
  }
  return others;
}

/// True if the function binds the name here for the first time and reads it behind the `if`.
bool is_missing_otherwise(const Node& target, const Node& statement, const Context& context) {
  const std::vector<Name>& names = context.names(target);
  const auto bound = std::find_if(names.begin(), names.end(),
                                  [&](const Name& name) { return name.text == target.text(); });
  if (bound == names.end() || bound->line != target.line()) return false;
  bool read = false;
  for (Node next = statement.next_sibling(); next && !read; next = next.next_sibling()) {
    next.walk([&](const Node& at) {
      read = read || (at.is("identifier") && at.text() == target.text() && is_use(at));
      return !read;
    });
  }
  return read;
}

/// A variable that only the `if` sets gets a value in an `else`.
void set_otherwise(const Node& last, const Context& context, Proposals& out) {
  const Node statement = last.parent().parent();
  const Node assignment = last.child(0);
  if (!assignment.is("assignment") || !statement.fields("alternative").empty()) return;
  if (!has_own_lines(last) || !starts_line(statement)) return;
  const std::string end = line_end(last);
  const std::size_t at = end_of_line(last);
  std::vector<Node> targets = {assignment.field("left")};
  if (targets[0].is("pattern_list")) targets = targets[0].children();
  for (const Node& target : targets) {
    const double need = is_missing_otherwise(target, statement, context) ? 2 : 0.1;
    for (const auto& [value, fit] : stand_ins(context, assignment.field("right"))) {
      const std::string text = fmt::format("{} = {}", target.text(), value);
      out.add(change_of(
          last, {at, at},
          fmt::format("{}{}else:{}{}{}", end, indentation(statement), end, indentation(last), text),
          need * fit, fmt::format("else `{}`", brief(text))));
    }
  }
}

void rewrite(const Match& match, const Context& context, Proposals& out) {
  if (const Node last = match["last"]) return set_otherwise(last, context, out);
  const Node statement = match["statement"];
  constexpr int k_most_lines = 3;
  if (!has_own_lines(statement) || statement.end_line() - statement.line() >= k_most_lines) return;
  const auto others = instead_of(statement, context);
  if (others.empty()) return;
  const std::string step = indent_step(statement);
  const std::string indent = indentation(statement);
  const std::string end = line_end(statement);
  const std::size_t at = end_of_line(statement);
  constexpr std::size_t k_most = 40;
  for (const Test& test : possible_tests(context, statement, {statement}, k_most)) {
    for (const auto& [other, fit] : others) {
      Proposal proposal =
          wrapped(statement, statement, {test.text, test.opposite, test.weight}, 3 * fit);
      if (other.find('\n') != std::string::npos) continue;
      proposal.changes.push_back(
          {{at, at}, fmt::format("{}{}else:{}{}{}{}", end, indent, end, indent, step, other)});
      proposal.summary =
          fmt::format("`{}` only if `{}`, else `{}`", brief(statement.text()), test.text, other);
      out.add(std::move(proposal));
    }
  }
}

}  // namespace

extern constinit const Template k_if_else = {
    .id = "if-else",
    .family = Family::conditional_logic,
    .summary = "Do one thing where a test holds, another where it fails.",
    .language = Language::python,
    .query =
        "[(expression_statement) (return_statement)] @statement"
        "(if_statement consequence: (block (expression_statement (assignment)) @last .))",
    .prior = 0.3,
    .answers = answers::attribute_error | answers::key_error,
    .rewrite = rewrite,
};
}  // namespace tenline::templates
