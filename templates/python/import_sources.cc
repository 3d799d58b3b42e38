// From where a name can be imported: as the repository does elsewhere, from the module that defines
// it, or from the standard library.

#include <algorithm>
#include <map>

#include "engine/base/text.h"
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

}  // namespace

std::vector<std::string> imports_of_name(const Context& context, std::string_view name) {
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

std::string absolute_module(std::string_view file, std::string_view module) {
  if (!module.starts_with(".")) return std::string(module);
  const std::size_t dots = std::min(module.find_first_not_of('.'), module.size());
  std::string package(file);
  for (std::size_t i = 0; i < dots; ++i) {
    const std::size_t slash = package.rfind('/');
    package.resize(slash == std::string::npos ? 0 : slash);
  }
  const std::string_view rest = module.substr(dots);
  const std::string parent = package.empty() ? std::string{} : module_name(package + ".py");
  if (parent.empty() || rest.empty()) return parent + std::string(rest);
  return fmt::format("{}.{}", parent, rest);
}

std::string relative_module(std::string_view file, std::string_view module) {
  const std::size_t slash = file.rfind('/');
  if (slash == std::string_view::npos) return {};
  std::string package = module_name(std::string(file.substr(0, slash)) + ".py");
  for (std::string dots = "."; dots.size() <= 3 && !package.empty(); dots += '.') {
    if (module == package) return dots;
    if (module.starts_with(package + '.')) {
      return dots + std::string(module.substr(package.size() + 1));
    }
    const std::size_t dot = package.rfind('.');
    package.resize(dot == std::string::npos ? 0 : dot);
  }
  return {};
}

}  // namespace tenline::templates
