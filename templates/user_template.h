#pragma once

// Templates that a repository brings: .tenline/templates/*.yaml. docs/manual.md has the format.

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/core/ports.h"
#include "templates/template.h"
#include "templates/user_rule.h"

namespace tenline::templates {

/// What the author says that a template does.
struct TemplateExample {
  int line = 0;
  std::string before;
  std::optional<std::string> after;  ///< None: the template must not fire.
};

/// A template that comes from a file, with the texts that `form` points to; it stays where it is.
class UserTemplate {
 public:
  /// Reads one file; `file` is its name in errors, which say "file:line: reason".
  [[nodiscard]] static Result<std::unique_ptr<UserTemplate>> read(const std::string& file,
                                                                  std::string_view text);
  UserTemplate(const UserTemplate&) = delete;
  UserTemplate& operator=(const UserTemplate&) = delete;
  ~UserTemplate() = default;

  [[nodiscard]] const Template& form() const { return form_; }
  [[nodiscard]] const std::vector<TemplateExample>& examples() const { return examples_; }

 private:
  friend class UserTemplateReader;
  UserTemplate() = default;

  std::string file_;
  std::string id_;
  std::string summary_;
  std::string query_;
  Rule rule_;
  std::vector<TemplateExample> examples_;
  Template form_{.id = "",
                 .family = Family::other,
                 .summary = "",
                 .language = Language::python,
                 .query = "",
                 .prior = 1,
                 .rewrite = Rewrite(rule_)};
};

/// Those of several files, in the order of their names, and why the others are none.
struct UserTemplates {
  std::vector<std::unique_ptr<UserTemplate>> templates;
  std::vector<std::string> problems;  ///< A line each.

  [[nodiscard]] std::vector<const Template*> forms() const;
};

/// The folder of a repository that has them.
inline constexpr std::string_view k_user_templates = ".tenline/templates";

/// Reads the files of one repository; an id that an earlier file has is a problem.
[[nodiscard]] UserTemplates read_user_templates(const FileTexts& texts);

/// Those of the base revision of a workspace.
[[nodiscard]] UserTemplates user_templates_of(const Workspace& workspace);

}  // namespace tenline::templates
