// A call passes one more argument by position: a value for the parameter that the callee has there,
// what other calls pass there, or what stands near. Or some `None`, so that those behind them
// reach the parameters that have their names.

#include <algorithm>

#include "engine/base/text.h"
#include "templates/python/arguments.h"
#include "templates/python/edits.h"
#include "templates/python/values.h"

namespace tenline::templates {
namespace {

/// What could stand at one position of a call.
class Candidates {
 public:
  Candidates(const Node& call, const Context& context)
      : call_(call),
        context_(context),
        values_(call, context),
        known_(callees(call, context)),
        given_(call.field("arguments").children()) {}

  [[nodiscard]] std::vector<std::pair<std::string, double>> at(std::size_t position) const {
    constexpr std::size_t k_most = 40;
    Choices found;
    for (const PythonFunction* callee : known_) {
      if (position >= callee->parameters.size()) continue;
      const Parameter& parameter = callee->parameters[position];
      if (parameter.kind != ParameterKind::normal) continue;
      for (const auto& [value, weight] :
           values_.of(parameter.name, called_name(call_), parameter.default_text, 16)) {
        found.add(value, weight);
      }
    }
    add_of_other_calls(position, found);
    add_visible(found);
    add_siblings(found);
    for (const std::string_view literal : {"None", "True", "False", "0"}) {
      found.add(literal, 0.04);
    }
    for (const std::string_view several : {"None, None", "None, None, None"}) {
      found.add(several, 0.01);
    }
    return found.best(k_most);
  }

 private:
  void add_of_other_calls(std::size_t position, Choices& found) const {
    constexpr std::size_t k_most_calls = 12;
    std::size_t calls = 0;
    for (const Node& other : context_.calls(called_name(call_))) {
      if (other == call_ || ++calls > k_most_calls) continue;
      const std::vector<Node> arguments = other.field("arguments").children();
      const bool more = positional_count(arguments) > positional_count(given_);
      for (std::size_t i = 0; i < positional_count(arguments); ++i) {
        const std::string_view text = arguments[i].text();
        if (is_given(text) || text.find('\n') != std::string_view::npos || !values_.usable(text)) {
          continue;
        }
        found.add(text, (i == position ? 0.5 : 0.1) * (more ? 1 : 0.3));
      }
    }
  }

  void add_visible(Choices& found) const {
    const Node function = enclosing_function(call_);
    const std::size_t open = known_.empty() ? 1 : 0;
    for (const Name& name : context_.names(call_)) {
      if (is_given(name.text) || name.text == "self" || name.text == "cls") continue;
      const bool parameter = name.kind == NameKind::parameter;
      const bool local = parameter || name.kind == NameKind::local;
      double weight = local ? 0.1 : 0.01;
      if (name.kind == NameKind::enclosing) weight = 0.06;
      if (parameter && function && !is_read(function, name.text)) weight = 0.5;
      found.add(name.text, weight * (open == 1 ? 1 : 0.6));
    }
  }

  /// `config.min_size` beside `config.max_size`.
  void add_siblings(Choices& found) const {
    for (const Node& argument : given_) {
      if (!argument.is("attribute")) continue;
      const std::string_view name = argument.field("attribute").text();
      for (const std::string& member : context_.members(argument.field("object"), name)) {
        const std::string text = fmt::format("{}.{}", argument.field("object").text(), member);
        if (is_given(text)) continue;
        const double similarity = name_similarity(name, member);
        found.add(text, 0.02 + 0.3 * similarity * similarity);
      }
    }
  }

  [[nodiscard]] bool is_given(std::string_view text) const {
    return std::any_of(given_.begin(), given_.end(), [&](const Node& argument) {
      return argument.text() == text || argument.field("value").text() == text;
    });
  }

  Node call_;
  const Context& context_;
  Values values_;
  std::vector<const PythonFunction*> known_;
  std::vector<Node> given_;
};

/// How many arguments have to come before an argument for it to reach its namesake; 0 for none.
std::size_t shift_of(const Node& argument, std::size_t position, const PythonFunction& callee) {
  const std::string_view name = last_name(argument);
  constexpr std::size_t k_most = 4;
  for (std::size_t i = position + 1; i < callee.parameters.size() && i <= position + k_most; ++i) {
    if (callee.parameters[i].kind != ParameterKind::normal) break;
    if (callee.parameters[i].name == name) return i - position;
  }
  return 0;
}

void fill_up(const Node& call, const Context& context, std::vector<Proposal>& found) {
  const Node list = call.field("arguments");
  const std::vector<Node> arguments = list.children();
  for (const PythonFunction* callee : callees(call, context)) {
    for (std::size_t i = 0; i < positional_count(arguments); ++i) {
      const std::size_t shift = shift_of(arguments[i], i, *callee);
      if (shift == 0) continue;
      std::string filling = "None";
      for (std::size_t j = 1; j < shift; ++j) filling += ", None";
      Proposal proposal;
      proposal.changes = inserted(list, i, filling);
      proposal.anchor = call;
      proposal.weight = 1.5;
      proposal.summary = fmt::format("let `{}` reach its parameter", brief(arguments[i].text()));
      found.push_back(std::move(proposal));
      break;
    }
  }
}

void rewrite(const Match& match, const Context& context, Proposals& out) {
  const Node call = match["call"];
  const Node list = match["arguments"];
  if (called_name(call) == "super" || call.field("function").is("call")) return;
  const std::vector<Node> arguments = list.children();
  const Candidates candidates(call, context);
  const std::size_t last = positional_count(arguments);
  constexpr std::size_t k_most = 200;
  std::vector<Proposal> found;
  fill_up(call, context, found);
  for (const ArgumentGap& gap : gaps_of(list, 0, last, context)) {
    const double place = gap.weight * (gap.before == last ? 1 : 0.3);
    for (const auto& [value, weight] : candidates.at(gap.before)) {
      Proposal proposal;
      proposal.changes = inserted(list, gap.before, value);
      proposal.anchor = call;
      proposal.weight = place * weight * (context.fails_here(call) ? 1.5 : 1);
      proposal.summary =
          fmt::format("pass `{}` to `{}` too", brief(value), brief(call.field("function").text()));
      found.push_back(std::move(proposal));
    }
  }
  for (Proposal& proposal : heaviest(std::move(found), k_most)) out.add(std::move(proposal));
}

}  // namespace

extern constinit const Template k_pass_positional = {
    .id = "pass-positional",
    .family = Family::parameter_handling,
    .summary = "Pass a further argument by position.",
    .language = Language::python,
    .query = "(call function: (_) arguments: (argument_list) @arguments) @call",
    .prior = 0.5,
    .answers = answers::wrong_arguments,
    .rewrite = rewrite,
};
}  // namespace tenline::templates
