#include "templates/python/arguments.h"

#include <algorithm>
#include <map>
#include <set>

#include "engine/base/text.h"
#include "templates/python/edits.h"
#include "templates/python/known_keywords.h"

namespace tenline::templates {

namespace {

/// Where the element before a gap ends, the opening bracket for the first.
Span left_of(const Node& list, const std::vector<Node>& elements, std::size_t before) {
  const std::size_t begin = list.span().begin;
  return before == 0 ? Span{begin, begin + 1} : elements[before - 1].span();
}

Span right_of(const Node& list, const std::vector<Node>& elements, std::size_t before) {
  const std::size_t end = list.span().end;
  return before == elements.size() ? Span{end - 1, end} : elements[before].span();
}

int line_of(const Node& list, std::size_t at) {
  const std::string& source = list.source();
  const auto begin = source.begin() + static_cast<std::ptrdiff_t>(list.span().begin);
  const auto end = source.begin() + static_cast<std::ptrdiff_t>(at);
  return list.line() + static_cast<int>(std::count(begin, end, '\n'));
}

/// The blanks at the start of the line on which a byte stands, if nothing else comes before it.
std::string blanks_before(const std::string& source, std::size_t at) {
  std::size_t begin = at;
  while (begin > 0 && (source[begin - 1] == ' ' || source[begin - 1] == '\t')) --begin;
  if (begin > 0 && source[begin - 1] != '\n') return "";
  return source.substr(begin, at - begin);
}

Node comma_behind(const Node& list, const Node& element) {
  const std::vector<Node> all = list.all_children();
  const auto self = std::find(all.begin(), all.end(), element);
  if (self == all.end() || std::next(self) == all.end() || !std::next(self)->is(",")) return {};
  return *std::next(self);
}

std::vector<Change> appended(const Node& list, const std::vector<Node>& elements,
                             std::string_view element) {
  const Node last = elements.back();
  const std::string& source = list.source();
  const std::string blanks = blanks_before(source, last.span().begin);
  const Node comma = comma_behind(list, last);
  const bool own_line = !blanks.empty();
  const std::string separator = own_line ? line_end(list) + blanks : std::string(" ");
  if (!comma) {
    const std::size_t end = last.span().end;
    const std::size_t rest = source.find_first_not_of(" \t", end);
    if (own_line && rest != std::string::npos && source[rest] == '#') {
      const std::size_t next = end_of_line(last);
      return {{{end, end}, ","}, {{next, next}, separator + std::string(element)}};
    }
    return {{{end, end}, fmt::format(",{}{}", separator, element)}};
  }
  // Behind a comment that follows the comma.
  const std::size_t end = own_line && line_of(list, comma.span().end) < list.end_line()
                              ? end_of_line(comma)
                              : comma.span().end;
  return {{{end, end}, fmt::format("{}{},", separator, element)}};
}

}  // namespace

std::vector<ArgumentGap> gaps_of(const Node& list, std::size_t first, std::size_t last,
                                 const Context& context) {
  const std::vector<Node> elements = list.children();
  std::vector<ArgumentGap> gaps;
  for (std::size_t i = first; i <= last && i <= elements.size(); ++i) {
    const int above = line_of(list, left_of(list, elements, i).end);
    const int below = line_of(list, right_of(list, elements, i).begin);
    const bool after_meant = context.line_score(above) > 0;
    const bool before_meant = context.line_score(below) > 0;
    double weight = 0.02;
    if (above == below) {
      weight = after_meant ? 0.5 : 0.02;
    } else if (after_meant && before_meant) {
      weight = 1;
    } else if (after_meant || before_meant) {
      weight = 0.25;
    }
    gaps.push_back({i, weight});
  }
  return gaps;
}

std::vector<Change> inserted(const Node& list, std::size_t before, std::string_view element) {
  const std::vector<Node> elements = list.children();
  if (elements.empty()) {
    const std::size_t begin = list.span().begin + 1;
    return {{{begin, begin}, std::string(element)}};
  }
  if (before >= elements.size()) return appended(list, elements, element);
  const std::size_t begin = elements[before].span().begin;
  const std::string blanks = blanks_before(list.source(), begin);
  const std::string separator = blanks.empty() ? std::string(" ") : line_end(list) + blanks;
  return {{{begin, begin}, fmt::format("{},{}", element, separator)}};
}

bool is_positional(const Node& argument) {
  return !argument.is("keyword_argument") && !is_spread(argument);
}

bool is_spread(const Node& argument) {
  return argument.is("list_splat") || argument.is("dictionary_splat");
}

std::size_t positional_count(const std::vector<Node>& arguments) {
  const auto end = std::find_if(arguments.begin(), arguments.end(),
                                [](const Node& n) { return !is_positional(n); });
  return static_cast<std::size_t>(end - arguments.begin());
}

bool is_named(const Parameter& parameter) {
  return parameter.kind == ParameterKind::normal || parameter.kind == ParameterKind::keyword_only;
}

bool accepts(const PythonFunction& callee, std::string_view keyword) {
  return std::any_of(callee.parameters.begin(), callee.parameters.end(), [&](const Parameter& p) {
    return p.kind == ParameterKind::double_star || (is_named(p) && p.name == keyword);
  });
}

std::vector<const PythonFunction*> callees(const Node& call, const Context& context) {
  if (const PythonFunction* known = context.callee(call)) return {known};
  constexpr std::size_t k_most = 8;
  std::vector<const PythonFunction*> found;
  const bool method = call.field("function").is("attribute");
  const std::string_view name = called_name(call);
  if (!is_identifier(name)) return found;
  for (const PythonFunction& function : context.index().functions(name)) {
    if (!method && !function.class_name.empty()) continue;
    found.push_back(&function);
  }
  if (found.size() > k_most) found.clear();
  return found;
}

std::vector<Keyword> missing_keywords(const Node& call, const Context& context) {
  const std::vector<Node> arguments = call.field("arguments").children();
  const std::size_t by_position = positional_count(arguments);
  std::set<std::string, std::less<>> given;
  bool spread = false;
  for (const Node& argument : arguments) {
    if (argument.is("keyword_argument")) given.emplace(argument.field("name").text());
    if (argument.is("identifier")) given.emplace(argument.text());
    spread = spread || argument.is("list_splat");
  }
  std::map<std::string, Keyword, std::less<>> found;
  const auto add = [&](std::string_view name, double weight) -> Keyword& {
    Keyword& keyword = found.try_emplace(std::string(name)).first->second;
    keyword.name = name;
    keyword.weight = std::max(keyword.weight, weight);
    return keyword;
  };
  const std::vector<const PythonFunction*> signatures = callees(call, context);
  for (const PythonFunction* signature : signatures) {
    for (std::size_t i = 0; i < signature->parameters.size(); ++i) {
      const Parameter& parameter = signature->parameters[i];
      const bool taken = parameter.kind == ParameterKind::normal && i < by_position && !spread;
      if (!is_named(parameter) || taken) continue;
      const double sure = signatures.size() == 1 ? 1 : 0.5;
      Keyword& keyword = add(parameter.name, sure * (parameter.has_default ? 0.6 : 0.8));
      if (keyword.order == 0) keyword.order = i + 1;
      if (keyword.fallback.empty()) keyword.fallback = parameter.default_text;
    }
  }
  const std::string_view callee = called_name(call);
  int calls = 0;
  const std::map<std::string, int>& used = context.index().call_keywords(callee);
  for (const auto& [name, count] : used) calls = std::max(calls, count);
  for (const auto& [name, count] : used) {
    const double share = static_cast<double>(count) / calls;
    add(name, (signatures.empty() ? 0.3 : 0.1) + 0.3 * share);
  }
  for (const std::string_view name : known_keywords(callee)) add(name, 0.4);
  if (const Node function = enclosing_function(call)) {
    const bool takes_any = std::any_of(signatures.begin(), signatures.end(), [](const auto* s) {
      return accepts(*s, "");  // `**kwargs`
    });
    for (const Parameter& parameter : parameters_of(function)) {
      if (!is_named(parameter) || parameter.name == "self" || parameter.name == "cls") continue;
      const bool unread = !is_read(function, parameter.name);
      const double open = signatures.empty() || takes_any ? 1 : 0.05;
      add(parameter.name, open * (unread ? 0.6 : 0.08));
    }
  }
  std::vector<Keyword> keywords;
  for (auto& [name, keyword] : found) {
    if (!given.contains(name)) keywords.push_back(std::move(keyword));
  }
  std::stable_sort(keywords.begin(), keywords.end(),
                   [](const Keyword& a, const Keyword& b) { return a.weight > b.weight; });
  constexpr std::size_t k_most = 40;
  if (keywords.size() > k_most) keywords.resize(k_most);
  return keywords;
}

std::string_view last_name(const Node& expression) {
  if (expression.is("attribute")) return expression.field("attribute").text();
  if (expression.is("call")) return called_name(expression);
  return expression.is("identifier") ? expression.text() : std::string_view{};
}

bool is_meant(const Node& node, const Context& context) {
  for (int line = node.line(); line <= node.end_line(); ++line) {
    if (context.line_score(line) > 0) return true;
  }
  return false;
}

std::vector<Proposal> heaviest(std::vector<Proposal> proposals, std::size_t most) {
  constexpr double k_lightest = 0.004;  // No fix was among some ten thousand lighter ones.
  std::erase_if(proposals, [](const Proposal& proposal) { return proposal.weight < k_lightest; });
  if (proposals.size() <= most) return proposals;
  std::stable_sort(proposals.begin(), proposals.end(),
                   [](const Proposal& a, const Proposal& b) { return a.weight > b.weight; });
  proposals.resize(most);
  return proposals;
}

}  // namespace tenline::templates
