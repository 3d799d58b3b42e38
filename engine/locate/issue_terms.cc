#include "engine/locate/issue_terms.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "engine/base/text.h"

namespace tenline {

namespace {

constexpr std::size_t k_most_words = 2000;

bool is_stop_word(std::string_view word) {
  constexpr std::array<std::string_view, 110> k_words = {
      "a",      "about",  "after",  "all",       "also",      "am",       "an",     "and",
      "any",    "are",    "as",     "assert",    "assertion", "at",       "be",     "because",
      "been",   "before", "both",   "bug",       "but",       "by",       "call",   "called",
      "can",    "cannot", "code",   "could",     "def",       "did",      "do",     "does",
      "else",   "error",  "even",   "exception", "expect",    "expected", "fail",   "fails",
      "false",  "file",   "for",    "from",      "get",       "gets",     "give",   "given",
      "gives",  "got",    "had",    "has",       "have",      "here",     "how",    "i",
      "if",     "import", "in",     "instead",   "into",      "is",       "issue",  "it",
      "its",    "just",   "like",   "line",      "main",      "me",       "my",     "no",
      "none",   "not",    "now",    "of",        "on",        "only",     "or",     "other",
      "output", "py",     "python", "raise",     "raises",    "repro",    "return", "returns",
      "run",    "s",      "self",   "should",    "so",        "still",    "t",      "than",
      "that",   "the",    "then",   "there",     "this",      "to",       "true",   "use",
      "was",    "when",   "which",  "with",      "without",   "work"};
  static_assert(std::is_sorted(k_words.begin(), k_words.end()));
  return std::binary_search(k_words.begin(), k_words.end(), word);
}

}  // namespace

IssueTerms::IssueTerms(const BugReport& report, const FailureException* failure) {
  for (const std::string& name : report.names) names_.insert(name);
  for (const Traceback& traceback : report.tracebacks) {
    if (!traceback.exception_type.empty()) {
      exception_types_.emplace(last_part(traceback.exception_type));
    }
    read_signature_error(traceback.message);
  }
  for (const Traceback& error : report.errors) {
    exception_types_.emplace(last_part(error.exception_type));
    read_signature_error(error.message);
  }
  const auto add_word = [&](const std::string& word) {
    if (word.size() < 2 || words_.size() >= k_most_words || is_stop_word(word)) return;
    words_.push_back(word);
    word_set_.insert(word);
  };
  for (const std::string& word : report.words) add_word(word);
  if (failure == nullptr) return;
  read_signature_error(failure->message);
  for (const std::string_view identifier : identifiers_in(failure->message)) {
    // Python writes the names of a program as 'name' and name().
    const char* end = identifier.data() + identifier.size();
    const bool inside = end < failure->message.data() + failure->message.size();
    if (inside && (*end == '\'' || *end == '(')) names_.emplace(identifier);
    for (const std::string& word : identifier_words(identifier)) add_word(word);
  }
}

void IssueTerms::read_signature_error(std::string_view message) {
  constexpr std::array<std::string_view, 4> k_refusals = {"() missing ", "() got an unexpected ",
                                                          "() takes ", "() got multiple values "};
  for (const std::string_view refusal : k_refusals) {
    const std::size_t at = message.find(refusal);
    if (at == std::string_view::npos) continue;
    const std::vector<std::string_view> before = identifiers_in(message.substr(0, at));
    if (!before.empty()) miscalled_.emplace(before.back());
  }
}

bool IssueTerms::names_method(const SourceFunction& function) const {
  return !function.class_name.empty() && names(function.class_name) && names(function.short_name());
}

double IssueTerms::overlap(std::string_view statement) const {
  std::set<std::string_view> seen;
  std::set<std::string> seen_words;
  int exact = 0;
  for (const std::string_view identifier : identifiers_in(statement.substr(0, 4096))) {
    if (!seen.insert(identifier).second) continue;
    if (names(identifier)) ++exact;
    for (std::string& word : identifier_words(identifier)) {
      if (word_set_.contains(word)) seen_words.insert(std::move(word));
    }
  }
  return 1 - std::pow(0.6, exact) * std::pow(0.85, static_cast<double>(seen_words.size()));
}

}  // namespace tenline
