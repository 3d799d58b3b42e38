// A call stands alone, and what it returns is lost: it is assigned, collected or returned.

#include <algorithm>

#include "engine/base/text.h"
#include "templates/python/edits.h"
#include "templates/python/gaps.h"
#include "templates/vocabulary.h"

namespace tenline::templates {
namespace {

/// What the function assigns to elsewhere, with how near that is to a line: names, attributes and
/// subscripts, as written.
std::vector<std::pair<std::string, double>> targets_near(const Node& function, int line) {
  Choices targets;
  function.walk([&](const Node& node) {
    if (!node.is("assignment")) return true;
    const Node left = node.field("left");
    constexpr std::size_t k_longest = 60;
    if (left.is("pattern_list") || left.span().size() > k_longest) return true;
    targets.add(left.text(), 1 / (1 + std::abs(node.line() - line) / 6.0));
    return true;
  });
  constexpr std::size_t k_most = 20;
  return targets.best(k_most);
}

/// Objects that the file appends to, or that it makes as an empty list.
std::vector<std::string> lists_of(const Context& context, const Node& scope) {
  std::vector<std::string> lists;
  const auto add = [&](std::string_view name) {
    constexpr std::size_t k_most = 12;
    if (lists.size() < k_most && std::find(lists.begin(), lists.end(), name) == lists.end()) {
      lists.emplace_back(name);
    }
  };
  const Node owner = enclosing_class(scope);
  (owner ? owner : context.tree().root()).walk([&](const Node& node) {
    if (!node.is("assignment") || node.field("right").text() != "[]") return true;
    const Node left = node.field("left");
    const bool here = scope.contains(node) || left.text().starts_with("self.");
    if (here && is_plain(left)) add(left.text());
    return true;
  });
  return lists;
}

bool is_log(const Node& call) { return is_message(call.field("arguments").child(0)); }

/// `x = f(x[0])` becomes `x[0] = f(x[0])`, or stores the value in an attribute of that name.
void change_target(const Node& assignment, const Context& context, Proposals& out) {
  const Node left = assignment.field("left");
  const Node right = assignment.field("right");
  if (!left.is("identifier") || !right) return;
  const auto put = [&](std::string_view target, double weight) {
    out.replace(left, std::string(target), weight,
                fmt::format("assign to `{}` instead of `{}`", target, left.text()));
  };
  right.walk([&](const Node& node) {
    const bool part = node.is("subscript") || node.is("attribute");
    if (!part || !is_plain(node) || node.parent().field("function") == node) return true;
    const bool same = node.child(0) == left || node.child(0).text() == left.text();
    put(node.text(), same ? 0.8 : 0.1);
    return true;
  });
  const SelfAttributes& attributes =
      context.vocabulary().self_attributes(enclosing_class(assignment));
  if (attributes.contains(left.text())) put(fmt::format("self.{}", left.text()), 0.5);
}

void rewrite(const Match& match, const Context& context, Proposals& out) {
  const Node statement = match["statement"];
  if (match["assignment"]) return change_target(match["assignment"], context, out);
  const Node call = match["call"];
  const Node function = enclosing_function(statement);
  if (is_log(call) || !function) return;
  const std::size_t at = statement.span().begin;
  const auto assign = [&](std::string_view target, double weight) {
    if (weight <= 0) return;
    out.add(change_of(statement, {at, at}, fmt::format("{} = ", target), weight,
                      fmt::format("keep the result of `{}` as `{}`", brief(call.text()), target)));
  };
  std::set<std::string> given;
  const auto once = [&](const Node& target, double weight) {
    if (!is_plain(target) || target.text() == "self") return;
    if (given.emplace(target.text()).second) assign(target.text(), weight);
  };
  double weight = 1;
  for (const Node& argument : call.field("arguments").children()) {
    once(argument.is("keyword_argument") ? argument.field("value") : argument, weight);
    weight *= 0.6;
  }
  const Node method = call.field("function");
  if (method.is("attribute")) once(method.field("object"), 0.6);
  for (const auto& [target, near] : targets_near(function.field("body"), statement.line())) {
    const double similar = name_similarity(target, called_name(call));
    if (given.insert(target).second) assign(target, near * (0.2 + similar));
  }
  const std::size_t end = statement.span().end;
  for (const std::string& list : lists_of(context, function)) {
    out.add({{{{at, at}, list + ".append("}, {{end, end}, ")"}},
             statement,
             0.15 + 0.5 * name_similarity(list, called_name(call)),
             fmt::format("append `{}` to `{}`", brief(call.text()), list),
             false});
  }
  const bool last = !next_statement(statement);
  out.add(change_of(statement, {at, at}, "return ", last ? 0.5 : 0.1,
                    fmt::format("return `{}`", brief(call.text()))));
}

}  // namespace

extern constinit const Template k_use_result = {
    .id = "use-result",
    .family = Family::wrong_api_or_name,
    .summary = "Assign, collect or return what a call returns, or assign it elsewhere.",
    .language = Language::python,
    .query =
        "[(expression_statement . (call) @call .) @statement"
        " (expression_statement . (assignment) @assignment .) @statement]",
    .prior = 0.2,
    .answers = answers::unbound_name,
    .rewrite = rewrite,
};
}  // namespace tenline::templates
