// A call passes one more argument by its keyword. Which keywords: those of the callee's definition,
// of other calls of it, of well-known functions, and the parameters of the function around the
// call. Which values: see values.h.

#include <algorithm>

#include "templates/python/arguments.h"
#include "templates/python/edits.h"
#include "templates/python/values.h"

namespace tenline::templates {
namespace {

double symptom_fit(const Context& context, const Node& call, std::string_view name) {
  const Symptom& symptom = context.symptom();
  if (symptom.is("TypeError") && symptom.mentions("missing") && symptom.mentions("argument")) {
    return symptom.name == name || symptom.mentions(fmt::format("'{}'", name)) ? 6 : 0.3;
  }
  return (context.fails_here(call) ? 1.5 : 1) * (context.in_issue(name) ? 1.5 : 1);
}

/// Where a keyword goes: the end, before what is spread, or where the definition has it.
class Order {
 public:
  Order(const Node& call, const Context& context)
      : arguments_(call.field("arguments").children()), known_(callees(call, context)) {}

  [[nodiscard]] double fit(const ArgumentGap& gap, const Keyword& keyword) const {
    double fit = 0.4;
    if (gap.before == arguments_.size()) fit = 1;
    if (gap.before < arguments_.size() && is_spread(arguments_[gap.before])) fit = 0.8;
    if (keyword.order > 0 && gap.before == after(keyword.order)) fit = std::max(fit, 0.9);
    return fit;
  }

 private:
  /// The place behind the last argument that the definition has before a parameter.
  [[nodiscard]] std::size_t after(std::size_t order) const {
    std::size_t place = 0;
    for (std::size_t i = 0; i < arguments_.size(); ++i) {
      const Node& argument = arguments_[i];
      if (is_positional(argument)) place = i + 1;
      if (!argument.is("keyword_argument") || known_.empty()) continue;
      const std::vector<Parameter>& parameters = known_.front()->parameters;
      for (std::size_t j = 0; j + 1 < order && j < parameters.size(); ++j) {
        if (parameters[j].name == argument.field("name").text()) place = i + 1;
      }
    }
    return place;
  }

  std::vector<Node> arguments_;
  std::vector<const PythonFunction*> known_;
};

void rewrite(const Match& match, const Context& context, Proposals& out) {
  const Node call = match["call"];
  const Node list = match["arguments"];
  if (called_name(call) == "super") return;
  const std::vector<Node> arguments = list.children();
  const std::vector<Keyword> keywords = missing_keywords(call, context);
  if (keywords.empty()) return;
  const Values values(call, context);
  const Order order(call, context);
  const std::vector<ArgumentGap> gaps =
      gaps_of(list, positional_count(arguments), arguments.size(), context);
  const std::string callee = brief(call.field("function").text());
  constexpr std::size_t k_most_values = 16;
  constexpr std::size_t k_most_gaps = 3;
  constexpr std::size_t k_most = 250;
  std::vector<Proposal> found;
  for (const Keyword& keyword : keywords) {
    std::vector<std::pair<double, std::size_t>> places;
    places.reserve(gaps.size());
    for (const ArgumentGap& gap : gaps) {
      places.emplace_back(gap.weight * order.fit(gap, keyword), gap.before);
    }
    std::stable_sort(places.begin(), places.end(),
                     [](const auto& a, const auto& b) { return a.first > b.first; });
    if (places.size() > k_most_gaps) places.resize(k_most_gaps);
    for (const auto& [value, fit] :
         values.of(keyword.name, called_name(call), keyword.fallback, k_most_values)) {
      const std::string argument = fmt::format("{}={}", keyword.name, value);
      for (const auto& [place_fit, before] : places) {
        Proposal proposal;
        proposal.changes = inserted(list, before, argument);
        proposal.anchor = call;
        proposal.weight =
            3 * keyword.weight * fit * place_fit * symptom_fit(context, call, keyword.name);
        proposal.summary = fmt::format("pass `{}` to `{}`", brief(argument), callee);
        found.push_back(std::move(proposal));
      }
    }
  }
  for (Proposal& proposal : heaviest(std::move(found), k_most)) out.add(std::move(proposal));
}

}  // namespace

extern constinit const Template k_forward_argument = {
    .id = "forward-argument",
    .family = Family::parameter_handling,
    .summary = "Pass a further argument by its keyword.",
    .language = Language::python,
    .query = "(call function: (_) arguments: (argument_list) @arguments) @call",
    .prior = 1.0,
    .answers = answers::wrong_arguments,
    .rewrite = rewrite,
};
}  // namespace tenline::templates
