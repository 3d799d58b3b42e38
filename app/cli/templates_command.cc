#include "app/cli/templates_command.h"

#include <fmt/format.h>

#include "engine/base/json.h"
#include "engine/base/result.h"
#include "templates/template.h"

namespace tenline::cli {

int list_templates(bool markdown, bool json) {
  if (json) {
    Json list = Json::array();
    for (const templates::Template* form : templates::registry()) {
      list.push_back({{"id", form->id},
                      {"family", to_string(form->family)},
                      {"language", "python"},
                      {"summary", form->summary}});
    }
    fmt::print("{}\n", to_text({{"schema", 1}, {"templates", list}}, 2));
    return 0;
  }
  if (markdown) {
    fmt::print(
        "# Templates\n\nMade by `tenline templates list --markdown`.\n\n"
        "| id | family | what it does |\n| --- | --- | --- |\n");
  }
  for (const templates::Template* form : templates::registry()) {
    if (markdown) {
      fmt::print("| `{}` | {} | {} |\n", form->id, to_string(form->family), form->summary);
    } else {
      fmt::print("{:<20} {:<24} {}\n", form->id, to_string(form->family), form->summary);
    }
  }
  return 0;
}

int show_template(const std::string& id) {
  for (const templates::Template* form : templates::registry()) {
    if (id != form->id) continue;
    fmt::print("{}\n\n{}\n\nfamily: {}\nlanguage: python\nprior: {}\nquery: {}\n", form->id,
               form->summary, to_string(form->family), form->prior, form->query);
    return 0;
  }
  throw Fatal(2, fmt::format("there is no template {} (see tenline templates list)", id));
}

}  // namespace tenline::cli
