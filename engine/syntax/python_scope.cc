#include "engine/syntax/python_scope.h"

#include <algorithm>
#include <set>

namespace tenline {

namespace {

bool is_scope(const Node& node) {
  return node.is("function_definition") || node.is("class_definition") || node.is("lambda") ||
         node.is("module") || node.is("generator_expression") ||
         node.kind().ends_with("_comprehension");
}

class Binder {
 public:
  explicit Binder(std::vector<Name>& names) : names_(names) {
    for (const Name& name : names) seen_.insert(name.text);
  }

  void bind(const Node& identifier, NameKind kind) {
    if (identifier.is("identifier")) bind(identifier.text(), kind, identifier.line());
  }

  void bind(std::string_view text, NameKind kind, int line) {
    if (!text.empty() && seen_.emplace(text).second) {
      names_.push_back({std::string(text), kind, line});
    }
  }

  /// Binds the identifiers of an assignment's left side, not those inside subscripts or attributes.
  void bind_pattern(const Node& pattern, NameKind kind) {
    pattern.walk([&](const Node& node) {
      if (node.is("identifier")) bind(node, kind);
      return !node.is("subscript") && !node.is("attribute") && !node.is("call");
    });
  }

  void bind_parameters(const Node& parameters) {
    for (const Node& parameter : parameters.children()) {
      if (parameter.is("identifier")) {
        bind(parameter, NameKind::parameter);
        continue;
      }
      const Node name = parameter.field("name");
      bind_pattern(name ? name : parameter.child(0), NameKind::parameter);
    }
  }

  void bind_import(const Node& node, NameKind kind) {
    const Node module = node.field("module_name");
    for (const Node& imported : node.children()) {
      if (imported == module) continue;
      if (imported.is("aliased_import")) {
        bind(imported.field("alias"), kind);
      } else if (imported.is("dotted_name")) {
        bind(imported.child(0), kind);
      }
    }
  }

 private:
  std::vector<Name>& names_;
  std::set<std::string, std::less<>> seen_;
};

/// The names of `case` patterns: not the classes, constants and keywords in them.
void bind_case(const Node& pattern, NameKind kind, Binder& binder) {
  pattern.walk([&](const Node& node) {
    if (node.is("case_pattern") || node.is("splat_pattern")) {
      const Node inner = node.child(0);
      const bool capture = inner.is("dotted_name") && inner.children().size() == 1;
      binder.bind(capture ? inner.child(0) : inner, kind);
    } else if (node.is("keyword_pattern")) {
      const Node value = node.child(1);
      if (value.is("dotted_name") && value.children().size() == 1)
        binder.bind(value.child(0), kind);
    } else if (node.is("as_pattern")) {
      binder.bind(node.child(1), kind);
    }
    return true;
  });
}

/// `T` of the type parameter `T: int`, `Pair` of `Pair[T]`.
void bind_type(const Node& type, NameKind kind, Binder& binder) {
  bool bound = false;
  type.walk([&](const Node& node) {
    if (!bound && node.is("identifier")) {
      binder.bind(node, kind);
      bound = true;
    }
    return !bound;
  });
}

/// Binds what one node of a scope's body binds; returns whether to look into it.
bool bind_node(const Node& node, const Node& scope, NameKind kind, Binder& binder) {
  if (node.is("function_definition") || node.is("class_definition")) {
    binder.bind(node.field("name"), kind);
    return false;
  }
  if (node.is("lambda")) return false;
  if (node.is("import_statement") || node.is("import_from_statement")) {
    binder.bind_import(node, kind == NameKind::module ? NameKind::import : kind);
    return false;
  }
  if (node.is("assignment") || node.is("augmented_assignment") || node.is("for_statement")) {
    binder.bind_pattern(node.field("left"), kind);
  } else if (node.is("for_in_clause")) {
    // Names of comprehensions inside a scope do not leak out of them; those bound by `:=` do.
    if (node.parent() == scope) binder.bind_pattern(node.field("left"), kind);
  } else if (node.is("named_expression")) {
    binder.bind(node.field("name"), kind);
  } else if (node.is("as_pattern_target")) {
    binder.bind_pattern(node, kind);
  } else if (node.is("case_pattern")) {
    bind_case(node, kind, binder);
    return false;
  } else if (node.is("type_alias_statement")) {
    bind_type(node.field("left"), kind, binder);
    return false;
  }
  return true;
}

void collect(const Node& scope, NameKind kind, std::vector<Name>& names) {
  Binder binder(names);
  if (scope.is("function_definition") || scope.is("lambda")) {
    binder.bind_parameters(scope.field("parameters"));
  }
  for (const Node& type : scope.field("type_parameters").children()) {
    bind_type(type, kind, binder);
  }
  // `global` and `nonlocal` names are those of a scope further out, wherever the statement stands.
  scope.walk([&](const Node& node) {
    const bool module = node.is("global_statement");
    if (module || node.is("nonlocal_statement")) {
      for (const Node& name : node.children()) {
        binder.bind(name, module ? NameKind::module : NameKind::enclosing);
      }
    }
    return node == scope || (!node.is("function_definition") && !node.is("class_definition"));
  });
  scope.walk(
      [&](const Node& node) { return node == scope || bind_node(node, scope, kind, binder); });
}

}  // namespace

std::vector<Name> bindings(const Node& scope) {
  std::vector<Name> names;
  collect(scope, scope.is("module") ? NameKind::module : NameKind::local, names);
  return names;
}

std::vector<Name> names_in_scope(const Node& at) {
  std::vector<Name> names;
  bool in_function = false;
  for (Node scope = at; scope; scope = scope.parent()) {
    if (!is_scope(scope)) continue;
    // Decorators, defaults and the name of a definition are evaluated outside it.
    if (scope.is("function_definition") && !scope.field("body").contains(at)) continue;
    if (scope.is("class_definition") && (in_function || !scope.field("body").contains(at)))
      continue;
    NameKind kind = NameKind::local;
    if (scope.is("module")) {
      kind = NameKind::module;
    } else if (in_function) {
      kind = NameKind::enclosing;
    }
    collect(scope, kind, names);
    in_function = in_function || scope.is("function_definition");
  }
  return names;
}

Node enclosing_function(const Node& node) { return node.ancestor({"function_definition"}); }

Node enclosing_class(const Node& node) { return node.ancestor({"class_definition"}); }

Node enclosing_statement(const Node& node) {
  for (Node at = node; at; at = at.parent()) {
    const Node parent = at.parent();
    if (!parent || parent.is("block") || parent.is("module")) return at;
  }
  return {};
}

std::string qualified_name(const Node& node) {
  std::string name;
  bool inner_is_anything = false;
  for (Node at = node; at; at = at.ancestor({"function_definition", "class_definition"})) {
    const bool function = at.is("function_definition");
    if (!function && !at.is("class_definition")) continue;
    std::string outer(at.field("name").text());
    if (inner_is_anything) outer.append(function ? ".<locals>." : ".").append(name);
    name = std::move(outer);
    inner_is_anything = true;
  }
  return inner_is_anything ? name : "<module>";
}

bool is_dotted_name(Node node) {
  while (node.is("attribute")) node = node.field("object");
  return node.is("identifier");
}

std::string indentation(const Node& statement) {
  const std::string_view before =
      std::string_view(statement.source()).substr(0, statement.span().begin);
  const std::size_t last = before.find_last_not_of(" \t");
  return std::string(before.substr(last == std::string_view::npos ? 0 : last + 1));
}

bool is_use(const Node& identifier) {
  const Node parent = identifier.parent();
  if (parent.is("attribute")) return parent.field("object") == identifier;
  if (parent.is("keyword_argument")) return parent.field("value") == identifier;
  if (parent.is("function_definition") || parent.is("class_definition")) return false;
  if (parent.is("parameters") || parent.is("lambda_parameters")) return false;
  if (parent.is("default_parameter") || parent.is("typed_default_parameter")) {
    return parent.field("value") == identifier;
  }
  if (parent.is("typed_parameter") || parent.is("list_splat_pattern") ||
      parent.is("dictionary_splat_pattern") || parent.is("pattern_list") ||
      parent.is("tuple_pattern") || parent.is("as_pattern_target")) {
    return false;
  }
  if (parent.is("named_expression")) return parent.field("value") == identifier;
  if (parent.is("dotted_name") || parent.is("aliased_import") || parent.is("global_statement") ||
      parent.is("nonlocal_statement")) {
    return false;
  }
  if (parent.is("assignment") || parent.is("for_statement") || parent.is("for_in_clause")) {
    return parent.field("left") != identifier;
  }
  return true;
}

const std::vector<std::string>& python_builtins() {
  static const std::vector<std::string> k_builtins = {"ArithmeticError",
                                                      "AssertionError",
                                                      "AttributeError",
                                                      "BaseException",
                                                      "BlockingIOError",
                                                      "BrokenPipeError",
                                                      "BufferError",
                                                      "ChildProcessError",
                                                      "ConnectionError",
                                                      "EOFError",
                                                      "Ellipsis",
                                                      "Exception",
                                                      "False",
                                                      "FileExistsError",
                                                      "FileNotFoundError",
                                                      "FloatingPointError",
                                                      "ImportError",
                                                      "IndexError",
                                                      "InterruptedError",
                                                      "IsADirectoryError",
                                                      "KeyError",
                                                      "KeyboardInterrupt",
                                                      "LookupError",
                                                      "MemoryError",
                                                      "ModuleNotFoundError",
                                                      "NameError",
                                                      "None",
                                                      "NotADirectoryError",
                                                      "NotImplemented",
                                                      "NotImplementedError",
                                                      "OSError",
                                                      "OverflowError",
                                                      "PermissionError",
                                                      "ProcessLookupError",
                                                      "RecursionError",
                                                      "ReferenceError",
                                                      "RuntimeError",
                                                      "RuntimeWarning",
                                                      "StopAsyncIteration",
                                                      "StopIteration",
                                                      "SyntaxError",
                                                      "SystemError",
                                                      "SystemExit",
                                                      "TimeoutError",
                                                      "True",
                                                      "TypeError",
                                                      "UnicodeDecodeError",
                                                      "UnicodeEncodeError",
                                                      "UserWarning",
                                                      "ValueError",
                                                      "Warning",
                                                      "ZeroDivisionError",
                                                      "__file__",
                                                      "__import__",
                                                      "__name__",
                                                      "abs",
                                                      "all",
                                                      "any",
                                                      "ascii",
                                                      "bin",
                                                      "bool",
                                                      "breakpoint",
                                                      "bytearray",
                                                      "bytes",
                                                      "callable",
                                                      "chr",
                                                      "classmethod",
                                                      "compile",
                                                      "complex",
                                                      "delattr",
                                                      "dict",
                                                      "dir",
                                                      "divmod",
                                                      "enumerate",
                                                      "eval",
                                                      "exec",
                                                      "filter",
                                                      "float",
                                                      "format",
                                                      "frozenset",
                                                      "getattr",
                                                      "globals",
                                                      "hasattr",
                                                      "hash",
                                                      "hex",
                                                      "id",
                                                      "input",
                                                      "int",
                                                      "isinstance",
                                                      "issubclass",
                                                      "iter",
                                                      "len",
                                                      "list",
                                                      "locals",
                                                      "map",
                                                      "max",
                                                      "memoryview",
                                                      "min",
                                                      "next",
                                                      "object",
                                                      "oct",
                                                      "open",
                                                      "ord",
                                                      "pow",
                                                      "print",
                                                      "property",
                                                      "range",
                                                      "repr",
                                                      "reversed",
                                                      "round",
                                                      "set",
                                                      "setattr",
                                                      "slice",
                                                      "sorted",
                                                      "staticmethod",
                                                      "str",
                                                      "sum",
                                                      "super",
                                                      "tuple",
                                                      "type",
                                                      "vars",
                                                      "zip"};
  return k_builtins;
}

bool is_python_keyword(std::string_view text) {
  static const std::set<std::string_view> k_keywords = {
      "False", "None",     "True",  "and",    "as",   "assert", "async",  "await",    "break",
      "class", "continue", "def",   "del",    "elif", "else",   "except", "finally",  "for",
      "from",  "global",   "if",    "import", "in",   "is",     "lambda", "nonlocal", "not",
      "or",    "pass",     "raise", "return", "try",  "while",  "with",   "yield"};
  return k_keywords.contains(text);
}

}  // namespace tenline
