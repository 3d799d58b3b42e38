#include "templates/python/edits.h"

#include <algorithm>
#include <cmath>
#include <ranges>

#include "engine/base/text.h"

namespace tenline::templates {

namespace {

/// Words that are taken for each other: the two sides of a thing.
bool are_opposites(std::string_view a, std::string_view b) {
  static const std::vector<std::vector<std::string_view>> k_groups = {
      {"prev", "next", "cur", "current", "last", "previous"},
      {"start", "end", "begin", "stop"},
      {"first", "last", "second"},
      {"min", "max"},
      {"in", "out", "input", "output", "inputs", "outputs"},
      {"src", "dst", "source", "target", "dest"},
      {"forward", "backward", "fwd", "bwd"},
      {"row", "col", "column", "rows", "cols", "columns"},
      {"height", "width", "depth"},
      {"left", "right"},
      {"train", "eval", "test", "valid", "training", "inference"},
      {"local", "global", "world"},
      {"tp", "dp", "pp", "cp", "ep", "sp", "mp", "tensor", "data", "pipeline", "model", "context",
       "expert", "sequence"},
      {"param", "params", "grad", "grads", "weight", "weights", "bias", "master", "parameter"},
      {"cpu", "cuda", "gpu", "npu", "xpu", "hpu"},
      {"fp16", "bf16", "fp32", "fp8", "half", "float", "bit16"},
      {"read", "write"},
      {"send", "recv", "receive"},
      {"load", "save", "store"},
      {"key", "value", "query"},
      {"q", "k", "v", "kv"},
      {"x", "y", "z"},
      {"i", "j", "k"},
      {"s", "t"},
      {"a", "b"},
      {"0", "1", "2"},
      {"rank", "size", "group"},
      {"size", "len", "num", "numel", "count"},
      {"step", "epoch", "iter", "iteration", "steps"},
      {"index", "id", "idx"},
      {"name", "path", "file", "dir"},
      {"enable", "disable", "enabled", "disabled", "use"},
      {"encoder", "decoder"},
      {"master", "working", "model"},
      {"stage1", "stage2", "stage3"},
      {"all", "any"},
      {"pre", "post"},
      {"before", "after"}};
  return std::ranges::any_of(k_groups, [&](const auto& group) {
    return std::ranges::find(group, a) != group.end() && std::ranges::find(group, b) != group.end();
  });
}

}  // namespace

bool differs_by_opposite(std::string_view a, std::string_view b) {
  const std::vector<std::string> left = identifier_words(a);
  const std::vector<std::string> right = identifier_words(b);
  if (left.size() != right.size()) return false;
  int different = 0;
  for (std::size_t i = 0; i < left.size(); ++i) {
    if (left[i] == right[i]) continue;
    if (++different > 1 || !are_opposites(left[i], right[i])) return false;
  }
  return different == 1;
}

double fit_of_name(const Context& context, std::string_view old_name, std::string_view new_name) {
  const double similarity = name_similarity(old_name, new_name);
  double fit = 0.03 + std::pow(similarity, 3);
  if (differs_by_opposite(old_name, new_name)) fit = std::max(fit, 0.3) + 0.2;
  if (context.in_issue(new_name)) fit += 0.15;
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

bool is_value(const Node& expression) {
  if (expression.is("identifier") && !is_use(expression)) return false;
  const Node parent = expression.parent();
  const auto is_part = [&](std::string_view kind, std::string_view field) {
    return parent.is(kind) && parent.field(field) == expression;
  };
  for (const std::string_view kind :
       {"assignment", "augmented_assignment", "for_statement", "for_in_clause"}) {
    if (is_part(kind, "left")) return false;
  }
  for (const std::string_view kind :
       {"pattern_list", "tuple_pattern", "list_pattern", "list_splat_pattern", "as_pattern_target",
        "delete_statement", "dotted_name", "import_statement", "import_from_statement", "type",
        "decorator", "case_pattern"}) {
    if (parent.is(kind)) return false;
  }
  return expression.ancestor({"type"}).null() && !is_part("keyword_argument", "name");
}

bool is_read(const Node& function, std::string_view parameter) {
  bool read = false;
  function.field("body").walk([&](const Node& node) {
    read = read || (node.is("identifier") && node.text() == parameter && is_use(node));
    return !read;
  });
  return read;
}

Node awaited(const Node& expression) {
  return expression.parent().is("await") ? expression.parent() : expression;
}

bool is_base_class(const Node& expression) {
  const Node parent = expression.parent();
  return parent.is("argument_list") && parent.parent().is("class_definition");
}

bool is_message(const Node& node) {
  static const std::set<std::string_view> k_loggers = {
      "print", "warn",     "warning",   "warning_once", "info",         "debug",
      "error", "critical", "exception", "log",          "print_rank_0", "log_dist"};
  for (Node at = node; at.parent(); at = at.parent()) {
    const Node parent = at.parent();
    if (parent.is("raise_statement")) return true;
    if (parent.is("assert_statement")) return parent.child(0) != at;
    if (parent.is("argument_list") && k_loggers.contains(called_name(parent.parent()))) return true;
    if (parent.is("block") || parent.is("module")) return false;
  }
  return false;
}

std::string_view called_name(const Node& call) {
  const Node function = call.field("function");
  return function.is("attribute") ? function.field("attribute").text() : function.text();
}

std::optional<std::string_view> string_content(std::string_view literal) {
  const std::size_t quote = literal.find_first_of("'\"");
  if (quote > 2) return std::nullopt;  // Also where there is none.
  const std::size_t width =
      literal.substr(quote).starts_with(std::string(3, literal[quote])) ? 3 : 1;
  if (literal.size() < quote + 2 * width) return std::nullopt;
  return literal.substr(quote + width, literal.size() - quote - 2 * width);
}

Change removal_of(const Node& element) {
  const std::string_view source = element.source();
  const Span span = element.span();
  const std::vector<Node> siblings = element.parent().all_children();
  const auto self = std::find(siblings.begin(), siblings.end(), element);
  const auto after = self == siblings.end() ? self : std::next(self);
  if (after != siblings.end() && after->is(",")) {
    // With the blanks to the next element, unless a comment or a line's end is in between.
    const std::size_t end = source.find_first_not_of(" \t", after->span().end);
    const bool more = std::next(after) != siblings.end() && std::next(after)->named() &&
                      !std::next(after)->is("comment");
    return {{span.begin, more ? std::next(after)->span().begin : std::min(end, source.size())}, ""};
  }
  if (self != siblings.begin() && self != siblings.end() && std::prev(self)->is(",")) {
    return {{std::prev(self)->span().begin, span.end}, ""};
  }
  return {span, ""};
}

void Choices::add(std::string_view text, double weight) {
  const auto known = std::find_if(choices_.begin(), choices_.end(),
                                  [&](const auto& choice) { return choice.first == text; });
  if (known == choices_.end()) {
    choices_.emplace_back(text, weight);
  } else {
    known->second = std::max(known->second, weight);
  }
}

std::vector<std::pair<std::string, double>> Choices::best(std::size_t most) const {
  std::vector<std::pair<std::string, double>> sorted = choices_;
  std::stable_sort(sorted.begin(), sorted.end(),
                   [](const auto& a, const auto& b) { return a.second > b.second; });
  if (sorted.size() > most) sorted.resize(most);
  return sorted;
}

std::string indented(const Node& statement, std::string_view extra) {
  std::string text(statement.text());
  const std::size_t base = statement.span().begin;
  const std::vector<std::size_t> starts = line_starts(statement, statement.span());
  for (const std::size_t start : starts | std::views::reverse) {
    text.insert(start - base, extra);
  }
  return text;
}

std::vector<std::size_t> line_starts(const Node& within, Span range) {
  const std::string& source = within.source();
  if (source.find('\n', range.begin) >= range.end) return {};
  std::vector<Span> strings;
  within.walk([&](const Node& node) {
    const Span span = node.span();
    if (span.end <= range.begin || range.end <= span.begin) return false;
    if (node.is("string")) strings.push_back(span);
    return !node.is("string");
  });
  std::vector<std::size_t> starts;
  for (std::size_t at = range.begin; at + 1 < range.end; ++at) {
    if (source[at] != '\n' || source[at + 1] == '\n' || source[at + 1] == '\r') continue;
    const bool in_string = std::any_of(strings.begin(), strings.end(), [&](const Span& span) {
      return span.begin <= at && at < span.end;
    });
    if (!in_string) starts.push_back(at + 1);
  }
  return starts;
}

bool starts_line(const Node& statement) {
  const std::size_t begin = statement.span().begin - indentation(statement).size();
  return begin == 0 || statement.source()[begin - 1] == '\n';
}

bool is_alone(const Node& statement) {
  return statement.parent().is("block") && statement.parent().children().size() == 1;
}

bool has_own_lines(const Node& statement) {
  const std::string& source = statement.source();
  const std::size_t next = source.find_first_not_of(" \t", statement.span().end);
  return starts_line(statement) && (next == std::string::npos || source[next] != ';');
}

Span whole_lines(const Node& statement) {
  const std::size_t begin = statement.span().begin - indentation(statement).size();
  const std::size_t end = statement.source().find('\n', statement.span().end);
  return {begin, end == std::string::npos ? statement.source().size() : end + 1};
}

std::vector<Change> reindented(const Node& statement, std::string_view new_indentation) {
  const std::string old = indentation(statement);
  const std::size_t begin = statement.span().begin;
  std::vector<Change> changes = {{{begin - old.size(), begin}, std::string(new_indentation)}};
  for (const std::size_t start : line_starts(statement, statement.span())) {
    // Lines that go on may be indented less: they keep what they have.
    if (statement.source().compare(start, old.size(), old) != 0) continue;
    changes.push_back({{start, start + old.size()}, std::string(new_indentation)});
  }
  return changes;
}

namespace {

/// Where the colon before a block is.
std::size_t header_colon(const Node& compound, const Node& block) {
  std::size_t colon = compound.span().begin;
  for (const Node& part : compound.all_children()) {
    if (part.is(":") && part.span().end <= block.span().begin) colon = part.span().begin;
  }
  return colon;
}

}  // namespace

std::vector<Change> dedented(const Node& compound, const Node& block) {
  const std::size_t begin = compound.span().begin;
  const std::string outside = indentation(compound);
  const std::vector<Node> statements = block.children();
  if (statements.empty() || !starts_line(compound)) return {};
  if (!starts_line(statements.front())) return {{{begin, block.span().begin}, ""}};  // `if c: S`
  const std::string inside = indentation(statements.front());
  if (!inside.starts_with(outside)) return {};
  // The header with its line's end, then the block's lines, comments included.
  const std::string& source = compound.source();
  const std::size_t header_end = source.find('\n', header_colon(compound, block)) + 1;
  std::vector<Change> changes = {{{begin - outside.size(), header_end}, ""}};
  const std::size_t more = inside.size() - outside.size();
  const std::vector<std::size_t> starts = line_starts(compound, {header_end - 1, block.span().end});
  for (const std::size_t start : starts) {
    if (source.compare(start, inside.size(), inside) == 0) {
      changes.push_back({{start, start + more}, ""});
    }
  }
  return changes;
}

bool binds_weaker_than_and(const Node& expression) {
  return (expression.is("boolean_operator") && operator_of(expression).text() == "or") ||
         expression.is("conditional_expression") || expression.is("lambda") ||
         expression.is("named_expression");
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

std::size_t end_of_line(const Node& node) {
  const std::string& source = node.source();
  std::size_t end = source.find('\n', node.span().end);
  if (end == std::string::npos) end = source.size();
  return end > node.span().end && source[end - 1] == '\r' ? end - 1 : end;
}

std::string line_end(const Node& node) {
  return node.source().find("\r\n") == std::string::npos ? "\n" : "\r\n";
}

std::optional<std::string> quoted_for(const Node& place, std::string_view text) {
  std::string fitted(text);
  const Node around = place.ancestor({"string"});
  if (!around) return fitted;
  const char other = usual_quote(place);
  const char own = other == '"' ? '\'' : '"';
  if (text.find(own) == std::string_view::npos) return fitted;
  if (text.find(other) != std::string_view::npos) return std::nullopt;
  std::replace(fitted.begin(), fitted.end(), own, other);
  return fitted;
}

bool may_repeat(const Context& context, const Node& expression) {
  if (!expression.is("identifier")) return true;
  const std::vector<Name>& names = context.names(expression);
  return std::none_of(names.begin(), names.end(), [&](const Name& name) {
    return name.text == expression.text() &&
           (name.kind == NameKind::parameter || name.kind == NameKind::local);
  });
}

char usual_quote(const Node& node) {
  const Node around = node.ancestor({"string"});
  const std::string_view text = around.text();
  const std::size_t own = text.find_first_of("'\"");
  if (own != std::string_view::npos) return text[own] == '"' ? '\'' : '"';
  const std::string& source = node.source();
  const auto single = std::count(source.begin(), source.end(), '\'');
  const auto doubled = std::count(source.begin(), source.end(), '"');
  return single > doubled ? '\'' : '"';
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
