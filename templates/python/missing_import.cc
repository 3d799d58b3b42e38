// A name that nothing binds gets its import: as the repository imports it elsewhere, from the
// module of the repository that defines it, or from the standard library.

#include <algorithm>
#include <map>

#include "engine/base/text.h"
#include "templates/python/edits.h"
#include "templates/python/imports.h"

namespace tenline::templates {
namespace {

/// Names of the standard library that code forgets, with their modules.
const std::map<std::string_view, std::string_view>& standard_names() {
  static const std::map<std::string_view, std::string_view> k_names = {
      {"OrderedDict", "collections"},
      {"defaultdict", "collections"},
      {"deque", "collections"},
      {"namedtuple", "collections"},
      {"Counter", "collections"},
      {"Mapping", "collections.abc"},
      {"Iterable", "typing"},
      {"Any", "typing"},
      {"Callable", "typing"},
      {"Dict", "typing"},
      {"Iterator", "typing"},
      {"List", "typing"},
      {"Literal", "typing"},
      {"Optional", "typing"},
      {"Sequence", "typing"},
      {"Set", "typing"},
      {"Tuple", "typing"},
      {"Type", "typing"},
      {"TypeVar", "typing"},
      {"Union", "typing"},
      {"cast", "typing"},
      {"TYPE_CHECKING", "typing"},
      {"ABC", "abc"},
      {"abstractmethod", "abc"},
      {"Enum", "enum"},
      {"IntEnum", "enum"},
      {"Path", "pathlib"},
      {"Lock", "threading"},
      {"Thread", "threading"},
      {"MagicMock", "unittest.mock"},
      {"Mock", "unittest.mock"},
      {"patch", "unittest.mock"},
      {"ThreadPoolExecutor", "concurrent.futures"},
      {"asdict", "dataclasses"},
      {"chain", "itertools"},
      {"contextmanager", "contextlib"},
      {"dataclass", "dataclasses"},
      {"datetime", "datetime"},
      {"timedelta", "datetime"},
      {"deepcopy", "copy"},
      {"field", "dataclasses"},
      {"lru_cache", "functools"},
      {"nullcontext", "contextlib"},
      {"partial", "functools"},
      {"product", "itertools"},
      {"reduce", "functools"},
      {"signature", "inspect"},
      {"suppress", "contextlib"},
      {"wraps", "functools"},
  };
  return k_names;
}

bool is_standard_module(std::string_view name) {
  static const std::set<std::string_view> k_modules = {"abc",         "argparse",
                                                       "ast",         "asyncio",
                                                       "atexit",      "base64",
                                                       "bisect",      "builtins",
                                                       "codecs",      "collections",
                                                       "contextlib",  "copy",
                                                       "csv",         "ctypes",
                                                       "dataclasses", "datetime",
                                                       "enum",        "fnmatch",
                                                       "functools",   "gc",
                                                       "getpass",     "glob",
                                                       "gzip",        "hashlib",
                                                       "heapq",       "importlib",
                                                       "inspect",     "io",
                                                       "itertools",   "json",
                                                       "logging",     "math",
                                                       "mmap",        "multiprocessing",
                                                       "numbers",     "operator",
                                                       "os",          "pathlib",
                                                       "pickle",      "pkgutil",
                                                       "platform",    "pprint",
                                                       "queue",       "random",
                                                       "re",          "shlex",
                                                       "shutil",      "signal",
                                                       "socket",      "stat",
                                                       "string",      "struct",
                                                       "subprocess",  "sys",
                                                       "tempfile",    "textwrap",
                                                       "threading",   "time",
                                                       "timeit",      "traceback",
                                                       "types",       "typing",
                                                       "unittest",    "uuid",
                                                       "warnings",    "weakref",
                                                       "zipfile"};
  return k_modules.contains(name);
}

/// Import statements that bind a name, best first.
std::vector<std::string> imports_for(const Context& context, std::string_view name) {
  std::vector<std::string> texts;
  const auto add = [&](std::string text) {
    if (std::find(texts.begin(), texts.end(), text) == texts.end())
      texts.push_back(std::move(text));
  };
  for (std::string& text : context.index().imports_of(name)) {
    // Relative ones hold only in their own folder.
    if (!text.starts_with("from .") && text.find('\n') == std::string::npos) add(std::move(text));
  }
  for (const std::string& file : context.index().definers(name)) {
    if (file == context.file()) continue;
    add(fmt::format("from {} import {}", module_name(file), name));
  }
  if (is_standard_module(name)) add(fmt::format("import {}", name));
  const auto standard = standard_names().find(name);
  if (standard != standard_names().end()) {
    add(fmt::format("from {} import {}", standard->second, name));
  }
  constexpr std::size_t k_most = 6;
  if (texts.size() > k_most) texts.resize(k_most);
  return texts;
}

bool is_bound(const Context& context, const Node& identifier) {
  const std::string_view name = identifier.text();
  const std::vector<Name>& names = context.names(identifier);
  const std::vector<std::string>& builtins = python_builtins();
  return std::any_of(names.begin(), names.end(),
                     [&](const Name& known) { return known.text == name; }) ||
         std::find(builtins.begin(), builtins.end(), name) != builtins.end() ||
         (name.starts_with("__") && name.ends_with("__"));
}

/// The first import of each other unbound name of the block: a fallback branch that forgot one
/// import has often forgotten two.
std::string imports_of_block(const Context& context, const Node& identifier) {
  const Node block = identifier.ancestor({"block"});
  std::set<std::string_view> names = {identifier.text()};
  std::string text;
  block.walk([&](const Node& node) {
    if (!node.is("identifier") || !is_use(node) || is_bound(context, node)) return true;
    if (!names.insert(node.text()).second || names.size() > 3) return true;
    const std::vector<std::string> found = imports_for(context, node.text());
    if (found.empty()) return true;
    text += line_end(node) + indentation(enclosing_statement(identifier)) + found.front();
    return true;
  });
  return text;
}

void rewrite(const Match& match, const Context& context, Proposals& out) {
  const Node identifier = match["name"];
  const std::string_view name = identifier.text();
  const Symptom& symptom = context.symptom();
  const bool named =
      (symptom.is("NameError") || symptom.is("UnboundLocalError")) && symptom.name == name;
  if (!is_use(identifier) || (!named && is_bound(context, identifier))) return;
  // A star import may bind anything, and a name bound later may be unbound only at first.
  double weight = named ? 5 : 0.8;
  if (!named && !symptom.type.empty() && !symptom.is("AssertionError")) weight = 0.2;
  for (const std::string& text : imports_for(context, name)) {
    Proposal above = top_level_import(identifier, text, weight);
    // At module level an import below the use is too late.
    const bool late = !enclosing_function(identifier) &&
                      above.changes.front().span.begin > identifier.span().begin;
    if (late) above.weight *= 0.05;
    out.add(std::move(above));
    if (enclosing_function(identifier)) out.add(local_import(identifier, text, weight * 0.4));
    // Code of a `try` or `except` branch at module level runs before later imports would.
    if (const Node block = identifier.ancestor({"block"});
        block && !enclosing_function(identifier)) {
      const std::string others = named ? imports_of_block(context, identifier) : std::string{};
      if (!others.empty()) {
        out.add(import_before(enclosing_statement(identifier), text + others, weight * 0.85));
      }
      out.add(import_before(enclosing_statement(identifier), text, weight * 0.9));
    }
    weight *= 0.8;
  }
}

}  // namespace

extern constinit const Template k_missing_import = {
    .id = "missing-import",
    .family = Family::version_compatibility,
    .summary = "Import a name that is used but not bound.",
    .language = Language::python,
    .query = "(identifier) @name",
    .prior = 1.0,
    .rewrite = rewrite,
};
}  // namespace tenline::templates
