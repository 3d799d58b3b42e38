// A function takes a parameter more: one that its calls pass, that definitions of the same name
// have, or that calls in its body could pass on; and what goes with it: the call that passes it on,
// `self.x = x`, a call elsewhere in the class that passes `x=self.x`.

#include <algorithm>
#include <optional>

#include "templates/python/edits.h"
#include "templates/python/signatures.h"

namespace tenline::templates {
namespace {

/// A call on the meant lines, and what it could pass.
struct Receiver {
  Node call;
  std::vector<Keyword> keywords;
};

struct NewParameter {
  double weight = 0;
  std::string fallback;
};

std::vector<Receiver> receivers(const Node& within, const Node& without, const Context& context) {
  constexpr std::size_t k_most = 4;
  std::vector<Receiver> found;
  within.walk([&](const Node& node) {
    if (node == without || found.size() == k_most) return false;
    const Node list = node.field("arguments");
    if (node.is("call") && list.is("argument_list") && is_meant(node, context) &&
        !node.field("function").is("call") && node.field("function").text() != "super") {
      std::vector<Keyword> keywords = missing_keywords(node, context);
      if (!keywords.empty()) found.push_back({node, std::move(keywords)});
    }
    return true;
  });
  return found;
}

class Adder {
 public:
  Adder(const Node& function, const Context& context)
      : function_(function),
        context_(context),
        body_(function.field("body")),
        inner_(receivers(body_, {}, context)) {
    if (const Node owner = enclosing_class(function)) {
      outer_ = receivers(owner, function, context);
      if (function.field("parameters").child(0).text() == "self") {
        gap_ = meant_gap(body_, context);
      }
    }
    for (const Parameter& parameter : parameters_of(function)) taken_.insert(parameter.name);
    taken_.insert({"self", "cls"});
    collect();
  }

  [[nodiscard]] std::vector<Proposal> proposals() const {
    std::vector<Proposal> found;
    for (const auto& [name, parameter] : names_) {
      for (const auto& [form, fit] : forms_of(name, parameter.fallback, function_, context_)) {
        const bool has_default = form.find('=') != std::string::npos;
        for (const ArgumentGap& gap : parameter_gaps(function_, has_default, context_)) {
          propose(name, form, gap, parameter.weight * fit * gap.weight, found);
        }
      }
    }
    return found;
  }

 private:
  void add(std::string_view name, double weight, std::string_view fallback) {
    if (taken_.contains(name)) return;
    NewParameter& parameter = names_[std::string(name)];
    parameter.weight = std::max(parameter.weight, weight);
    if (parameter.fallback.empty()) parameter.fallback = fallback;
  }

  void collect() {
    constexpr std::size_t k_most = 12;  // Of each source: the best are first.
    for (const std::vector<Receiver>& list : {inner_, outer_}) {
      for (const Receiver& receiver : list) {
        for (std::size_t i = 0; i < std::min(k_most, receiver.keywords.size()); ++i) {
          const Keyword& keyword = receiver.keywords[i];
          add(keyword.name, 0.6 * keyword.weight, keyword.fallback);
        }
      }
    }
    const std::string_view own = function_.field("name").text();
    for (const PythonFunction& sibling : context_.index().functions(own)) {
      if (names_.size() > 4 * k_most) break;
      for (const Parameter& parameter : sibling.parameters) {
        if (is_named(parameter)) add(parameter.name, 0.3, parameter.default_text);
      }
    }
    const Node owner = enclosing_class(function_);
    const std::string_view called = own == "__init__" && owner ? owner.field("name").text() : own;
    for (const auto& [name, count] : context_.index().call_keywords(called)) add(name, 0.5, "");
  }

  /// The changes that make a call pass it on, at the place that the meant lines point to best.
  [[nodiscard]] std::optional<ArgumentGap> place_in(const Node& call,
                                                    std::string_view keyword) const {
    const Node list = call.field("arguments");
    const std::vector<Node> arguments = list.children();
    const std::size_t first = keyword.empty() ? 0 : positional_count(arguments);
    const std::size_t last = keyword.empty() ? positional_count(arguments) : arguments.size();
    std::optional<ArgumentGap> best;
    for (const ArgumentGap& gap : gaps_of(list, first, last, context_)) {
      if (!best || gap.weight >= best->weight) best = gap;
    }
    return best;
  }

  [[nodiscard]] static bool takes(const Receiver& receiver, std::string_view name) {
    return std::any_of(receiver.keywords.begin(), receiver.keywords.end(),
                       [&](const Keyword& keyword) { return keyword.name == name; });
  }

  void pass(const std::vector<Receiver>& list, std::string_view name, const std::string& value,
            bool by_keyword, std::vector<Change>& changes) const {
    for (const Receiver& receiver : list) {
      if (!takes(receiver, name)) continue;
      const std::optional<ArgumentGap> gap = place_in(receiver.call, by_keyword ? name : "");
      if (!gap || gap->weight < 0.2) continue;
      const std::string argument = by_keyword ? fmt::format("{}={}", name, value) : value;
      for (Change& change : inserted(receiver.call.field("arguments"), gap->before, argument)) {
        changes.push_back(std::move(change));
      }
    }
  }

  void propose(const std::string& name, const std::string& form, const ArgumentGap& gap,
               double weight, std::vector<Proposal>& found) const {
    std::vector<Change> base = typing_import(form, function_, context_);
    for (Change& change : inserted(function_.field("parameters"), gap.before, form)) {
      base.push_back(std::move(change));
    }
    const auto add = [&](std::vector<Change> changes, double fit, std::string_view what) {
      found.push_back(
          {std::move(changes), function_, weight * fit,
           fmt::format("let `{}` take `{}`{}", function_.field("name").text(), brief(form), what)});
    };
    bool wider = false;
    for (const bool by_keyword : {true, false}) {
      std::vector<Change> changes = base;
      pass(inner_, name, name, by_keyword, changes);
      if (changes.size() == base.size()) continue;
      wider = true;
      add(std::move(changes), by_keyword ? 2 : 1, " and pass it on");
    }
    if (gap_) {
      std::vector<Change> changes = base;
      const std::size_t at = gap_.span().begin;
      changes.push_back(
          {{at, at},
           fmt::format("self.{} = {}{}{}", name, name, line_end(gap_), indentation(gap_))});
      const std::size_t before = changes.size();
      pass(outer_, name, "self." + name, true, changes);
      const double fit = changes.size() > before ? 3 : 1;
      add(std::move(changes), fit, " and keep it");
      wider = true;
    }
    add(std::move(base), wider ? 0.3 : 1, "");
  }

  Node function_;
  const Context& context_;
  Node body_;
  std::vector<Receiver> inner_;
  std::vector<Receiver> outer_;
  Node gap_;
  std::set<std::string, std::less<>> taken_;
  std::map<std::string, NewParameter> names_;
};

void rewrite(const Match& match, const Context& context, Proposals& out) {
  const Node function = match["function"];
  constexpr std::size_t k_most = 300;
  for (Proposal& proposal : heaviest(Adder(function, context).proposals(), k_most)) {
    out.add(std::move(proposal));
  }
}

}  // namespace

extern constinit const Template k_add_parameter = {
    .id = "add-parameter",
    .family = Family::parameter_handling,
    .summary = "Let a function take a parameter more, and pass it on.",
    .language = Language::python,
    .query = "(function_definition parameters: (parameters)) @function",
    .prior = 0.4,
    .answers = answers::unbound_name | answers::wrong_arguments,
    .rewrite = rewrite,
};
}  // namespace tenline::templates
