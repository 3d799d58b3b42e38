#include "oracles/interpreter.h"

#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>

#include "engine/base/json.h"
#include "engine/base/text.h"
#include "oracles/output.h"
#include "oracles/programs.h"

namespace tenline {

namespace fs = std::filesystem;

namespace {

bool is_program(const fs::path& path) {
  std::error_code ignored;
  return fs::is_regular_file(path, ignored) && ::access(path.c_str(), X_OK) == 0;
}

/// Folders that a sandbox shows anyway, or that are too wide to show.
bool is_too_wide(const std::string& folder) {
  return folder.empty() || folder == "/" || folder == "/usr" || folder.starts_with("/usr/bin") ||
         folder.starts_with("/usr/lib") || folder == "/home" || folder == "/root" ||
         folder == "/tmp" || folder == "/etc" || folder == "/bin" || folder == "/opt";
}

void add_place(std::vector<std::string>& places, std::string folder) {
  while (folder.size() > 1 && folder.ends_with('/')) folder.pop_back();
  if (!folder.starts_with('/') || is_too_wide(folder)) return;
  if (std::find(places.begin(), places.end(), folder) == places.end()) {
    places.push_back(std::move(folder));
  }
}

/// Where the interpreter must be looking to start at all: the folder above its `bin`, for a link
/// and for what it points to.
std::vector<std::string> first_places(const std::string& executable) {
  std::vector<std::string> places;
  std::error_code ignored;
  const fs::path target = fs::weakly_canonical(executable, ignored);
  for (const fs::path& path : {fs::path(executable), target}) {
    const fs::path bin = path.parent_path();
    if (bin.filename() == "bin" && !is_too_wide(bin.parent_path().string())) {
      add_place(places, bin.parent_path().string());
    } else {
      add_place(places, bin.string());
    }
  }
  return places;
}

std::map<std::string, std::string> base_environment() {
  return {
      {"PYTHONHASHSEED", "0"},
      {"PYTHONDONTWRITEBYTECODE", "1"},
      {"OMP_NUM_THREADS", "1"},
      {"MKL_NUM_THREADS", "1"},
      {"OPENBLAS_NUM_THREADS", "1"},
      {"NUMEXPR_NUM_THREADS", "1"},
      {"TOKENIZERS_PARALLELISM", "false"},
      {"CUDA_VISIBLE_DEVICES", ""},  // No GPU is leased.
  };
}

void read_answer(const Json& answer, Interpreter& interpreter) {
  const auto text = [&](const char* name) {
    const auto it = answer.find(name);
    return it != answer.end() && it->is_string() ? it->get<std::string>() : std::string();
  };
  interpreter.cache_tag = text("cache_tag");
  if (const auto it = answer.find("version"); it != answer.end() && it->is_array()) {
    for (const Json& part : *it) {
      if (!interpreter.version.empty()) interpreter.version += '.';
      interpreter.version += to_text(part);
    }
  }
  if (const auto it = answer.find("places"); it != answer.end() && it->is_array()) {
    for (const Json& place : *it) {
      if (place.is_string()) add_place(interpreter.readable, place.get<std::string>());
    }
  }
}

}  // namespace

Result<std::string> find_program(const std::string& name) {
  if (name.find('/') != std::string::npos) {
    std::error_code error;
    const fs::path path = fs::absolute(name, error).lexically_normal();
    if (!error && is_program(path)) return path.string();
    return fail(ErrorCode::not_found, fmt::format("{}: no such program", name));
  }
  const char* path = std::getenv("PATH");
  for (const std::string_view folder : split(path == nullptr ? "/usr/bin:/bin" : path, ':')) {
    if (!folder.starts_with('/')) continue;
    const fs::path file = fs::path(folder) / name;
    if (!name.empty() && is_program(file)) return file.string();
  }
  return fail(ErrorCode::not_found, fmt::format("{}: no such program on the PATH", name));
}

Result<Interpreter> ask_interpreter(const std::string& python, ProcessRunner& runner) {
  Interpreter interpreter;
  interpreter.environment = base_environment();
  const Result<std::string> executable = find_program(python);
  if (!executable) {
    interpreter.problem = executable.error().message;
    return interpreter;
  }
  interpreter.executable = *executable;
  interpreter.readable = first_places(*executable);
  // Packages that the user installed for themselves stay usable, although the home folder changes.
  std::error_code ignored;
  if (const char* home = std::getenv("HOME"); home != nullptr) {
    const std::string user_base = std::string(home) + "/.local";
    if (fs::is_directory(user_base + "/lib", ignored)) {
      interpreter.environment["PYTHONUSERBASE"] = user_base;
      add_place(interpreter.readable, user_base + "/lib");
    }
  }
  Command command;
  command.argv = {*executable, "-c", std::string(programs::k_ask_interpreter)};
  command.environment = interpreter.environment;
  command.readable = interpreter.readable;
  command.limits.time = std::chrono::seconds(60);
  TENLINE_TRY(const ProcessOutput output, runner.run(command));
  if (output.end == ProcessEnd::cancelled) return fail(ErrorCode::cancelled, "cancelled");

  const std::string_view printed = trim(output.out);
  const Result<Json> answer = parse_json(printed.substr(printed.rfind('\n') + 1), 1U << 20U);
  const bool works =
      output.end == ProcessEnd::exited && output.exit_code == 0 && answer && answer->is_object();
  if (!works) {
    interpreter.problem = fmt::format("{} is not a Python that works: {}: {}", *executable,
                                      end_of(output, command.limits), last_error(output));
    return interpreter;
  }
  read_answer(*answer, interpreter);
  return interpreter;
}

}  // namespace tenline
