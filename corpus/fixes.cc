#include "corpus/fixes.h"

#include <algorithm>
#include <charconv>

#include "engine/base/json.h"
#include "engine/base/text.h"

namespace tenline::corpus {

namespace {

bool is_commit(std::string_view text) {
  return text.size() == 40 && text.find_first_not_of("0123456789abcdef") == std::string_view::npos;
}

std::string text_of(const Json& row, const char* key) {
  const auto it = row.find(key);
  return it != row.end() && it->is_string() ? it->get<std::string>() : std::string{};
}

/// The miners of the frameworks named the shape in two ways.
std::string shape_of(const Json& row) {
  const auto shapes = row.find("edit_shapes");
  if (shapes != row.end() && shapes->is_array() && !shapes->empty() &&
      shapes->front().is_string()) {
    return shapes->front().get<std::string>();
  }
  return text_of(row, "edit_shape");
}

Result<Fix> read_fix(std::string_view line) {
  TENLINE_TRY(const Json row, parse_json(line, std::size_t{1} << 20U));
  if (!row.is_object()) return fail(ErrorCode::invalid_input, "not an object");
  Fix fix{.framework = text_of(row, "framework"),
          .repository = text_of(row, "repository"),
          .parent_commit = text_of(row, "parent_commit"),
          .fix_commit = text_of(row, "fix_commit"),
          .date = text_of(row, "date"),
          .strategy = text_of(row, "strategy"),
          .shape = shape_of(row),
          .files = {}};
  if (!is_commit(fix.parent_commit) || !is_commit(fix.fix_commit)) {
    return fail(ErrorCode::invalid_input, "parent_commit and fix_commit must be full commit ids");
  }
  const bool plain = fix.repository.find("..") == std::string::npos &&
                     std::ranges::count(fix.repository, '/') == 1;
  if (!plain) return fail(ErrorCode::invalid_input, "repository must be owner/name");
  const auto files = row.find("files");
  if (files == row.end() || !files->is_array() || files->empty()) {
    return fail(ErrorCode::invalid_input, "files must be a list of paths");
  }
  for (const Json& file : *files) {
    if (!file.is_string()) return fail(ErrorCode::invalid_input, "files must be a list of paths");
    fix.files.push_back(file.get<std::string>());
  }
  return fix;
}

}  // namespace

bool is_held_out(const Fix& fix) {
  int value = 0;
  std::from_chars(fix.fix_commit.data(), fix.fix_commit.data() + 4, value, 16);
  return value % 5 == 0;
}

Result<std::vector<Fix>> read_fixes(std::string_view text) {
  std::vector<Fix> fixes;
  int number = 0;
  for (const std::string_view line : split_lines(text)) {
    ++number;
    if (trim(line).empty()) continue;
    Result<Fix> fix = read_fix(line);
    if (!fix) {
      return fail(fix.error().code, fmt::format("line {}: {}", number, fix.error().message));
    }
    fixes.push_back(*std::move(fix));
  }
  if (fixes.empty()) return fail(ErrorCode::invalid_input, "no fixes in it");
  return fixes;
}

}  // namespace tenline::corpus
