#include "engine/locate/source_file.h"

#include <algorithm>
#include <array>
#include <utility>

#include "engine/base/text.h"
#include "engine/syntax/tree.h"

namespace tenline {

namespace {

template <std::size_t n>
bool is_any(std::string_view kind, const std::array<std::string_view, n>& kinds) {
  return std::find(kinds.begin(), kinds.end(), kind) != kinds.end();
}

bool is_container(std::string_view kind) {
  constexpr std::array<std::string_view, 8> k_kinds = {
      "module",         "block", "decorated_definition", "try_statement", "else_clause",
      "finally_clause", "ERROR", "except_group_clause"};
  return is_any(kind, k_kinds);
}

bool has_block(std::string_view kind) {
  constexpr std::array<std::string_view, 10> k_kinds = {
      "function_definition", "class_definition", "if_statement",   "elif_clause",
      "for_statement",       "while_statement",  "with_statement", "except_clause",
      "match_statement",     "case_clause"};
  return is_any(kind, k_kinds);
}

bool is_logging(std::string_view text) {
  constexpr std::array<std::string_view, 8> k_begins = {
      "print(", "logger.", "logging.", "log_dist(", "warnings.", "warn(", "log.", "self.logger."};
  return std::any_of(k_begins.begin(), k_begins.end(),
                     [&](std::string_view begin) { return text.starts_with(begin); });
}

/// `a = b`, `self.a = None`, `a = {}`.
bool is_copy(const Node& node) {
  const Node assignment = node.child(0);
  const Node value = assignment.field("right");
  constexpr std::array<std::string_view, 9> k_plain = {
      "identifier", "integer", "float", "string", "none", "true", "false", "list", "dictionary"};
  return node.is("expression_statement") && assignment.is("assignment") &&
         is_any(value.kind(), k_plain) && (value.is("string") || !value.child(0));
}

StatementKind kind_of(const Node& node) {
  const std::string_view kind = node.kind();
  if (kind == "function_definition" || kind == "class_definition") return StatementKind::definition;
  if (kind == "for_statement" || kind == "while_statement" || kind == "with_statement") {
    return StatementKind::loop;
  }
  if (has_block(kind)) return StatementKind::branch;
  if (kind == "decorator") return StatementKind::decorator;
  if (kind.starts_with("import_") || kind == "future_import_statement")
    return StatementKind::import;
  if (kind == "raise_statement" || kind == "assert_statement") return StatementKind::stop;
  constexpr std::array<std::string_view, 5> k_quiet = {"pass_statement", "global_statement",
                                                       "nonlocal_statement", "break_statement",
                                                       "continue_statement"};
  if (is_any(kind, k_quiet) || is_logging(node.text())) return StatementKind::quiet;
  return is_copy(node) ? StatementKind::copy : StatementKind::ordinary;
}

bool is_docstring(const Node& node) {
  return node.is("expression_statement") && node.child(0).is("string") && !node.child(1);
}

std::vector<std::string> parameter_names(const Node& function) {
  std::vector<std::string> names;
  for (const Node& parameter : function.field("parameters").children()) {
    std::string_view text = parameter.text();
    text.remove_prefix(std::min(text.find_first_not_of('*'), text.size()));
    const std::string_view name = trim(text.substr(0, text.find_first_of(":= \t\n")));
    if (is_identifier(name) && name != "self" && name != "cls") names.emplace_back(name);
  }
  return names;
}

/// Goes over the statements in source order and keeps what they are inside of.
class Reader {
 public:
  explicit Reader(SourceFile& file) : file_(file) {}

  bool visit(const Node& node) {
    while (!scopes_.empty() && node.span().begin >= scopes_.back().end) scopes_.pop_back();
    const std::string_view kind = node.kind();
    if (kind == "decorated_definition") decorated_ = node;
    if (is_container(kind)) return true;
    if (kind == "comment" || !node.named() || is_docstring(node)) return false;
    const bool compound = has_block(kind);
    if (kind != "decorator" && !compound && !kind.ends_with("_statement")) return false;
    if (kind == "function_definition" || kind == "class_definition") enter(node);
    add(node, compound);
    return compound;
  }

 private:
  struct Scope {
    std::size_t end;
    std::string prefix;      ///< `C.`, `f.<locals>.`.
    std::string class_name;  ///< Of the innermost class; empty inside functions.
    std::size_t function;
  };

  void enter(const Node& node) {
    const Scope outer = scopes_.empty() ? Scope{0, "", "", 0} : scopes_.back();
    const std::string name(node.field("name").text());
    if (node.is("class_definition")) {
      scopes_.push_back({node.span().end, outer.prefix + name + ".", name, outer.function});
      return;
    }
    SourceFunction function;
    function.name = outer.prefix + name;
    function.class_name = outer.class_name;
    // Not by the parent: asking for it takes as long as there are siblings.
    function.first_line = decorated_.field("definition") == node ? decorated_.line() : node.line();
    function.end_line = node.end_line();
    function.parameters = parameter_names(node);
    function.parent = outer.function;
    scopes_.push_back({node.span().end, function.name + ".<locals>.", "", file_.functions.size()});
    file_.functions.push_back(std::move(function));
  }

  void add(const Node& node, bool compound) {
    Statement statement;
    statement.line = node.line();
    statement.end_line = node.end_line();
    const std::size_t begin = node.span().begin;
    const std::size_t line_begin = node.source().rfind('\n', begin) + 1;  // npos + 1 is 0.
    statement.column = static_cast<int>(begin - line_begin);
    std::size_t text_end = node.span().end;
    if (compound) {
      for (const Node& child : node.children()) {
        if (!child.is("block")) continue;
        statement.end_line = std::max(statement.line, child.line() - 1);
        text_end = child.span().begin;
        break;
      }
    }
    statement.kind = kind_of(node);
    statement.function = scopes_.empty() ? 0 : scopes_.back().function;
    statement.text = trim(
        std::string_view(node.source()).substr(node.span().begin, text_end - node.span().begin));
    file_.statements.push_back(std::move(statement));
  }

  SourceFile& file_;
  std::vector<Scope> scopes_;
  Node
      decorated_;  ///< The last decorated definition; a function directly in it has its decorators.
};

}  // namespace

std::string_view SourceFunction::short_name() const {
  const std::string_view all = name;
  return all.substr(all.rfind('.') + 1);  // npos + 1 is 0.
}

const Statement* SourceFile::statement_at(int line) const {
  auto after = std::upper_bound(statements.begin(), statements.end(), line,
                                [](int l, const Statement& s) { return l < s.line; });
  if (after == statements.begin()) return nullptr;
  const Statement& statement = *std::prev(after);
  return line <= statement.end_line ? &statement : nullptr;
}

std::size_t SourceFile::function_at(int line) const {
  const auto after = std::upper_bound(
      functions.begin() + 1, functions.end(), line,
      [](int l, const SourceFunction& function) { return l < function.first_line; });
  auto index = static_cast<std::size_t>(after - functions.begin()) - 1;
  while (index != 0 && functions[index].end_line < line) index = functions[index].parent;
  return index;
}

SourceFile read_source(std::string path, std::string text) {
  SourceFile file;
  file.path = std::move(path);
  file.functions.emplace_back();
  file.functions.front().name = "<module>";
  const Tree tree = Tree::parse(Language::python, std::move(text));
  file.functions.front().end_line = tree.root().end_line();
  Reader reader(file);
  tree.root().walk([&](const Node& node) { return reader.visit(node); });
  std::stable_sort(file.statements.begin(), file.statements.end(),
                   [](const Statement& a, const Statement& b) { return a.line < b.line; });
  for (std::size_t i = 0; i < file.statements.size(); ++i) {
    const Statement& statement = file.statements[i];
    const std::size_t inside = file.function_at(statement.line);
    const bool header = inside != statement.function && statement.kind == StatementKind::definition;
    file.functions[header ? inside : statement.function].statements.push_back(i);
  }
  return file;
}

std::vector<std::string_view> identifiers_in(std::string_view text) {
  const auto is_start = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
  };
  const auto is_digit = [](char c) { return c >= '0' && c <= '9'; };
  std::vector<std::string_view> found;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t begin = at;
    while (at < text.size() && (is_start(text[at]) || is_digit(text[at]))) ++at;
    if (at == begin) {
      ++at;
    } else if (is_start(text[begin])) {
      found.push_back(text.substr(begin, at - begin));
    }
  }
  return found;
}

}  // namespace tenline
