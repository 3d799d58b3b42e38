// A patch that passes the check can still be wrong. Those that take away what complained are the
// usual wrong ones (Qi et al., "An analysis of patch plausibility and correctness", ISSTA 2015), so
// whole kinds of edits cost score; none is forbidden, since developers make each of them too.

#include "engine/core/rank.h"

#include <algorithm>
#include <array>
#include <string_view>
#include <tuple>

#include "engine/base/text.h"

namespace tenline {

namespace {

/// The words of code with strings and comments left out: `return`, `except`, `:` and so on.
std::vector<std::string_view> tokens(std::string_view code) {
  std::vector<std::string_view> found;
  const auto is_word = [](char c) {
    return c == '_' || (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
  };
  for (std::size_t at = 0; at < code.size();) {
    std::size_t end = at + 1;
    if (code[at] == '#') {
      end = std::min(code.find('\n', at), code.size());
    } else if (code[at] == '"' || code[at] == '\'') {
      while (end < code.size() && code[end] != code[at]) end += code[end] == '\\' ? 2U : 1U;
      end = std::min(end + 1, code.size());
    } else if (is_word(code[at])) {
      while (end < code.size() && is_word(code[end])) ++end;
      found.push_back(code.substr(at, end - at));
    } else if (trim(code.substr(at, 1)) == code.substr(at, 1)) {
      found.push_back(code.substr(at, 1));
    }
    at = end;
  }
  return found;
}

bool is_string_literal(std::string_view code) {
  code = trim(code);
  while (!code.empty() &&
         std::string_view("rRbBfFuU").find(code.front()) != std::string_view::npos) {
    code.remove_prefix(1);
  }
  if (code.empty() || (code.front() != '"' && code.front() != '\'')) return false;
  return tokens(code).empty();
}

bool has(const std::vector<std::string_view>& words, std::string_view word) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

/// `and False`, `or True`, `if True`, `while False`, `if not True`: the condition's value is fixed.
bool has_constant_condition(const std::vector<std::string_view>& words) {
  constexpr std::array<std::string_view, 5> k_before = {"if", "elif", "while", "and", "or"};
  for (std::size_t i = 0; i + 1 < words.size(); ++i) {
    if (std::find(k_before.begin(), k_before.end(), words[i]) == k_before.end()) continue;
    const std::size_t value = words[i + 1] == "not" ? i + 2 : i + 1;
    if (value >= words.size()) continue;
    const bool ends = value + 1 == words.size() || words[value + 1] == ":" ||
                      words[value + 1] == ")" || words[value + 1] == "and" ||
                      words[value + 1] == "or";
    const bool constant = words[value] == "True" || words[value] == "False" ||
                          words[value] == "0" || words[value] == "1";
    if (ends && constant) return true;
  }
  return false;
}

/// A `return`, `continue` or `break` without a value, or a statement made `pass`.
bool has_bare_exit(std::string_view code) {
  for (std::string_view line : split_lines(code)) {
    line = trim(line);
    // The body of a one-line `if x: return`.
    if (const std::size_t colon = line.rfind(": "); colon != std::string_view::npos) {
      line = trim(line.substr(colon + 2));
    }
    for (const std::string_view word : {"return", "return None", "continue", "break", "pass"}) {
      if (line == word) return true;
    }
  }
  return false;
}

/// `**kwargs` and nothing else, added to a signature: the call passes, its arguments are lost.
bool takes_any_argument(std::string_view id, const std::vector<std::string_view>& words) {
  if (id != "default-value" && id != "change-parameter") return false;
  return has(words, "*") && std::all_of(words.begin(), words.end(), [](std::string_view word) {
           return word == "*" || word == "," || word == "args" || word == "kwargs";
         });
}

double factor(Suspicion suspected) {
  switch (suspected) {
    case Suspicion::none:
      return 1.0;
    case Suspicion::changes_text_only:
      return 0.8;
    case Suspicion::leaves_early:
      return 0.7;
    case Suspicion::ignores_arguments:
    case Suspicion::moves_code:
    case Suspicion::removes_code:
      return 0.5;
    case Suspicion::swallows_exception:
      return 0.4;
    case Suspicion::fixes_condition:
      return 0.3;
  }
  return 1.0;
}

}  // namespace

Suspicion suspicion(const Candidate& candidate) {
  if (candidate.edits.empty()) return Suspicion::none;
  bool only_removes = true;
  bool only_text = true;
  std::string text;
  for (const Edit& edit : candidate.edits) {
    only_removes = only_removes && edit.span.size() > 0 && trim(edit.text).empty();
    only_text = only_text && edit.span.size() > 0 && is_string_literal(edit.text);
    text += edit.text;
    text += '\n';
  }
  const std::string_view id = candidate.template_id;
  if (only_removes || id.starts_with("delete-") || id.starts_with("remove-") ||
      id.starts_with("drop-")) {
    return Suspicion::removes_code;
  }
  const std::vector<std::string_view> words = tokens(text);
  if (has(words, "except") || has(words, "suppress")) return Suspicion::swallows_exception;
  if (has_constant_condition(words)) return Suspicion::fixes_condition;
  if (candidate.edits.size() == 1 && words.size() == 1 &&
      (words[0] == "True" || words[0] == "False") &&
      id.find("condition") != std::string_view::npos) {
    return Suspicion::fixes_condition;
  }
  if (takes_any_argument(id, words)) return Suspicion::ignores_arguments;
  if (id.starts_with("move-")) return Suspicion::moves_code;
  if (has_bare_exit(text)) return Suspicion::leaves_early;
  return only_text ? Suspicion::changes_text_only : Suspicion::none;
}

bool is_convincing(const Candidate& candidate) {
  constexpr double k_least = 0.7;
  return factor(suspicion(candidate)) >= k_least;
}

double guarded_score(const Candidate& candidate) {
  const double f = factor(suspicion(candidate));
  // A score below zero is a logarithm or a cost; a penalty must still make it smaller.
  return candidate.score >= 0 ? candidate.score * f : candidate.score / f;
}

void rank(std::vector<CheckedCandidate>& candidates) {
  const auto key = [](const CheckedCandidate& c) {
    const bool tested = c.verdict.level >= Level::e2 && suspicion(c.candidate) == Suspicion::none;
    return std::tuple(tested ? 0 : 1, -guarded_score(c.candidate), c.candidate.changed_lines,
                      c.position);
  };
  std::stable_sort(candidates.begin(), candidates.end(),
                   [&](const auto& a, const auto& b) { return key(a) < key(b); });
}

}  // namespace tenline
