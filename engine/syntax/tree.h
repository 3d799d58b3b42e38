#pragma once

#include <tree_sitter/api.h>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "engine/core/edit.h"

namespace tenline {

enum class Language { python };

/// What the nodes of one tree share: its text, and the parents once somebody asks for one. The
/// runtime finds a parent by going down from the root, which is slow in files of thousands of
/// lines.
struct TreeText {
  std::string text;
  const TSTree* tree = nullptr;
  mutable std::unordered_map<const void*, TSNode> parents;
};

/// A node of a syntax tree; a small value. Valid as long as its Tree. A null node answers every
/// question with "nothing".
class Node {
 public:
  Node() = default;
  Node(TSNode node, const TreeText* source) : node_(node), source_(source) {}

  [[nodiscard]] bool null() const { return source_ == nullptr || ts_node_is_null(node_); }
  explicit operator bool() const { return !null(); }
  /// Two nodes are equal when they are the same place of the same tree.
  bool operator==(const Node& other) const;

  [[nodiscard]] std::string_view kind() const;
  [[nodiscard]] bool is(std::string_view kind) const { return this->kind() == kind; }
  [[nodiscard]] bool named() const { return !null() && ts_node_is_named(node_); }
  [[nodiscard]] Span span() const;
  [[nodiscard]] std::string_view text() const;
  /// Line of the first byte, from 1.
  [[nodiscard]] int line() const;
  /// Line of the last byte, from 1.
  [[nodiscard]] int end_line() const;
  [[nodiscard]] bool has_error() const { return !null() && ts_node_has_error(node_); }

  [[nodiscard]] Node parent() const;
  [[nodiscard]] Node field(std::string_view name) const;
  /// The children that have this field name, such as the several `alternative`s of an `if`.
  [[nodiscard]] std::vector<Node> fields(std::string_view name) const;
  /// Named children without comments.
  [[nodiscard]] std::vector<Node> children() const;
  /// All children, punctuation and operators included.
  [[nodiscard]] std::vector<Node> all_children() const;
  [[nodiscard]] Node child(std::size_t i) const;  ///< The i-th of children(), or null.
  [[nodiscard]] Node next_sibling() const;        ///< Named.
  [[nodiscard]] Node previous_sibling() const;    ///< Named.
  /// The nearest ancestor of one of these kinds, or null.
  [[nodiscard]] Node ancestor(std::initializer_list<std::string_view> kinds) const;
  /// True if `other` lies within this node.
  [[nodiscard]] bool contains(const Node& other) const;
  [[nodiscard]] bool span_contains(Span other) const {
    return span().begin <= other.begin && other.end <= span().end;
  }
  /// The smallest named node that covers the span.
  [[nodiscard]] Node at(Span span) const;

  /// This node and all below it in source order; a stack, not recursion. `visit` returns whether
  /// to go into the node.
  template <class Visit>
  void walk(Visit&& visit) const {
    std::vector<Node> stack;
    if (!null()) stack.push_back(*this);
    while (!stack.empty()) {
      const Node node = stack.back();
      stack.pop_back();
      if (!visit(node)) continue;
      const auto before = static_cast<std::ptrdiff_t>(stack.size());
      node.append_children(stack);
      std::reverse(stack.begin() + before, stack.end());
    }
  }

  /// Adds all children to a list; the node must not be null.
  void append_children(std::vector<Node>& list) const;

  [[nodiscard]] const TSNode& raw() const { return node_; }
  /// The whole text that the node is part of; the node must not be null.
  [[nodiscard]] const std::string& source() const { return source_->text; }

 private:
  TSNode node_{};
  const TreeText* source_ = nullptr;
};

/// A parsed file. Errors in it are values to work with: see Node::has_error.
class Tree {
 public:
  /// Never fails for texts below 4 GiB; trees of texts with syntax errors have error nodes.
  [[nodiscard]] static Tree parse(Language language, std::string source);

  /// The tree of the text that the edits make of this one's; fast, as only what changed is parsed.
  /// The edits must be in order and apply (see apply_edits).
  [[nodiscard]] Tree reparse(std::span<const Edit> edits, std::string text) const;

  [[nodiscard]] Node root() const;
  /// A node of this tree as the runtime gave it.
  [[nodiscard]] Node node(TSNode raw) const { return {raw, text_.get()}; }
  [[nodiscard]] const std::string& source() const { return text_->text; }

 private:
  struct Delete {
    void operator()(TSTree* tree) const { ts_tree_delete(tree); }
  };
  static Tree parse(Language language, std::string source, const TSTree* old);
  Tree(Language language, std::unique_ptr<TreeText> text, std::unique_ptr<TSTree, Delete> tree)
      : language_(language), text_(std::move(text)), tree_(std::move(tree)) {}
  Language language_;
  std::unique_ptr<TreeText> text_;  ///< On the heap: nodes point to it, and trees move.
  std::unique_ptr<TSTree, Delete> tree_;
};

/// How many error and missing nodes a tree has.
[[nodiscard]] int count_errors(const Tree& tree);

/// The captures of one match of a query.
class Match {
 public:
  /// The first node captured under this name (without '@'), or a null node.
  [[nodiscard]] Node operator[](std::string_view name) const;
  /// The node captured first: the outermost, leftmost one.
  [[nodiscard]] Node first() const { return captures_.empty() ? Node{} : captures_.front().second; }
  void add(std::string_view name, Node node) { captures_.emplace_back(name, node); }

 private:
  std::vector<std::pair<std::string_view, Node>> captures_;
};

/// A compiled tree-sitter query.
class Query {
 public:
  [[nodiscard]] static Result<Query> compile(Language language, std::string_view text);
  /// All matches in source order.
  [[nodiscard]] std::vector<Match> run(const Tree& tree) const;
  /// Bounds the time and memory of a query that we did not write: of more open matches the oldest
  /// are dropped, and after so many matches it ends.
  struct Limits {
    std::uint32_t open_matches = 32;
    std::size_t matches = 100'000;
  };
  void limit(const Limits& limits) { limits_ = limits; }
  /// The names of its captures, without '@'.
  [[nodiscard]] std::vector<std::string> captures() const;

 private:
  struct Delete {
    void operator()(TSQuery* query) const { ts_query_delete(query); }
  };
  explicit Query(TSQuery* query) : query_(query) {}
  std::unique_ptr<TSQuery, Delete> query_;
  std::optional<Limits> limits_;
};

/// Why a query does not compile, and where.
struct QueryProblem {
  std::size_t offset = 0;
  std::string reason;
};
[[nodiscard]] std::optional<QueryProblem> problem_of_query(Language language,
                                                           std::string_view text);

/// True if the grammar has named nodes of this kind.
[[nodiscard]] bool is_node_kind(Language language, std::string_view kind);

}  // namespace tenline
