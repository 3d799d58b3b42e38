#pragma once

#include <string>

namespace tenline::cli {

/// `tenline templates list`: a line each, a Markdown page (docs/templates.md), or JSON.
[[nodiscard]] int list_templates(bool markdown, bool json);

/// `tenline templates show ID`; throws Fatal for an unknown id.
[[nodiscard]] int show_template(const std::string& id);

}  // namespace tenline::cli
