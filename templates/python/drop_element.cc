// An element of a list, tuple, set, dictionary, class header or import goes, or a decorator.

#include <algorithm>

#include "templates/python/edits.h"

namespace tenline::templates {
namespace {

/// The told elements next to each other from this one on, at most `most`.
std::vector<Node> run_from(const Node& element, const Context& context, std::size_t most) {
  std::vector<Node> run = {element};
  for (Node next = element.next_sibling(); next && run.size() < most; next = next.next_sibling()) {
    if (next.is("comment")) continue;
    if (context.line_score(next.line()) <= 0) break;
    run.push_back(next);
  }
  return run;
}

void drop_run(const std::vector<Node>& run, double weight, Proposals& out) {
  const Change first = removal_of(run.front());
  const Change last = removal_of(run.back());
  Change change = first;
  change.span.end = std::max(first.span.end, last.span.end);
  if (last.span.begin < change.span.begin) return;
  // Where the last element of all goes, the comma before the first goes with it.
  const std::string summary =
      run.size() == 1
          ? fmt::format("drop `{}`", brief(run.front().text()))
          : fmt::format("drop `{}` and {} more", brief(run.front().text()), run.size() - 1);
  out.add({{change}, run.front(), weight, summary, false});
}

void drop_decorator(const Node& decorator, Proposals& out) {
  const std::size_t begin = decorator.span().begin - indentation(decorator).size();
  const std::size_t end = decorator.source().find('\n', decorator.span().end);
  if (end == std::string::npos) return;
  out.add(change_of(decorator, {begin, end + 1}, "", 0.5,
                    fmt::format("drop `{}`", brief(decorator.text()))));
}

void rewrite(const Match& match, const Context& context, Proposals& out) {
  const Node element = match["element"];
  if (element.is("comment")) return;
  const Node list = element.parent();
  if (context.line_score(element.line()) <= 0) return;
  if (element.is("decorator")) return drop_decorator(element, out);
  const bool import = list.is("import_from_statement");
  if (import && list.field("module_name") == element) return;
  if (list.children().size() < (import ? 3 : 2)) return;
  const bool own_line = element.line() != list.line() && element.end_line() != list.end_line();
  const double weight = own_line ? 0.6 : 0.25;
  constexpr std::size_t k_longest_run = 6;
  const std::vector<Node> run = run_from(element, context, k_longest_run);
  drop_run({element}, weight, out);
  if (run.size() > 1 && own_line && run.size() < list.children().size()) {
    drop_run(run, weight * 0.7, out);
  }
}

}  // namespace

extern constinit const Template k_drop_element = {
    .id = "drop-element",
    .family = Family::other,
    .summary = "Drop an element of a list, dictionary, class header or import, or a decorator.",
    .language = Language::python,
    .query =
        "[(list (_) @element) (tuple (_) @element) (set (_) @element) (dictionary (_) @element)"
        " (class_definition superclasses: (argument_list (_) @element))"
        " (import_from_statement name: (_) @element) (decorator) @element]",
    .prior = 0.3,
    .rewrite = rewrite,
};
}  // namespace tenline::templates
