// A literal is replaced by another one: a near miss among the file's and the issue's strings, the
// neighbour of a number, the other truth value; or by the name that it should have been.

#include <algorithm>
#include <charconv>

#include "engine/base/text.h"
#include "templates/python/edits.h"
#include "templates/python/test_pool.h"

namespace tenline::templates {
namespace {

constexpr std::size_t k_most_choices = 10;

/// A text that may stand between any quotes unescaped.
bool is_clean(std::string_view content) {
  return !content.empty() && content.find_first_of("'\"\\\n\r{}") == std::string_view::npos;
}

double fit_of_string(std::string_view old_text, std::string_view new_text) {
  const std::size_t shorter = std::min(old_text.size(), new_text.size());
  const std::size_t longer = std::max(old_text.size(), new_text.size());
  if (longer > 2 * shorter + 4) return 0;
  const double similarity = name_similarity(old_text, new_text);
  return similarity < 0.5 ? 0 : similarity * similarity;
}

/// Strings that the code spells out as names: parameters, variables, members.
void add_names(const Context& context, const Node& node, std::string_view content,
               Choices& choices) {
  if (!is_identifier(content) || content.size() < 3) return;
  const auto add = [&](std::string_view name) {
    const double fit = fit_of_string(content, name);
    if (fit > 0.3) choices.add(name, (context.in_issue(name) ? 1.2 : 0.7) * fit);
  };
  for (const Name& name : context.names(node)) add(name.text);
  for (const std::string& name : context.issue_names()) add(name);
  if (const Node owner = enclosing_class(node)) {
    for (const std::string& member : context.index().members(owner.field("name").text())) {
      add(member);
    }
  }
}

void add_strings(const Context& context, const Node& node, std::string_view content,
                 Choices& choices) {
  for (const std::string& literal : context.string_literals()) {
    const std::optional<std::string_view> other = string_content(literal);
    if (!other || !is_clean(*other)) continue;
    // A string that the code knows and the issue is about need not look like the wrong one.
    const double known = context.in_issue(*other) ? 0.25 : 0;
    choices.add(*other, known + 0.8 * fit_of_string(content, *other));
  }
  for (const std::string& literal : context.issue_literals()) {
    const std::optional<std::string_view> other = string_content(literal);
    if (other && is_clean(*other)) choices.add(*other, 0.15 + fit_of_string(content, *other));
  }
  if (const Node object = keyed_object(node)) {
    for (const std::string& key : context.keys(object)) {
      const std::optional<std::string_view> other = string_content(key);
      if (other && is_clean(*other)) choices.add(*other, 0.3 + fit_of_string(content, *other));
    }
  }
  add_names(context, node, content, choices);
  constexpr std::string_view k_separators = ",;: =./-_|";
  if (content.size() == 1 && k_separators.find(content) != std::string_view::npos) {
    for (const char c : k_separators) choices.add({&c, 1}, 0.15);
    choices.add("\\n", 0.15);
  }
  if (content.find('_') != std::string_view::npos || content.find('-') != std::string_view::npos) {
    std::string other(content);
    const char from = content.find('_') != std::string_view::npos ? '_' : '-';
    std::replace(other.begin(), other.end(), from, from == '_' ? '-' : '_');
    choices.add(other, 0.2);
  }
}

double symptom_fit(const Context& context, const Node& node, std::string_view content) {
  const Symptom& symptom = context.symptom();
  if (symptom.is("KeyError") && keyed_object(node)) return symptom.name == content ? 5 : 0.4;
  if (!content.empty() && symptom.mentions(fmt::format("'{}'", content))) return 2;
  return context.fails_here(node) ? 1.3 : 1;
}

/// The value that the failure asks for: `KeyError: 'bf16'`, `unknown dtype: bf16`.
double fit_of_choice(const Context& context, std::string_view choice) {
  const Symptom& symptom = context.symptom();
  if (symptom.is("KeyError") && symptom.name == choice) return 4;
  const std::vector<std::string_view> words = split(symptom.message, ' ');
  return std::find(words.begin(), words.end(), choice) != words.end() ? 2 : 1;
}

/// Words of a command or a message run into each other, or end too early.
void propose_ends(const Node& node, std::string_view content, double fit, Proposals& out) {
  const std::size_t begin =
      node.span().begin + static_cast<std::size_t>(content.data() - node.text().data());
  const std::size_t end = begin + content.size();
  const auto propose = [&](Span span, std::string_view text, double weight) {
    Proposal proposal =
        change_of(node, span, std::string(text), fit * weight,
                  text.empty() ? fmt::format("drop an end of {}", brief(node.text()))
                               : fmt::format("add `{}` to {}", text, brief(node.text())));
    proposal.repeatable = true;
    out.add(std::move(proposal));
  };
  const bool several_words = content.find(' ') != std::string_view::npos;
  const bool joined = node.parent().is("concatenated_string") ||
                      node.parent().is("binary_operator") ||
                      node.parent().is("augmented_assignment");
  const double weight = joined || several_words ? 0.25 : 0.08;
  constexpr std::string_view k_ends = " ;/,:";
  const bool ended = k_ends.find(content.back()) != std::string_view::npos;
  for (const char& c : k_ends) {
    if (content.ends_with(c)) {
      propose({end - 1, end}, "", weight);
    } else if (!ended) {
      propose({end, end}, {&c, 1}, c == ' ' || c == ';' ? weight : weight / 2);
    }
  }
  if (content.starts_with(' ')) {
    propose({begin, begin + 1}, "", weight);
  } else {
    propose({begin, begin}, " ", weight);
  }
}

void rewrite_string(const Node& node, const Context& context, Proposals& out) {
  if (node.parent().is("expression_statement")) return;  // A docstring.
  const std::optional<std::string_view> content = string_content(node.text());
  if (!content || content->empty()) return;
  const double fit = symptom_fit(context, node, *content) * (is_message(node) ? 0.2 : 1);
  propose_ends(node, *content, fit, out);
  if (!is_clean(*content) || content->size() > 60) return;
  Choices choices;
  add_strings(context, node, *content, choices);
  const auto begin = static_cast<std::size_t>(content->data() - node.text().data());
  for (const auto& [text, weight] : choices.best(k_most_choices)) {
    if (weight < 0.1) break;
    std::string literal(node.text());
    literal.replace(begin, content->size(), text);
    out.replace_everywhere(node, literal, fit * weight * fit_of_choice(context, text),
                           fmt::format("replace {} by {}", brief(node.text()), brief(literal)));
  }
}

std::optional<long> as_number(std::string_view text) {
  long value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  constexpr long k_largest = 1'000'000'000;
  return value > k_largest ? std::nullopt : std::optional(value);
}

void rewrite_integer(const Node& literal, const Context& context, Proposals& out) {
  std::optional<long> value = as_number(literal.text());
  const bool negative =
      literal.parent().is("unary_operator") && literal.parent().field("operator").text() == "-";
  const Node node = negative ? literal.parent() : literal;
  if (!value || node.parent().is("subscript") || node.parent().is("slice")) return;
  if (negative) *value = -*value;
  Choices choices;
  const bool small = std::abs(*value) <= 1;
  choices.add(std::to_string(*value + 1), small ? 0.5 : 0.4);
  choices.add(std::to_string(*value - 1), small ? 0.5 : 0.4);
  for (const long common : {0, 1, -1, 2}) choices.add(std::to_string(common), small ? 0.3 : 0.15);
  for (const std::string& text : context.issue_literals()) {
    if (as_number(text)) choices.add(text, 0.45);
  }
  int others = 0;
  enclosing_function(node).walk([&](const Node& other) {
    constexpr int k_most_others = 12;
    if (other.is("integer") && as_number(other.text()) && ++others < k_most_others) {
      choices.add(other.text(), 0.2);
    }
    return others < k_most_others;
  });
  if (*value > 1) choices.add(std::to_string(*value * 2), 0.08);
  if (*value > 1 && *value % 2 == 0) choices.add(std::to_string(*value / 2), 0.08);
  const double fit = (context.fails_here(node) ? 1.3 : 1) * (is_message(node) ? 0.2 : 1);
  for (const auto& [text, weight] : choices.best(k_most_choices)) {
    out.replace_everywhere(node, text, fit * weight,
                           fmt::format("replace {} by {}", node.text(), text));
  }
}

void rewrite_float(const Node& node, const Context& context, Proposals& out) {
  Choices choices;
  if (node.text() == "0.0" || node.text() == "0.") choices.add("1.0", 0.3);
  if (node.text() == "1.0" || node.text() == "1.") choices.add("0.0", 0.3);
  for (const std::string& text : context.issue_literals()) {
    const bool number =
        !text.empty() && text.find_first_not_of("0123456789.e-+") == std::string::npos;
    if (number && text != node.text()) choices.add(text, 0.4);
  }
  const std::size_t e = node.text().find("e-");
  if (e != std::string_view::npos) {
    if (const std::optional<long> power = as_number(node.text().substr(e + 2))) {
      for (const long step : {-1L, 1L}) {
        choices.add(fmt::format("{}{}", node.text().substr(0, e + 2), *power + step), 0.06);
      }
    }
  }
  for (const auto& [text, weight] : choices.best(k_most_choices)) {
    out.replace_everywhere(node, text, weight, fmt::format("replace {} by {}", node.text(), text));
  }
}

void rewrite_constant(const Node& node, const Context& context, Proposals& out) {
  const auto propose = [&](std::string_view text, double weight) {
    if (node.text() == text) return;
    // The same flag is often passed at several calls.
    const Node anchor = node.parent().is("keyword_argument") ? node.parent() : node;
    Proposal proposal = change_of(anchor, node.span(), std::string(text),
                                  weight * (context.fails_here(node) ? 1.3 : 1),
                                  fmt::format("replace {} by {}", brief(anchor.text()), text));
    proposal.repeatable = !(anchor == node);
    out.add(std::move(proposal));
  };
  if (node.is("none")) {
    for (const std::string_view text : {"False", "0", "[]", "{}", "''"}) propose(text, 0.12);
    propose("True", 0.06);
    return;
  }
  const Node parent = node.parent();
  const bool returned = parent.is("return_statement") || parent.is("assignment");
  propose(node.is("true") ? "False" : "True", returned ? 0.7 : 0.6);
  propose("None", 0.12);
  if (!parent.is("return_statement")) return;
  // What is always true may depend on what the function found.
  constexpr std::size_t k_most_tests = 30;
  const std::vector<Node> about = parent.parent().children();
  const auto give_back = [&](const std::string& test, double weight) {
    out.replace(node, test, weight,
                fmt::format("return `{}` instead of {}", brief(test), node.text()));
  };
  for (const Test& test : possible_tests(context, parent, about, k_most_tests)) {
    give_back(test.text, test.weight);
    for (const std::string_view order : {" < ", " > "}) {
      if (const std::size_t at = test.text.find(order); at != std::string::npos) {
        give_back(std::string(test.text).replace(at, order.size(), " == "), 0.5 * test.weight);
      }
    }
  }
}

/// A constant where the code has the value under a name: `strict=True` for `strict=strict`, a
/// parameter that nothing reads.
void propose_names(const Node& node, const Context& context, Proposals& out) {
  const Node parent = node.parent();
  const std::string_view keyword =
      parent.is("keyword_argument") ? parent.field("name").text() : std::string_view{};
  Choices choices;
  for (const Name& name : context.names(node)) {
    const bool local = name.kind == NameKind::parameter || name.kind == NameKind::local;
    if (local && name.text == keyword) choices.add(name.text, 1.0);
  }
  if (const Node owner = enclosing_class(node); owner && !keyword.empty()) {
    const std::set<std::string> members = context.index().members(owner.field("name").text());
    if (members.contains(std::string(keyword))) choices.add(fmt::format("self.{}", keyword), 0.5);
  }
  const Node function = enclosing_function(node);
  if (function.field("body").contains(node)) {
    for (const Parameter& parameter : parameters_of(function)) {
      const bool plain =
          parameter.kind == ParameterKind::normal || parameter.kind == ParameterKind::keyword_only;
      if (!plain || parameter.name == "self" || parameter.name == "cls") continue;
      // `ParallelMode.DATA` where there is a parameter `parallel_mode`.
      const bool namesake = node.is("attribute") &&
                            name_similarity(node.field("object").text(), parameter.name) > 0.8;
      if (namesake) choices.add(parameter.name, 0.8);
      if (!is_read(function, parameter.name)) choices.add(parameter.name, namesake ? 1.1 : 0.4);
    }
  }
  for (const auto& [text, weight] : choices.best(4)) {
    out.replace(node, text, weight, fmt::format("replace {} by `{}`", brief(node.text()), text));
  }
}

void rewrite(const Match& match, const Context& context, Proposals& out) {
  const Node node = match["literal"];
  if (!is_value(node)) return;
  if (node.is("attribute")) {
    const std::string_view name = node.field("attribute").text();
    const bool constant = std::all_of(name.begin(), name.end(), [](char c) {
      return (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
    });
    if (constant) propose_names(node, context, out);
    return;
  }
  if (node.is("string")) {
    rewrite_string(node, context, out);
  } else if (node.is("integer")) {
    rewrite_integer(node, context, out);
  } else if (node.is("float")) {
    rewrite_float(node, context, out);
  } else {
    rewrite_constant(node, context, out);
  }
  if (!node.parent().is("expression_statement") && !is_message(node)) {
    propose_names(node, context, out);
  }
}

}  // namespace

extern constinit const Template k_replace_literal = {
    .id = "replace-literal",
    .family = Family::wrong_api_or_name,
    .summary = "Replace a literal by a near miss, or by the name that has the value.",
    .language = Language::python,
    .query = "[(string) (integer) (float) (true) (false) (none) (attribute)] @literal",
    .prior = 0.8,
    .answers = answers::key_error | answers::index_error,
    .rewrite = rewrite,
};
}  // namespace tenline::templates
