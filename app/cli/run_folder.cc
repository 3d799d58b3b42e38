#include "app/cli/run_folder.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <ranges>
#include <vector>

#include "engine/base/text.h"
#include "engine/platform/disk.h"

namespace tenline::cli {

namespace {

namespace fs = std::filesystem;

constexpr int k_most_runs = 999'999;

/// Numbers of the runs in a folder, sorted.
std::vector<int> run_numbers(const std::string& parent) {
  std::vector<int> numbers;
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(parent, error)) {
    const std::string name = entry.path().filename().string();
    const bool digits =
        !name.empty() && name.size() <= 6 &&
        std::all_of(name.begin(), name.end(), [](char c) { return c >= '0' && c <= '9'; });
    if (digits) numbers.push_back(std::atoi(name.c_str()));
  }
  std::sort(numbers.begin(), numbers.end());
  return numbers;
}

std::string run_name(int number) { return fmt::format("{:04}", number); }

bool is_run(const std::string& path) {
  std::error_code error;
  return fs::exists(path + "/input/options.json", error);
}

}  // namespace

Result<RunFolder> RunFolder::create(const std::string& parent) {
  TENLINE_TRY_VOID(make_folders(parent));
  const std::vector<int> taken = run_numbers(parent);
  for (int number = taken.empty() ? 1 : taken.back() + 1; number <= k_most_runs; ++number) {
    const std::string path = parent + "/" + run_name(number);
    std::error_code error;
    if (fs::create_directory(path, error)) {  // False where another run was quicker.
      TENLINE_TRY_VOID(make_folders(path + "/input"));
      return RunFolder(fs::absolute(path).lexically_normal().string());
    }
    if (error) {
      return fail(ErrorCode::io, fmt::format("{}: cannot be made: {}", path, error.message()));
    }
  }
  return fail(ErrorCode::limit, fmt::format("{} is full of runs", parent));
}

Result<RunFolder> RunFolder::find(const std::string& run, const std::vector<std::string>& parents) {
  std::vector<std::string> places = {run};
  for (const std::string& parent : parents) places.push_back(fmt::format("{}/{}", parent, run));
  const std::vector<int> numbers = run_numbers(run);
  for (const int number : numbers | std::views::reverse) {
    places.push_back(fmt::format("{}/{}", run, run_name(number)));
  }
  for (const std::string& path : places) {
    if (is_run(path)) return RunFolder(fs::absolute(path).lexically_normal().string());
  }
  return fail(ErrorCode::not_found,
              fmt::format("there is no run {} (looked in {})", run, fmt::join(parents, ", ")));
}

std::string RunFolder::id() const { return fs::path(path_).filename().string(); }

Result<FixOptions> RunFolder::options() const {
  TENLINE_TRY(const std::string text, read_file(file("input/options.json")));
  TENLINE_TRY(const Json document, parse_json(text));
  Result<FixOptions> options = options_from_json(document);
  if (!options) {
    return tl::unexpected(while_doing("reading " + file("input/options.json"), options.error()));
  }
  return options;
}

Result<void> RunFolder::keep(const FixOptions& options) const {
  return write_file_durably(file("input/options.json"), to_text(to_json(options), 2));
}

std::string default_runs_folder(const std::string& repository) {
  const std::vector<std::string> folders = default_runs_folders();
  std::error_code error;
  const fs::path here = fs::current_path(error);
  const fs::path inside = fs::relative(here, repository, error);
  const bool outside = error || inside.empty() || *inside.begin() == "..";
  return folders[outside ? 0 : 1];
}

std::vector<std::string> default_runs_folders() {
  const char* state = std::getenv("XDG_STATE_HOME");
  const char* home = std::getenv("HOME");
  std::string base = "/tmp";
  if (home != nullptr && *home == '/') base = std::string(home) + "/.local/state";
  if (state != nullptr && *state == '/') base = state;
  return {"runs", base + "/tenline/runs"};
}

}  // namespace tenline::cli
