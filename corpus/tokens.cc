#include "corpus/tokens.h"

#include <algorithm>
#include <cctype>

#include "engine/syntax/normal_form.h"

namespace tenline::corpus {

namespace {

bool is_word(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c < 0;
}

TokenSum hash(std::string_view token) {
  TokenSum value = 0xcbf29ce484222325ULL;
  for (const char c : token) {
    value = (value ^ static_cast<unsigned char>(c)) * 0x100000001b3ULL;
  }
  value ^= value >> 32U;  // Sums of plain FNV values have patterns.
  value *= 0x9e3779b97f4a7c15ULL;
  return value ^ (value >> 29U);
}

/// The end of the string literal whose first quote is at `at`, and its content.
std::size_t end_of_string(std::string_view text, std::size_t at, std::string_view& content) {
  const char quote = text[at];
  const bool triple = text.substr(at, 3) == std::string(3, quote);
  const std::string_view closing = text.substr(at, triple ? 3 : 1);
  std::size_t i = at + closing.size();
  const std::size_t begin = i;
  while (i < text.size() && text.substr(i, closing.size()) != closing) {
    i += text[i] == '\\' ? 2U : 1U;
  }
  i = std::min(i, text.size());
  content = text.substr(begin, i - begin);
  return std::min(i + closing.size(), text.size());
}

template <class Take>
void lex(std::string_view text, Take&& take) {
  for (std::size_t i = 0; i < text.size();) {
    const char c = text[i];
    if (c == '#') {
      i = std::min(text.find('\n', i), text.size());
    } else if (c == '"' || c == '\'') {
      std::string_view content;
      i = end_of_string(text, i, content);
      take("\"", content);
    } else if (is_word(c)) {
      std::size_t end = i;
      while (end < text.size() && is_word(text[end])) ++end;
      const std::string_view word = text.substr(i, end - i);
      i = end;
      const bool prefix = end < text.size() && (text[end] == '"' || text[end] == '\'') &&
                          word.size() <= 2 &&
                          word.find_first_not_of("rRbBuUfF") == std::string_view::npos;
      if (prefix) continue;  // The tree tells prefixes apart.
      if (word == "elif") {
        take("", "else");
        take("", "if");
      } else {
        take("", word);
      }
    } else {
      if (std::string_view("()[]{},:;\\ \t\r\n").find(c) == std::string_view::npos) {
        take("", text.substr(i, 1));
      }
      ++i;
    }
  }
}

/// The places of a file that count as one: what has no children, whole strings and comments; with
/// false for those that count nothing.
void collect_leaves(const Tree& tree, std::vector<std::pair<Span, bool>>& leaves) {
  tree.root().walk([&](const Node& node) {
    if (node.is("comment")) {
      leaves.emplace_back(node.span(), false);
      return false;
    }
    if (node.is("string")) {
      const Node statement =
          node.parent().is("concatenated_string") ? node.parent().parent() : node.parent();
      const bool counts = !statement.is("expression_statement") || !is_docstring(statement);
      leaves.emplace_back(node.span(), counts);
      return false;
    }
    std::vector<Node> children;
    node.append_children(children);
    if (children.empty() && node.span().size() > 0) leaves.emplace_back(node.span(), true);
    return true;
  });
}

}  // namespace

TokenSum token_sum(std::string_view text) {
  TokenSum sum = 0;
  lex(text, [&](std::string_view mark, std::string_view token) {
    sum += mark.empty() ? hash(token) : hash(std::string(mark) + std::string(token));
  });
  return sum;
}

std::vector<std::string> tokens(std::string_view text) {
  std::vector<std::string> list;
  lex(text, [&](std::string_view mark, std::string_view token) {
    list.push_back(std::string(mark) + std::string(token));
  });
  return list;
}

FileTokens::FileTokens(const Tree& tree) : source_(&tree.source()) {
  std::vector<std::pair<Span, bool>> leaves;
  collect_leaves(tree, leaves);
  TokenSum sum = 0;
  for (const auto& [span, counts] : leaves) {
    leaves_.push_back(span);
    sums_.push_back(sum);
    if (counts) sum += token_sum(std::string_view(*source_).substr(span.begin, span.size()));
  }
  sums_.push_back(sum);
}

TokenSum FileTokens::change(const std::vector<Edit>& edits) const {
  const std::string_view source = *source_;
  TokenSum change = 0;
  for (std::size_t i = 0; i < edits.size();) {
    // From the first leaf that the edit touches to the last one: together they are new tokens.
    std::string text;
    Span range = edits[i].span;
    const auto first = std::partition_point(leaves_.begin(), leaves_.end(),
                                            [&](Span s) { return s.end < range.begin; });
    if (first != leaves_.end()) range.begin = std::min(range.begin, first->begin);
    std::size_t at = range.begin;
    auto last = first;
    do {
      text += source.substr(at, edits[i].span.begin - at);
      text += edits[i].text;
      at = edits[i].span.end;
      last = std::partition_point(last, leaves_.end(), [&](Span s) { return s.begin <= at; });
      range.end = last == first ? at : std::max(at, (last - 1)->end);
      ++i;
    } while (i < edits.size() && edits[i].span.begin <= range.end);
    text += source.substr(at, range.end - at);
    change += token_sum(text) - (sums_[static_cast<std::size_t>(last - leaves_.begin())] -
                                 sums_[static_cast<std::size_t>(first - leaves_.begin())]);
  }
  return change;
}

}  // namespace tenline::corpus
