#include "engine/syntax/normal_form.h"

#include <algorithm>
#include <cctype>

namespace tenline {

namespace {

constexpr char k_open = '\x01';
constexpr char k_close = '\x02';

/// Kinds that mean the same, by one name.
std::string_view common_kind(std::string_view kind) {
  if (kind == "expression_list" || kind == "tuple_pattern" || kind == "pattern_list") {
    return "tuple";
  }
  if (kind == "list_pattern") return "list";
  return kind;
}

/// Punctuation that the kinds of the nodes say already.
bool is_punctuation(std::string_view text) {
  return text == "(" || text == ")" || text == "," || text == ":" || text == ";" || text == "[" ||
         text == "]" || text == "{" || text == "}";
}

class Writer {
 public:
  void write(const Node& node) {
    constexpr int k_deepest = 1000;  // Nobody's code; recursion would end the program.
    if (depth_ > k_deepest) {
      leaf(node.text());
      return;
    }
    ++depth_;
    write_node(node);
    --depth_;
  }

  std::string take() { return std::move(text_); }

 private:
  void write_node(const Node& node) {
    if (!node.named()) {
      if (!is_punctuation(node.text())) leaf(node.text());
      return;
    }
    const std::string_view kind = node.kind();
    if (kind == "comment" || kind == "line_continuation") return;
    if (kind == "expression_statement" && is_docstring(node)) return;
    if (kind == "parenthesized_expression") {
      for (const Node& child : node.children()) write(child);
    } else if (kind == "string") {
      open("string");
      string(node);
      close();
    } else if (kind == "concatenated_string") {
      open("string");
      for (const Node& part : node.children()) string(part);
      close();
    } else if (kind == "if_statement") {
      const std::vector<Node> rest = node.fields("alternative");
      branch(node, rest, 0);
    } else {
      children(node, common_kind(kind));
    }
  }

  void open(std::string_view kind) {
    text_ += k_open;
    text_ += kind;
    text_ += ' ';
  }
  void close() { text_ += k_close; }
  void leaf(std::string_view text) {
    text_ += text;
    text_ += ' ';
  }

  void children(const Node& node, std::string_view kind) {
    std::vector<Node> all;
    node.append_children(all);
    if (all.empty()) {
      leaf(node.text());
      return;
    }
    open(kind);
    for (const Node& child : all) write(child);
    close();
  }

  /// The parts of a string literal; adjacent literals become one.
  void string(const Node& node) {
    std::string prefix(node.child(0).text());
    const std::size_t quote = prefix.find_first_of("'\"");
    if (quote != std::string::npos) prefix.resize(quote);
    std::ranges::transform(prefix, prefix.begin(),
                           [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    std::erase(prefix, 'u');
    std::erase(prefix, 'f');
    text_ += prefix;
    for (const Node& part : node.all_children()) {
      if (part.is("string_content")) {
        text_ += part.text();
      } else if (part.is("interpolation")) {
        children(part, "interpolation");
      }
    }
  }

  /// An `if` from one of its `elif`s on.
  void branch(const Node& clause, const std::vector<Node>& rest, std::size_t next) {
    constexpr std::size_t k_longest = 2000;
    if (next > k_longest) return;
    open("if");
    write(clause.field("condition"));
    write(clause.field("consequence"));
    if (next < rest.size()) {
      open("block");
      if (rest[next].is("elif_clause")) {
        branch(rest[next], rest, next + 1);
      } else {
        for (const Node& statement : rest[next].field("body").children()) write(statement);
      }
      close();
    }
    close();
  }

  std::string text_;
  int depth_ = 0;
};

}  // namespace

bool is_docstring(const Node& statement) {
  const Node value = statement.child(0);
  if (!value.is("string") && !value.is("concatenated_string")) return false;
  const Node block = statement.parent();
  if (!(block.child(0) == statement)) return false;
  if (block.is("module")) return true;
  const Node owner = block.parent();
  return owner.is("function_definition") || owner.is("class_definition");
}

std::string normal_form(const Node& node) {
  Writer writer;
  writer.write(node);
  return writer.take();
}

}  // namespace tenline
