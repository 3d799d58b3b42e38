#include "engine/base/json.h"

namespace tenline {

Result<Json> parse_json(std::string_view text, std::size_t max_bytes) {
  constexpr int k_max_depth = 64;
  if (text.size() > max_bytes) {
    return fail(ErrorCode::limit,
                fmt::format("JSON of {} bytes is over the limit of {}", text.size(), max_bytes));
  }
  bool too_deep = false;
  const auto limit_depth = [&](int depth, Json::parse_event_t, Json&) {
    if (depth > k_max_depth) too_deep = true;
    return !too_deep;
  };
  Json document = Json::parse(text, limit_depth, /*allow_exceptions=*/false);
  if (too_deep) return fail(ErrorCode::limit, "JSON is nested too deeply");
  if (document.is_discarded()) return fail(ErrorCode::invalid_input, "not valid JSON");
  return document;
}

std::string to_text(const Json& document, int indent) {
  return document.dump(indent, ' ', false, Json::error_handler_t::replace);
}

}  // namespace tenline
