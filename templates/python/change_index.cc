// Another index or another bound: `shape[0]` for `shape[1]`, the loop's index for a constant, one
// more or less at a slice's end.

#include <array>
#include <charconv>

#include "templates/python/edits.h"

namespace tenline::templates {
namespace {

double symptom_fit(const Context& context, const Node& subscript) {
  const double here = context.fails_here(subscript) ? 1.3 : 1;
  return context.symptom().is("IndexError") ? 1.5 * here : here;
}

struct LoopName {
  std::string_view text;
  bool counts = false;  ///< Of `range` or the first of `enumerate`.
};

/// The names that the loops around a node bind, innermost first.
std::vector<LoopName> loop_names(const Node& node) {
  std::vector<LoopName> names;
  const auto add = [&](const Node& loop) {
    const std::string_view counter = loop.field("right").field("function").text();
    const std::size_t before = names.size();
    loop.field("left").walk([&](const Node& target) {
      const bool first = names.size() == before;
      if (target.is("identifier") && target.text() != "_") {
        names.push_back({target.text(), counter == "range" || (counter == "enumerate" && first)});
      }
      return !target.is("attribute") && !target.is("subscript");
    });
  };
  for (Node at = node.parent(); at && !at.is("function_definition"); at = at.parent()) {
    if (at.is("for_statement") && at.field("body").contains(node)) add(at);
    if (!at.kind().ends_with("comprehension") && !at.is("generator_expression")) continue;
    for (const Node& clause : at.children()) {
      if (clause.is("for_in_clause") && !clause.contains(node)) add(clause);
    }
  }
  return names;
}

void change_number(const Node& subscript, const Node& index, const Context& context,
                   Proposals& out) {
  const double fit = symptom_fit(context, subscript);
  const auto propose = [&](std::string_view text, double weight) {
    if (index.text() == text) return;
    Proposal proposal =
        change_of(subscript, index.span(), std::string(text), weight * fit,
                  fmt::format("index `{}` by {} instead of {}",
                              brief(subscript.field("value").text()), text, brief(index.text())));
    proposal.repeatable = true;
    out.add(std::move(proposal));
  };
  const std::vector<LoopName> names = loop_names(subscript);
  for (std::size_t i = 0; i < names.size() && i < 3; ++i) {
    propose(names[i].text, names[i].counts ? 0.8 : 0.2);
  }
  if (index.is("unary_operator")) {
    propose("0", 0.5);
    propose(index.text() == "-1" ? "-2" : "-1", 0.5);
    propose("1", 0.2);
    return;
  }
  const std::string_view text = index.text();
  int value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size() || value > 1'000'000) return;
  propose(std::to_string(value + 1), value <= 1 ? 0.7 : 0.45);
  if (value > 0) propose(std::to_string(value - 1), value <= 1 ? 0.7 : 0.45);
  propose("-1", 0.45);
  propose("0", 0.3);
}

void change_name(const Node& subscript, const Node& index, const Context& context, Proposals& out) {
  const double fit = symptom_fit(context, subscript);
  const std::size_t end = index.span().end;
  for (const auto& [step, weight] :
       {std::pair<std::string_view, double>{" - 1", 0.25}, {" + 1", 0.25}}) {
    Proposal proposal = change_of(subscript, {end, end}, std::string(step), weight * fit,
                                  fmt::format("index by `{}{}`", brief(index.text()), step));
    proposal.repeatable = true;
    out.add(std::move(proposal));
  }
}

void change_slice(const Node& subscript, const Node& slice, const Context& context,
                  Proposals& out) {
  const double fit = symptom_fit(context, subscript);
  const auto propose = [&](Span span, std::string text, double weight) {
    std::string after(slice.text());
    after.replace(span.begin - slice.span().begin, span.size(), text);
    Proposal proposal =
        change_of(subscript, span, std::move(text), weight * fit,
                  fmt::format("slice `[{}]` instead of `[{}]`", brief(after), brief(slice.text())));
    proposal.repeatable = true;
    out.add(std::move(proposal));
  };
  Node first;
  Node last;
  int colons = 0;
  for (const Node& part : slice.all_children()) {
    if (part.is(":")) {
      ++colons;
    } else if (part.named() && !part.is("comment") && colons < 2) {
      (colons == 0 ? first : last) = part;
    }
  }
  const auto shift = [&](const Node& bound, double weight) {
    if (bound.is("integer") && bound.text() == "0") {
      propose(bound.span(), "1", weight);
    } else if (bound.is("integer") && bound.text() == "1") {
      propose(bound.span(), "2", weight);
      propose(bound.span(), "0", weight);
    } else if (bound.is("unary_operator") && bound.text() == "-1") {
      propose(bound.span(), "-2", weight);
    } else {
      const std::size_t end = bound.span().end;
      // That an end is not part of the slice is what gets forgotten.
      propose({end, end}, " + 1", weight);
      propose({end, end}, " - 1", weight * 0.98);
    }
    propose(bound.span(), "", 0.3);
  };
  if (first) shift(first, 0.35);
  if (last) shift(last, 0.4);
  const std::size_t begin = slice.span().begin;
  if (!first) propose({begin, begin}, "1", 0.25);
  if (!last && colons == 1) propose({slice.span().end, slice.span().end}, "-1", 0.25);
  // `x[:n]` and `x[n:]`: the other part.
  if (colons == 1 && first.null() != last.null()) {
    const Node bound = first ? first : last;
    const std::string text(bound.text());
    propose(slice.span(), first ? ":" + text : text + ":", 0.4);
  }
}

void rewrite(const Match& match, const Context& context, Proposals& out) {
  const Node subscript = match["subscript"];
  const Node index = match["index"];
  if (subscript.ancestor({"type"})) return;
  if (index.is("slice")) {
    change_slice(subscript, index, context, out);
  } else if (index.is("integer") ||
             (index.is("unary_operator") && index.field("argument").is("integer"))) {
    change_number(subscript, index, context, out);
  } else if (index.is("identifier") || index.is("attribute")) {
    // A name may be a key: only what is counted has a next one.
    const SeenValue* seen = context.seen(index);
    bool counted = seen != nullptr && seen->type == "int";
    for (const LoopName& name : loop_names(subscript)) {
      counted = counted || (name.counts && name.text == index.text());
    }
    if (counted && (seen == nullptr || seen->type == "int")) {
      change_name(subscript, index, context, out);
    }
  }
}

}  // namespace

extern constinit const Template k_change_index = {
    .id = "change-index",
    .family = Family::arithmetic,
    .summary = "Change an index or a slice's bounds.",
    .language = Language::python,
    .query = "(subscript subscript: (_) @index) @subscript",
    .prior = 0.7,
    .answers = answers::attribute_error | answers::index_error,
    .rewrite = rewrite,
};
}  // namespace tenline::templates
