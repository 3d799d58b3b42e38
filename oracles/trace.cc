#include "oracles/trace.h"

#include <algorithm>
#include <filesystem>
#include <map>
#include <tuple>

#include "engine/base/json.h"
#include "engine/base/text.h"
#include "oracles/files.h"

namespace tenline {

namespace {

constexpr std::size_t k_most_functions = 20'000;
constexpr std::size_t k_most_lines = 4'000;
constexpr std::size_t k_most_exceptions = 200;
constexpr std::size_t k_most_frames = 40;
constexpr std::size_t k_most_values = 200;
constexpr std::size_t k_longest_name = 500;
constexpr std::size_t k_longest_message = 2'000;
constexpr std::size_t k_trace_bytes = std::size_t{32} << 20U;

/// The member of an object, or null, which no getter below takes for a value.
const Json& member(const Json& object, const char* name) {
  static const Json k_null;
  if (!object.is_object()) return k_null;
  const auto it = object.find(name);
  return it == object.end() ? k_null : *it;
}

std::string text_of(const Json& value, std::size_t limit) {
  if (!value.is_string()) return {};
  return to_valid_utf8(std::string_view(value.get_ref<const std::string&>()).substr(0, limit));
}

/// The number, or `otherwise` if it is none or not between 0 and 2^31 - 1.
int number_of(const Json& value, int otherwise = 0) {
  if (!value.is_number_integer()) return otherwise;
  const auto number = value.get<std::int64_t>();
  return number < 0 || number > INT32_MAX ? otherwise : static_cast<int>(number);
}

template <class Use>
void for_each_in_list(const Json& list, std::size_t limit, Use use) {
  if (!list.is_array()) return;
  for (std::size_t i = 0; i < std::min(limit, list.size()); ++i) use(list[i]);
}

std::vector<int> lines_of(const Json& list) {
  std::vector<int> lines;
  for_each_in_list(list, k_most_lines, [&](const Json& line) {
    if (const int number = number_of(line); number > 0) lines.push_back(number);
  });
  std::sort(lines.begin(), lines.end());
  lines.erase(std::unique(lines.begin(), lines.end()), lines.end());
  return lines;
}

SeenValue value_of(const Json& json) {
  SeenValue value;
  value.type = text_of(member(json, "type"), k_longest_name);
  value.length = number_of(member(json, "length"), -1);
  value.repr = text_of(member(json, "repr"), k_longest_name);
  return value;
}

FailureFrame frame_of(const Json& json) {
  FailureFrame frame;
  frame.file = text_of(member(json, "file"), k_longest_name);
  frame.line = number_of(member(json, "line"));
  frame.function = text_of(member(json, "function"), k_longest_name);
  const Json& values = member(json, "values");
  if (!values.is_object()) return frame;
  for (const auto& [name, value] : values.items()) {
    if (frame.values.size() >= k_most_values) break;
    if (name.size() <= k_longest_name) frame.values[to_valid_utf8(name)] = value_of(value);
  }
  return frame;
}

void sort_functions(FailureTrace& trace) {
  std::sort(trace.functions.begin(), trace.functions.end(), [](const auto& a, const auto& b) {
    return std::tie(a.file, a.first_line, a.name) < std::tie(b.file, b.first_line, b.name);
  });
}

void sort_files(FailureTrace& trace) {
  std::sort(trace.files.begin(), trace.files.end());
  trace.files.erase(std::unique(trace.files.begin(), trace.files.end()), trace.files.end());
}

}  // namespace

Result<FailureTrace> parse_trace(std::string_view text,
                                 const IsRepositoryFile& is_repository_file) {
  TENLINE_TRY(const Json document, parse_json(text, k_trace_bytes));
  FailureTrace trace;
  for_each_in_list(member(document, "functions"), k_most_functions, [&](const Json& json) {
    ExecutedFunction function;
    function.file = text_of(member(json, "file"), k_longest_name);
    function.name = text_of(member(json, "name"), k_longest_name);
    function.first_line = number_of(member(json, "first_line"));
    function.depth = number_of(member(json, "depth"));
    function.calls = number_of(member(json, "calls"));
    function.last_event = number_of(member(json, "last_event"));
    function.lines = lines_of(member(json, "lines"));
    if (function.name.empty() || !is_repository_file(function.file)) return;
    trace.functions.push_back(std::move(function));
  });
  for_each_in_list(member(document, "exceptions"), k_most_exceptions, [&](const Json& json) {
    FailureException exception;
    exception.type = text_of(member(json, "type"), k_longest_name);
    exception.message = text_of(member(json, "message"), k_longest_message);
    exception.escaped = member(json, "escaped") == true;
    for_each_in_list(member(json, "frames"), k_most_frames, [&](const Json& frame_json) {
      FailureFrame frame = frame_of(frame_json);
      if (is_repository_file(frame.file)) exception.frames.push_back(std::move(frame));
    });
    if (!exception.type.empty()) trace.exceptions.push_back(std::move(exception));
  });
  for_each_in_list(member(document, "files"), k_most_functions, [&](const Json& json) {
    std::string file = text_of(json, k_longest_name);
    if (is_repository_file(file)) trace.files.push_back(std::move(file));
  });
  sort_functions(trace);
  sort_files(trace);
  return trace;
}

FailureTrace merge_traces(const std::vector<FailureTrace>& traces) {
  FailureTrace all;
  std::map<std::tuple<std::string, std::string, int>, ExecutedFunction> functions;
  for (const FailureTrace& trace : traces) {
    for (const ExecutedFunction& function : trace.functions) {
      const auto [it, is_new] =
          functions.try_emplace({function.file, function.name, function.first_line}, function);
      if (is_new) continue;
      ExecutedFunction& merged = it->second;
      merged.depth = std::min(merged.depth, function.depth);
      merged.calls = std::max(merged.calls, function.calls);  // Not the sum, which could overflow.
      merged.last_event = std::max(merged.last_event, function.last_event);
      std::vector<int> lines;
      std::set_union(merged.lines.begin(), merged.lines.end(), function.lines.begin(),
                     function.lines.end(), std::back_inserter(lines));
      merged.lines = std::move(lines);
    }
    all.exceptions.insert(all.exceptions.end(), trace.exceptions.begin(), trace.exceptions.end());
    all.files.insert(all.files.end(), trace.files.begin(), trace.files.end());
  }
  for (auto& [key, function] : functions) all.functions.push_back(std::move(function));
  sort_functions(all);
  sort_files(all);
  return all;
}

Result<FailureTrace> read_traces(const std::string& folder,
                                 const IsRepositoryFile& is_repository_file) {
  constexpr std::size_t k_most_children = 16;
  const std::string main = folder + "/trace-main.json";
  std::vector<std::string> children;
  std::error_code error;
  for (std::filesystem::directory_iterator it(folder, error), end; !error && it != end;
       it.increment(error)) {
    const std::string name = it->path().filename().string();
    if (name.starts_with("trace-") && name.ends_with(".json") && name != "trace-main.json") {
      children.push_back(name);
    }
    if (children.size() > 10'000) break;
  }
  std::sort(children.begin(), children.end());
  if (children.size() > k_most_children) children.resize(k_most_children);

  std::vector<FailureTrace> traces;
  for (const std::string& name : children) {
    const Result<std::string> text =
        read_untrusted_file(fmt::format("{}/{}", folder, name), k_trace_bytes);
    if (!text) continue;
    if (Result<FailureTrace> trace = parse_trace(*text, is_repository_file); trace) {
      traces.push_back(*std::move(trace));
    }
  }
  TENLINE_TRY(const std::string text, read_untrusted_file(main, k_trace_bytes));
  TENLINE_TRY(traces.emplace_back(), parse_trace(text, is_repository_file));
  return merge_traces(traces);
}

}  // namespace tenline
