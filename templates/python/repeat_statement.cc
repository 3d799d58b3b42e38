// A statement that the function, class or file has elsewhere is missing here too, unchanged.

#include <algorithm>
#include <cmath>

#include "templates/python/edits.h"
#include "templates/python/unset.h"
#include "templates/vocabulary.h"

namespace tenline::templates {
namespace {

/// Words of the code around a gap, to judge how well a statement fits there.
std::set<std::string_view> names_near(const Gap& gap) {
  std::set<std::string_view> names;
  const Node before = previous_statement(gap.beside);
  for (const Node& near : {gap.beside, before, next_statement(gap.beside)}) {
    near.walk([&](const Node& node) {
      if (node.is("identifier")) names.insert(node.text());
      constexpr std::size_t k_enough = 60;
      return names.size() < k_enough;
    });
  }
  return names;
}

/// The share of a statement's names that the code around the gap has too.
double overlap(const Node& statement, const std::set<std::string_view>& near) {
  int all = 0;
  int shared = 0;
  statement.walk([&](const Node& node) {
    if (!node.is("identifier") || node.text() == "self") return true;
    ++all;
    shared += near.contains(node.text()) ? 1 : 0;
    return true;
  });
  return all == 0 ? 0 : static_cast<double>(shared) / all;
}

double nearness(const Model& model, const Gap& gap) {
  const Node function = enclosing_function(gap.beside);
  const int distance = std::abs(model.node.line() - gap.beside.line());
  if (function && model.function == function) return 0.6 + 0.4 / (1 + distance / 4.0);
  if (model.owner && model.owner == enclosing_class(gap.beside)) return 0.5;
  return 0.25;
}

double fit_of(const Model& model, const Gap& gap, const std::set<std::string_view>& near) {
  const Node inner = model.node.child(0);
  double fit = 0.15 + overlap(model.node, near);
  fit *= nearness(model, gap);
  fit *= 1 + 0.3 * std::log2(model.count);
  constexpr std::size_t k_short = 48;
  if (model.node.span().size() > k_short) fit *= 0.6;
  if (inner.is("call") || model.node.is("delete_statement")) fit *= 1.3;
  if (inner.is("assignment") && inner.field("left").is("identifier")) fit *= 0.6;
  return fit;
}

/// True if the same statement stands beside the gap already.
bool stands_there(const Node& statement, const Gap& gap) {
  const Node other = gap.before ? previous_statement(gap.beside) : next_statement(gap.beside);
  return gap.beside.text() == statement.text() || other.text() == statement.text();
}

void repeat(const Gap& gap, const Context& context, const Node& anchor, Proposals& out) {
  const Scope scope(context, gap);
  const std::set<std::string_view> near = names_near(gap);
  std::vector<std::pair<double, const Model*>> fits;
  for (const Model& model : context.vocabulary().models()) {
    const Node argument = model.node.child(0).field("arguments").child(0);
    if (stands_there(model.node, gap) || is_message(argument) || !gap.can_leave(model.node)) {
      continue;
    }
    fits.emplace_back(fit_of(model, gap, near), &model);
  }
  std::stable_sort(fits.begin(), fits.end(),
                   [](const auto& a, const auto& b) { return a.first > b.first; });
  constexpr std::size_t k_most = 120;
  std::set<std::string_view> given;
  for (const auto& [fit, model] : fits) {
    if (given.size() >= k_most) break;
    if (!scope.can_run(model->node) || !given.insert(model->node.text()).second) continue;
    out.add({{gap.put(gap.fitted(model->node, model->node.text()))},
             anchor,
             fit * gap.told,
             fmt::format("add `{}`", brief(model->node.text())),
             false});
  }
}

void rewrite(const Match& match, const Context& context, Proposals& out) {
  const Node statement = match["statement"];
  if (statement.parent().is("module")) return;
  for (const Gap& gap : gaps_at(context, statement)) repeat(gap, context, statement, out);
}

}  // namespace

extern constinit const Template k_repeat_statement = {
    .id = "repeat-statement",
    .family = Family::state_or_order,
    .summary = "Add a statement or small `if` that the function, class or file has elsewhere.",
    .language = Language::python,
    .query = k_any_statement,
    .prior = 0.3,
    .rewrite = rewrite,
};
}  // namespace tenline::templates
