// The runtime compiles by recursion and follows every way to match: repetitions and many optional
// parts make the number of ways explode, inside of one call that nothing can interrupt.

#include "templates/user_query.h"

#include <fmt/format.h>

namespace tenline::templates {

namespace {

constexpr std::size_t k_most_bytes = 2000;
constexpr int k_deepest = 24;
constexpr int k_most_optional = 4;

/// The end of the string or comment that begins at an offset; the offset where none does.
std::size_t skip_quoted(std::string_view query, std::size_t at) {
  if (query[at] == ';') return std::min(query.find('\n', at), query.size());
  if (query[at] != '"') return at;
  for (++at; at < query.size() && query[at] != '"'; ++at) {
    if (query[at] == '\\') ++at;
  }
  return std::min(at + 1, query.size());
}

std::optional<QueryProblem> problem_of_shape(std::string_view query) {
  int depth = 0;
  int optional = 0;
  for (std::size_t at = 0; at < query.size();) {
    if (const std::size_t end = skip_quoted(query, at); end > at) {
      at = end;
      continue;
    }
    const char c = query[at];
    if (c == '*' || c == '+')
      return QueryProblem{at, fmt::format("the repetition {} is not allowed", c)};
    if (c == '#') return QueryProblem{at, "predicates are written as constraints"};
    if (c == '?' && ++optional > k_most_optional) {
      return QueryProblem{at,
                          fmt::format("there are more than {} optional parts", k_most_optional)};
    }
    if (c == '(' || c == '[') ++depth;
    if (c == ')' || c == ']') --depth;
    if (depth > k_deepest) return QueryProblem{at, "it is nested too deep"};
    ++at;
  }
  return std::nullopt;
}

}  // namespace

std::optional<QueryProblem> problem_of_user_query(std::string_view query) {
  if (query.size() > k_most_bytes) {
    return QueryProblem{0, fmt::format("it has more than {} bytes", k_most_bytes)};
  }
  if (auto problem = problem_of_shape(query)) return problem;
  return problem_of_query(Language::python, query);
}

}  // namespace tenline::templates
