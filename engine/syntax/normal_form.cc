#include "engine/syntax/normal_form.h"

#include <algorithm>
#include <cctype>

namespace tenline {

namespace {

constexpr char k_open = '\x01';
constexpr char k_close = '\x02';
constexpr char k_prefix_end = '\x03';

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
      std::string prefix;
      string(node, prefix);
      close();
    } else if (kind == "concatenated_string") {
      open("string");
      std::string prefix;
      for (const Node& part : node.children()) string(part, prefix);
      close();
    } else if (kind == "if_statement") {
      branches(node);
    } else if (kind == "format_specifier") {
      leaf(node.text());  // Its text is no node.
    } else if (kind == "slice") {
      open("slice");
      for (const Node& child : node.all_children()) {
        if (child.is(":")) {
          leaf(":");
        } else {
          write(child);
        }
      }
      close();
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
    if (all.empty() && !node.is("module")) {
      leaf(node.text());
      return;
    }
    open(kind);
    for (const Node& child : all) write(child);
    close();
  }

  /// The parts of a string literal; adjacent literals become one. `prefix` is that of the literal
  /// before it, which is written only where it changes.
  void string(const Node& node, std::string& prefix) {
    std::string own(node.child(0).text());
    const std::size_t quote = own.find_first_of("'\"");
    if (quote != std::string::npos) own.resize(quote);
    std::ranges::transform(own, own.begin(),
                           [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    std::erase(own, 'u');
    const bool interpolates = std::erase(own, 'f') > 0;
    if (own != prefix) {
      text_ += own;
      text_ += k_prefix_end;
      prefix = own;
    }
    for (const Node& part : node.all_children()) {
      if (part.is("string_content")) {
        content(part.text(), interpolates);
      } else if (part.is("interpolation")) {
        children(part, "interpolation");
      }
    }
  }

  /// A doubled brace is one brace where single ones interpolate.
  void content(std::string_view text, bool interpolates) {
    for (std::size_t i = 0; i < text.size(); ++i) {
      text_ += text[i];
      const bool brace = text[i] == '{' || text[i] == '}';
      if (interpolates && brace && i + 1 < text.size() && text[i + 1] == text[i]) ++i;
    }
  }

  /// An `if` with its `elif`s, each below the one before. A loop: there may be any number.
  void branches(const Node& statement) {
    std::size_t opened = 1;
    open_branch(statement);
    for (const Node& clause : statement.fields("alternative")) {
      open("block");
      ++opened;
      if (clause.is("elif_clause")) {
        open_branch(clause);
        ++opened;
      } else {
        for (const Node& child : clause.field("body").children()) write(child);
      }
    }
    for (; opened > 0; --opened) close();
  }

  void open_branch(const Node& clause) {
    open("if");
    write(clause.field("condition"));
    write(clause.field("consequence"));
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
