#include "engine/syntax/tree.h"

#include <algorithm>
#include <ranges>

#if defined(__SANITIZE_ADDRESS__)
#include <sanitizer/lsan_interface.h>
#endif

extern "C" const TSLanguage* tree_sitter_python();

namespace tenline {

namespace {

const TSLanguage* grammar(Language language) {
  switch (language) {
    case Language::python:
      return tree_sitter_python();
  }
  return nullptr;
}

/// A query, or null with the place and the kind of what is wrong. tree-sitter up to 0.20 leaks a
/// few bytes of a pattern that it refuses, which is not ours to free: the leak check looks away.
TSQuery* new_query(Language language, std::string_view text, std::uint32_t& offset,
                   TSQueryError& error) {
#if defined(__SANITIZE_ADDRESS__)
  const __lsan::ScopedDisabler theirs;
#endif
  return ts_query_new(grammar(language), text.data(), static_cast<std::uint32_t>(text.size()),
                      &offset, &error);
}

struct DeleteParser {
  void operator()(TSParser* parser) const { ts_parser_delete(parser); }
};
struct DeleteCursor {
  void operator()(TSQueryCursor* cursor) const { ts_query_cursor_delete(cursor); }
};

/// The position after a text that begins at a position.
TSPoint point_after(TSPoint from, std::string_view text) {
  const auto lines = static_cast<std::uint32_t>(std::count(text.begin(), text.end(), '\n'));
  if (lines == 0) {
    from.column += static_cast<std::uint32_t>(text.size());
    return from;
  }
  return {from.row + lines, static_cast<std::uint32_t>(text.size() - 1 - text.rfind('\n'))};
}

void fill_parents(const TreeText& text) {
  TSTreeCursor cursor = ts_tree_cursor_new(ts_tree_root_node(text.tree));
  std::vector<TSNode> path = {ts_tree_cursor_current_node(&cursor)};
  bool more = true;
  while (more) {
    if (ts_tree_cursor_goto_first_child(&cursor)) {
      const TSNode child = ts_tree_cursor_current_node(&cursor);
      text.parents.emplace(child.id, path.back());
      path.push_back(child);
      continue;
    }
    while (!(more = ts_tree_cursor_goto_next_sibling(&cursor)) &&
           ts_tree_cursor_goto_parent(&cursor)) {
      path.pop_back();
    }
    if (more) {
      path.back() = ts_tree_cursor_current_node(&cursor);
      text.parents.emplace(path.back().id, path[path.size() - 2]);
    }
  }
  ts_tree_cursor_delete(&cursor);
}

/// Named children, comments included.
std::vector<Node> named_children(const Node& node) {
  std::vector<Node> found = node.all_children();
  std::erase_if(found, [](const Node& child) { return !child.named(); });
  return found;
}

}  // namespace

bool Node::operator==(const Node& other) const {
  if (null() || other.null()) return null() == other.null();
  return source_ == other.source_ && ts_node_eq(node_, other.node_);
}

std::string_view Node::kind() const { return null() ? std::string_view{} : ts_node_type(node_); }

Span Node::span() const {
  if (null()) return {};
  return {ts_node_start_byte(node_), ts_node_end_byte(node_)};
}

std::string_view Node::text() const {
  if (null()) return {};
  const Span range = span();
  return std::string_view(source_->text).substr(range.begin, range.size());
}

int Node::line() const { return null() ? 0 : static_cast<int>(ts_node_start_point(node_).row) + 1; }

int Node::end_line() const {
  return null() ? 0 : static_cast<int>(ts_node_end_point(node_).row) + 1;
}

Node Node::parent() const {
  if (null()) return {};
  if (source_->parents.empty()) fill_parents(*source_);
  const auto it = source_->parents.find(node_.id);
  return it == source_->parents.end() ? Node{} : Node{it->second, source_};
}

Node Node::field(std::string_view name) const {
  if (null()) return {};
  return {ts_node_child_by_field_name(node_, name.data(), static_cast<std::uint32_t>(name.size())),
          source_};
}

std::vector<Node> Node::fields(std::string_view name) const {
  // By cursor: ts_node_field_name_for_child of this runtime gives wrong names behind hidden nodes.
  std::vector<Node> found;
  if (null()) return found;
  TSTreeCursor cursor = ts_tree_cursor_new(node_);
  for (bool more = ts_tree_cursor_goto_first_child(&cursor); more;
       more = ts_tree_cursor_goto_next_sibling(&cursor)) {
    const char* field_name = ts_tree_cursor_current_field_name(&cursor);
    if (field_name != nullptr && name == field_name) {
      found.emplace_back(ts_tree_cursor_current_node(&cursor), source_);
    }
  }
  ts_tree_cursor_delete(&cursor);
  return found;
}

std::vector<Node> Node::children() const {
  std::vector<Node> found = all_children();
  std::erase_if(found, [](const Node& node) { return !node.named() || node.is("comment"); });
  return found;
}

std::vector<Node> Node::all_children() const {
  std::vector<Node> found;
  if (!null()) append_children(found);
  return found;
}

void Node::append_children(std::vector<Node>& list) const {
  const std::uint32_t count = ts_node_child_count(node_);
  // Finding the i-th child takes i steps: for the long lists of hostile files that is too many. A
  // cursor costs an allocation.
  constexpr std::uint32_t k_few = 16;
  if (count <= k_few) {
    for (std::uint32_t i = 0; i < count; ++i) list.emplace_back(ts_node_child(node_, i), source_);
    return;
  }
  TSTreeCursor cursor = ts_tree_cursor_new(node_);
  for (bool more = ts_tree_cursor_goto_first_child(&cursor); more;
       more = ts_tree_cursor_goto_next_sibling(&cursor)) {
    list.emplace_back(ts_tree_cursor_current_node(&cursor), source_);
  }
  ts_tree_cursor_delete(&cursor);
}

Node Node::child(std::size_t i) const {
  const std::vector<Node> found = children();
  return i < found.size() ? found[i] : Node{};
}

Node Node::next_sibling() const {
  const std::vector<Node> siblings = named_children(parent());
  const auto it = std::find(siblings.begin(), siblings.end(), *this);
  return it == siblings.end() || it + 1 == siblings.end() ? Node{} : *(it + 1);
}

Node Node::previous_sibling() const {
  const std::vector<Node> siblings = named_children(parent());
  const auto it = std::find(siblings.begin(), siblings.end(), *this);
  return it == siblings.end() || it == siblings.begin() ? Node{} : *(it - 1);
}

Node Node::ancestor(std::initializer_list<std::string_view> kinds) const {
  for (Node node = parent(); node; node = node.parent()) {
    if (std::find(kinds.begin(), kinds.end(), node.kind()) != kinds.end()) return node;
  }
  return {};
}

bool Node::contains(const Node& other) const {
  if (null() || other.null()) return false;
  const Span mine = span();
  const Span theirs = other.span();
  return mine.begin <= theirs.begin && theirs.end <= mine.end;
}

Node Node::at(Span span) const {
  if (null()) return {};
  return {ts_node_named_descendant_for_byte_range(node_, static_cast<std::uint32_t>(span.begin),
                                                  static_cast<std::uint32_t>(span.end)),
          source_};
}

Tree Tree::parse(Language language, std::string source, const TSTree* old) {
  const std::unique_ptr<TSParser, DeleteParser> parser(ts_parser_new());
  const bool accepted = ts_parser_set_language(parser.get(), grammar(language));
  TENLINE_CHECK(accepted, "the grammar's ABI does not fit the tree-sitter runtime");
  auto text = std::make_unique<TreeText>();
  text->text = std::move(source);
  std::unique_ptr<TSTree, Delete> tree(ts_parser_parse_string(
      parser.get(), old, text->text.data(), static_cast<std::uint32_t>(text->text.size())));
  TENLINE_CHECK(tree != nullptr, "the parser gave no tree");
  text->tree = tree.get();
  return {language, std::move(text), std::move(tree)};
}

Tree Tree::parse(Language language, std::string source) {
  return parse(language, std::move(source), nullptr);
}

Tree Tree::reparse(std::span<const Edit> edits, std::string text) const {
  const std::unique_ptr<TSTree, Delete> old(ts_tree_copy(tree_.get()));
  // From the last edit to the first, so that the offsets of those before stay true.
  for (const Edit& edit : edits | std::views::reverse) {
    const std::size_t new_end = edit.span.begin + edit.text.size();
    TSInputEdit change;
    change.start_byte = static_cast<std::uint32_t>(edit.span.begin);
    change.old_end_byte = static_cast<std::uint32_t>(edit.span.end);
    change.new_end_byte = static_cast<std::uint32_t>(new_end);
    change.start_point =
        point_after({0, 0}, std::string_view(text_->text).substr(0, edit.span.begin));
    change.old_end_point =
        point_after(change.start_point,
                    std::string_view(text_->text).substr(edit.span.begin, edit.span.size()));
    change.new_end_point = point_after(change.start_point, edit.text);
    ts_tree_edit(old.get(), &change);
  }
  return parse(language_, std::move(text), old.get());
}

Node Tree::root() const { return {ts_tree_root_node(tree_.get()), text_.get()}; }

int count_errors(const Tree& tree) {
  int errors = 0;
  tree.root().walk([&](const Node& node) {
    if (node.is("ERROR") || ts_node_is_missing(node.raw())) ++errors;
    return node.has_error();
  });
  return errors;
}

Node Match::operator[](std::string_view name) const {
  const auto it = std::find_if(captures_.begin(), captures_.end(),
                               [&](const auto& capture) { return capture.first == name; });
  return it == captures_.end() ? Node{} : it->second;
}

Result<Query> Query::compile(Language language, std::string_view text) {
  std::uint32_t offset = 0;
  TSQueryError error = TSQueryErrorNone;
  TSQuery* query = new_query(language, text, offset, error);
  if (query == nullptr) {
    return fail(ErrorCode::invalid_input,
                fmt::format("the query is wrong at \"{}\"", text.substr(offset, 40)));
  }
  return Query(query);
}

std::vector<Match> Query::run(const Tree& tree) const {
  const std::unique_ptr<TSQueryCursor, DeleteCursor> cursor(ts_query_cursor_new());
  const Node root = tree.root();
  if (limits_) ts_query_cursor_set_match_limit(cursor.get(), limits_->open_matches);
  ts_query_cursor_exec(cursor.get(), query_.get(), root.raw());
  std::vector<Match> matches;
  TSQueryMatch raw;
  while (ts_query_cursor_next_match(cursor.get(), &raw)) {
    Match match;
    for (std::uint16_t i = 0; i < raw.capture_count; ++i) {
      std::uint32_t length = 0;
      const char* name = ts_query_capture_name_for_id(query_.get(), raw.captures[i].index, &length);
      match.add({name, length}, tree.node(raw.captures[i].node));
    }
    matches.push_back(std::move(match));
    if (limits_ && matches.size() == limits_->matches) break;
  }
  return matches;
}

std::vector<std::string> Query::captures() const {
  std::vector<std::string> names;
  const std::uint32_t count = ts_query_capture_count(query_.get());
  for (std::uint32_t i = 0; i < count; ++i) {
    std::uint32_t length = 0;
    const char* name = ts_query_capture_name_for_id(query_.get(), i, &length);
    names.emplace_back(name, length);
  }
  return names;
}

std::optional<QueryProblem> problem_of_query(Language language, std::string_view text) {
  std::uint32_t offset = 0;
  TSQueryError error = TSQueryErrorNone;
  TSQuery* query = new_query(language, text, offset, error);
  ts_query_delete(query);
  const std::size_t at = std::min<std::size_t>(offset, text.size());
  const std::string_view rest = text.substr(at);
  const std::string_view word =
      rest.substr(0, std::min<std::size_t>(rest.find_first_of(" \t\r\n()[]@:\""), 40));
  switch (error) {
    case TSQueryErrorNone:
      return std::nullopt;
    case TSQueryErrorNodeType:
      return QueryProblem{at, fmt::format("there is no node kind {}", word)};
    case TSQueryErrorField:
      return QueryProblem{at, fmt::format("there is no field {}", word)};
    case TSQueryErrorCapture:
      return QueryProblem{at, fmt::format("there is no capture {}", word)};
    case TSQueryErrorStructure:
      return QueryProblem{at, "no tree has this: such a node is never there"};
    case TSQueryErrorSyntax:
    case TSQueryErrorLanguage:
      break;
  }
  return QueryProblem{at, rest.empty() ? "it ends too early" : "it is no query from here on"};
}

bool is_node_kind(Language language, std::string_view kind) {
  return ts_language_symbol_for_name(grammar(language), kind.data(),
                                     static_cast<std::uint32_t>(kind.size()), true) != 0;
}

}  // namespace tenline
