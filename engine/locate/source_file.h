#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace tenline {

/// What a statement does, as far as blame goes.
enum class StatementKind {
  ordinary,    ///< Assignments, returns, calls.
  copy,        ///< Gives a name a constant or the value of another name.
  branch,      ///< `if`, `elif`, `match` and their like.
  loop,        ///< `for`, `while`, `with`.
  definition,  ///< `def` and `class` lines.
  decorator,
  import,
  stop,   ///< `raise` and `assert`.
  quiet,  ///< `pass`, `global`, logging: hardly ever at fault.
};

/// A statement without the block below it.
struct Statement {
  int line = 0;
  int end_line = 0;  ///< Of the header, for compound statements.
  int column = 0;
  StatementKind kind = StatementKind::ordinary;
  std::size_t function = 0;  ///< Index into SourceFile::functions; a `def` line is outside.
  std::string text;
};

/// A function of a file; the first one stands for everything outside functions.
struct SourceFunction {
  std::string name;        ///< Qualified as Python does: `C.f`, `f.<locals>.g`, `<module>`.
  std::string class_name;  ///< Of methods.
  int first_line = 0;      ///< Of `def` or the first decorator.
  int end_line = 0;
  std::vector<std::string> parameters;
  std::size_t parent = 0;               ///< Index of the function around it.
  std::vector<std::size_t> statements;  ///< Indices, in order; the `def` line is the first.

  [[nodiscard]] bool is_module() const { return name == "<module>"; }
  /// `f` of `C.f`.
  [[nodiscard]] std::string_view short_name() const;
};

/// A Python file as statements and functions.
struct SourceFile {
  std::string path;
  std::vector<Statement> statements;      ///< Sorted by line; docstrings are left out.
  std::vector<SourceFunction> functions;  ///< At least the module.

  /// The statement that this line belongs to; null for blank lines, comments and `else:`.
  [[nodiscard]] const Statement* statement_at(int line) const;
  /// The innermost function around a line, comprehensions and lambdas not counted.
  [[nodiscard]] std::size_t function_at(int line) const;
};

/// Reads a file of any content; what is not Python gives few or no statements.
[[nodiscard]] SourceFile read_source(std::string path, std::string text);

/// All identifiers in a text, those inside strings included, with repeats.
[[nodiscard]] std::vector<std::string_view> identifiers_in(std::string_view text);

}  // namespace tenline
