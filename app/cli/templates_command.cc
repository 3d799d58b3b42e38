#include "app/cli/templates_command.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "app/cli/parts.h"
#include "engine/base/json.h"
#include "engine/base/result.h"
#include "engine/platform/disk.h"
#include "engine/report/wording.h"
#include "templates/template.h"
#include "templates/user_examples.h"

namespace tenline::cli {

namespace {

namespace fs = std::filesystem;
using templates::Template;
using templates::UserTemplate;
using templates::UserTemplates;

constexpr std::size_t k_longest_problem = 500;

/// The folder of templates of a repository; where none is named, of the one around the current
/// folder. Empty where there is none.
std::string folder_of(const std::string& repository) {
  std::error_code error;
  if (!repository.empty()) {
    if (!fs::is_directory(repository, error)) {
      throw Fatal(2, fmt::format("--repo {}: no such folder", repository));
    }
    const fs::path folder = fs::path(repository) / templates::k_user_templates;
    return fs::is_directory(folder, error) ? folder.string() : std::string{};
  }
  fs::path up;
  for (fs::path at = fs::current_path(error); !at.empty(); at = at.parent_path()) {
    if (fs::is_directory(at / templates::k_user_templates, error)) {
      return (up / templates::k_user_templates).string();
    }
    if (fs::exists(at / ".git", error) || at == at.root_path()) break;
    up /= "..";
  }
  return {};
}

std::vector<std::string> files_in(const std::string& folder) {
  std::vector<std::string> files;
  std::error_code error;
  for (fs::directory_iterator it(folder, error), end; !error && it != end; it.increment(error)) {
    if (it->path().extension() == ".yaml") files.push_back(it->path().string());
  }
  std::sort(files.begin(), files.end());
  return files;
}

UserTemplates read(const std::vector<std::string>& files) {
  FileTexts texts;
  std::vector<std::string> problems;
  for (const std::string& file : files) {
    constexpr std::size_t k_most_read = std::size_t{1} << 20U;
    Result<std::string> text = read_file(file, k_most_read);
    if (text) {
      texts[file] = *std::move(text);
    } else {
      problems.push_back(text.error().message);
    }
  }
  UserTemplates found = templates::read_user_templates(texts);
  found.problems.insert(found.problems.end(), problems.begin(), problems.end());
  return found;
}

void print_problems(const UserTemplates& templates) {
  for (const std::string& problem : templates.problems) {
    fmt::print(stderr, "tenline: {}\n", visible_line(problem, k_longest_problem));
  }
}

UserTemplates of_repository(const std::string& repository) {
  const std::string folder = folder_of(repository);
  if (folder.empty()) return {};
  UserTemplates found = read(files_in(folder));
  print_problems(found);
  return found;
}

std::vector<const Template*> with_built_in(const UserTemplates& users) {
  std::vector<const Template*> all = templates::registry();
  const std::vector<const Template*> more = users.forms();
  all.insert(all.end(), more.begin(), more.end());
  return all;
}

void print_markdown() {
  fmt::print(
      "# Templates\n\nMade by `tenline templates list --markdown`.\n\n"
      "| id | family | what it does |\n| --- | --- | --- |\n");
  for (const Template* form : templates::registry()) {
    fmt::print("| `{}` | {} | {} |\n", form->id, to_string(form->family), form->summary);
  }
}

void print_json(const std::vector<const Template*>& forms) {
  Json list = Json::array();
  for (const Template* form : forms) {
    list.push_back({{"id", form->id},
                    {"family", to_string(form->family)},
                    {"language", "python"},
                    {"summary", form->summary}});
    if (form->file != nullptr) list.back()["file"] = form->file;
  }
  fmt::print("{}\n", to_text({{"schema", 1}, {"templates", list}}, 2));
}

/// The files that are named, and those in the folders that are.
std::vector<std::string> files_of(const std::string& repository,
                                  const std::vector<std::string>& paths) {
  std::vector<std::string> files;
  std::error_code error;
  std::vector<std::string> asked = paths;
  if (asked.empty()) {
    const std::string folder = folder_of(repository);
    if (folder.empty()) {
      throw Fatal(2, fmt::format("there is no {} {}", templates::k_user_templates,
                                 repository.empty() ? "here" : "in " + repository));
    }
    asked.push_back(folder);
  }
  for (const std::string& path : asked) {
    if (!fs::exists(path, error)) throw Fatal(2, fmt::format("{}: no such file", path));
    if (!fs::is_directory(path, error)) {
      files.push_back(path);
      continue;
    }
    const std::vector<std::string> inside = files_in(path);
    if (inside.empty()) throw Fatal(2, fmt::format("{}: no *.yaml in this folder", path));
    files.insert(files.end(), inside.begin(), inside.end());
  }
  return files;
}

/// Prints what the examples of a template gave, and says how many hold.
std::size_t test_one(const UserTemplate& form) {
  const std::vector<templates::ExampleResult> results = templates::run_examples(form);
  const auto held = static_cast<std::size_t>(std::count_if(
      results.begin(), results.end(), [](const auto& one) { return one.problem.empty(); }));
  fmt::print("{}: {} of {} hold\n", visible_line(form.form().file), held,
             count_text(results.size(), "example"));
  for (const templates::ExampleResult& one : results) {
    if (one.problem.empty()) continue;
    std::string text = fmt::format("  line {}: ", one.line);
    for (const char c : one.problem) text += c == '\n' ? std::string("\n  ") : std::string(1, c);
    fmt::print("{}\n", text);
  }
  return held;
}

}  // namespace

int list_templates(const std::string& repository, bool markdown, bool json) {
  if (markdown) {
    print_markdown();
    return 0;
  }
  const UserTemplates users = of_repository(repository);
  const std::vector<const Template*> forms = with_built_in(users);
  if (json) {
    print_json(forms);
    return 0;
  }
  for (const Template* form : forms) {
    fmt::print("{:<20} {:<24} {}", form->id, to_string(form->family), visible_line(form->summary));
    fmt::print("{}\n", form->file == nullptr ? std::string{}
                                             : fmt::format(" ({})", visible_line(form->file)));
  }
  return 0;
}

int show_template(const std::string& repository, const std::string& id) {
  const UserTemplates users = of_repository(repository);
  for (const Template* form : with_built_in(users)) {
    if (id != form->id) continue;
    fmt::print("{}\n\n{}\n\nfamily: {}\nlanguage: python\nprior: {}\n", form->id,
               visible_line(form->summary), to_string(form->family), form->prior);
    if (form->file != nullptr) fmt::print("file: {}\n", visible_line(form->file));
    fmt::print("query: {}\n", visible(form->query));
    return 0;
  }
  throw Fatal(2, fmt::format("there is no template {} (see tenline templates list)", id));
}

int test_templates(const std::string& repository, const std::vector<std::string>& paths) {
  const UserTemplates users = read(files_of(repository, paths));
  std::size_t held = 0;
  std::size_t all = 0;
  for (const auto& form : users.templates) {
    held += test_one(*form);
    all += form->examples().size();
  }
  print_problems(users);
  fmt::print("{}: {} of {} hold\n", count_text(users.templates.size(), "template"), held,
             count_text(all, "example"));
  if (!users.problems.empty()) return 6;
  return held == all ? 0 : 1;
}

}  // namespace tenline::cli
