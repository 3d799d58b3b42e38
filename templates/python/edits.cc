#include "templates/python/edits.h"

#include <algorithm>
#include <cmath>

#include "engine/base/text.h"

namespace tenline::templates {

double fit_of_name(const Context& context, std::string_view old_name, std::string_view new_name) {
  const double similarity = name_similarity(old_name, new_name);
  double fit = 0.03 + std::pow(similarity, 3);
  if (context.in_issue(new_name)) fit += 0.25;
  // Calls and classes are rarely meant where a plain variable stands, and the other way round.
  const auto is_type = [](std::string_view name) {
    return !name.empty() && name.front() >= 'A' && name.front() <= 'Z';
  };
  if (is_type(old_name) != is_type(new_name)) fit *= 0.3;
  return fit;
}

Proposal change_of(const Node& anchor, Span span, std::string text, double weight,
                   std::string summary) {
  return {{{span, std::move(text)}}, anchor, weight, std::move(summary), false};
}

std::string in_parentheses(const Node& expression) {
  static const std::vector<std::string_view> k_tight = {"identifier",
                                                        "attribute",
                                                        "call",
                                                        "subscript",
                                                        "integer",
                                                        "float",
                                                        "string",
                                                        "true",
                                                        "false",
                                                        "none",
                                                        "parenthesized_expression",
                                                        "list",
                                                        "tuple",
                                                        "dictionary",
                                                        "set"};
  const bool tight = std::find(k_tight.begin(), k_tight.end(), expression.kind()) != k_tight.end();
  return tight ? std::string(expression.text()) : fmt::format("({})", expression.text());
}

bool is_plain(const Node& expression) {
  if (expression.is("identifier")) return true;
  if (expression.is("attribute")) return is_plain(expression.field("object"));
  if (!expression.is("subscript")) return false;
  const Node index = expression.field("subscript");
  return is_plain(expression.field("value")) &&
         (index.is("identifier") || index.is("integer") || index.is("string"));
}

std::vector<Node> dereferenced(const Node& node) {
  std::vector<Node> found;
  const auto add = [&](const Node& expression) {
    const auto same = [&](const Node& other) { return other.text() == expression.text(); };
    if (found.size() < 8 && is_plain(expression) && expression.text() != "self" &&
        std::none_of(found.begin(), found.end(), same)) {
      found.push_back(expression);
    }
  };
  node.walk([&](const Node& at) {
    if (at.is("block") || at.is("lambda") || at.is("string")) return at.is("string");
    if (at.is("attribute")) {
      add(at.field("object"));
    } else if (at.is("subscript")) {
      add(at.field("value"));
    } else if (at.is("for_statement") || at.is("for_in_clause")) {
      add(at.field("right"));
    } else if (at.is("binary_operator") || at.is("comparison_operator")) {
      for (const Node& operand : at.children()) add(operand);
    } else if (at.is("argument_list")) {
      for (const Node& argument : at.children()) add(argument);
    }
    return true;
  });
  return found;
}

std::string indented(const Node& statement, std::string_view extra) {
  std::string text;
  for (const char c : statement.text()) {
    text += c;
    if (c == '\n') text += extra;
  }
  return text;
}

std::string indent_step(const Node& node) {
  const std::string inner = indentation(enclosing_statement(node));
  if (inner.find('\t') != std::string::npos) return "\t";
  const Node outer = enclosing_statement(enclosing_statement(node).parent());
  const std::string outside = outer ? indentation(outer) : std::string{};
  if (inner.size() > outside.size() && inner.starts_with(outside)) {
    return inner.substr(outside.size());
  }
  return "    ";
}

std::string line_end(const Node& node) {
  return node.source().find("\r\n") == std::string::npos ? "\n" : "\r\n";
}

std::string brief(std::string_view text) {
  constexpr std::size_t k_most = 60;
  std::string line;
  for (const char c : text) {
    const bool blank = c == ' ' || c == '\n' || c == '\t' || c == '\r';
    if (blank && line.ends_with(' ')) continue;
    line += blank ? ' ' : c;
  }
  if (line.size() <= k_most) return line;
  std::size_t end = k_most - 3;
  while (end > 0 && (static_cast<unsigned char>(line[end]) & 0xC0U) == 0x80U) --end;
  return line.substr(0, end) + "...";
}

Node operator_of(const Node& operation) {
  if (const Node named = operation.field("operator")) return named;
  const std::vector<Node> operators = operation.fields("operators");
  return operators.empty() ? Node{} : operators.front();
}

}  // namespace tenline::templates
