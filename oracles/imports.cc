#include "oracles/imports.h"

#include <algorithm>

#include "engine/base/text.h"

namespace tenline {

namespace {

std::string_view file_name(std::string_view path) { return path.substr(path.rfind('/') + 1); }

std::string_view first_word(std::string_view text) {
  text = trim(text);
  return text.substr(0, text.find_first_of(" \t,()#\\;"));
}

/// The names after `import`, up to the end of the parentheses or the line.
std::vector<std::string> imported_names(std::string_view rest) {
  rest = trim(rest.substr(0, 4096));
  if (rest.starts_with('(')) {
    rest = rest.substr(1, rest.find(')') - 1);
  } else {
    rest = rest.substr(0, rest.find('\n'));
  }
  std::vector<std::string> names;
  for (const std::string_view line : split_lines(rest)) {
    for (const std::string_view part : split(line.substr(0, line.find('#')), ',')) {
      if (const std::string_view name = first_word(part); is_identifier(name)) {
        names.emplace_back(name);
      }
    }
  }
  return names;
}

void add_plain_imports(std::string_view rest, std::set<std::string>& modules) {
  rest = rest.substr(0, rest.find_first_of("\n#;"));
  for (const std::string_view part : split(rest, ',')) {
    if (const std::string_view name = first_word(part); !name.empty()) modules.emplace(name);
  }
}

void add_from_import(std::string_view rest, std::set<std::string>& modules) {
  const std::string module(first_word(rest));
  const std::size_t import = rest.find(" import");
  const std::size_t line_end = std::min(rest.find('\n'), rest.size());
  if (module.empty() || module.starts_with('.') || import > line_end) return;
  modules.insert(module);
  for (const std::string& name : imported_names(rest.substr(import + 7))) {
    modules.insert(fmt::format("{}.{}", module, name));
  }
}

}  // namespace

std::set<std::string> imported_modules(std::string_view text) {
  std::set<std::string> modules;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    const std::size_t begin = std::min(text.find_first_not_of(" \t", at), end);
    const std::string_view rest = text.substr(begin);
    if (rest.starts_with("import ")) add_plain_imports(rest.substr(7), modules);
    if (rest.starts_with("from ")) add_from_import(rest.substr(5), modules);
    at = end + 1;
  }
  return modules;
}

TestImports::TestImports(const Workspace& workspace) {
  constexpr std::size_t k_most_files = 5'000;
  constexpr std::size_t k_most_bytes = std::size_t{1} << 20U;
  for (const std::string& path : workspace.files()) {
    if (!is_test_file(path) || imports_.size() >= k_most_files) continue;
    const Result<std::string> text = workspace.read(path);
    if (!text) continue;  // A missing blob.
    imports_.emplace_back(path, imported_modules(std::string_view(*text).substr(0, k_most_bytes)));
  }
}

std::vector<std::string> TestImports::tests_of(const std::vector<std::string>& files) const {
  std::vector<std::pair<double, std::string>> found;
  for (const auto& [path, modules] : imports_) {
    double closest = -1;
    for (const std::string& file : files) {
      const std::string module = module_name(file);
      if (module.empty() || (!modules.contains(module) && path != file)) continue;
      std::string stem(file_name(path));
      stem.resize(stem.size() - 3);
      if (stem.starts_with("test_")) stem.erase(0, 5);
      closest = std::max(closest, name_similarity(stem, module.substr(module.rfind('.') + 1)));
    }
    if (closest >= 0) found.emplace_back(-closest, path);
  }
  std::sort(found.begin(), found.end());
  std::vector<std::string> paths;
  paths.reserve(found.size());
  for (auto& [distance, path] : found) paths.push_back(std::move(path));
  return paths;
}

}  // namespace tenline
