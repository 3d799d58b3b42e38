// What the user gave, checked and copied into a run folder; nothing is written before it is sound.

#include <fmt/format.h>

#include <array>
#include <filesystem>
#include <iostream>

#include "app/cli/fix.h"
#include "app/cli/parts.h"
#include "engine/issue/read_issue.h"
#include "engine/platform/disk.h"

namespace tenline::cli {

namespace {

namespace fs = std::filesystem;

constexpr std::size_t k_largest_script = std::size_t{4} << 20U;

std::string read_stdin() {
  std::string text;
  std::array<char, 65536> buffer{};
  while (std::cin.read(buffer.data(), buffer.size()) || std::cin.gcount() > 0) {
    text.append(buffer.data(), static_cast<std::size_t>(std::cin.gcount()));
    if (text.size() > k_max_issue_bytes) break;
  }
  return text;
}

std::string read_issue_text(const std::string& issue) {
  if (issue == "-") return read_stdin();
  if (issue.find("://") != std::string::npos) {
    throw Fatal(2, fmt::format("--issue {}: addresses are not read yet; give a file", issue));
  }
  // One byte over the limit is enough to be refused below with a reason.
  std::error_code error;
  if (!fs::exists(issue, error)) throw Fatal(2, fmt::format("--issue {}: no such file", issue));
  if (fs::is_directory(issue, error)) throw Fatal(2, fmt::format("--issue {}: a folder", issue));
  Result<std::string> text = read_file(issue, std::size_t{64} << 20U);
  if (!text) {
    throw Fatal(exit_code_of(text.error().code), fmt::format("--issue: {}", text.error().message));
  }
  return *std::move(text);
}

void check_repository(FixOptions& options) {
  std::error_code error;
  const fs::path path = fs::canonical(options.repository, error);
  if (error) throw Fatal(2, fmt::format("--repo {}: no such folder", options.repository));
  options.repository = path.string();
}

std::string read_script(const std::string& file) {
  std::error_code error;
  if (!fs::exists(file, error)) throw Fatal(2, fmt::format("--repro {}: no such file", file));
  if (fs::is_directory(file, error)) throw Fatal(2, fmt::format("--repro {}: a folder", file));
  Result<std::string> text = read_file(file, k_largest_script);
  if (!text) {
    throw Fatal(exit_code_of(text.error().code), fmt::format("--repro: {}", text.error().message));
  }
  if (text->find('\0') != std::string::npos) {
    throw Fatal(6, fmt::format("--repro {}: a binary file, not a Python script", file));
  }
  return *std::move(text);
}

}  // namespace

RunFolder prepare_run(const FixInputs& inputs, FixOptions options, const std::string& parent,
                      Check needed) {
  if (needed == Check::needed && inputs.repro.empty() && options.test.empty()) {
    throw Fatal(
        2, "give --repro FILE or --test 'pytest ...': something that fails because of the bug");
  }
  check_repository(options);
  std::string issue;
  if (!inputs.issue.empty()) {
    issue = read_issue_text(inputs.issue);
    (void)read_report(issue);  // Refused before anything is written.
    options.has_issue = true;
  }
  std::string script;
  if (!inputs.repro.empty()) {
    script = read_script(inputs.repro);
    options.repro_name = fs::path(inputs.repro).filename().string();
  }
  RunFolder folder = or_fatal(RunFolder::create(parent));
  const Result<std::unique_ptr<GitWorkspace>> workspace = open_workspace(
      {.repository = options.repository, .revision = options.revision, .folder = folder.path()});
  if (!workspace) {
    (void)remove_tree(folder.path());
    throw Fatal(exit_code_of(workspace.error().code), workspace.error().message);
  }
  if (options.has_issue) or_fatal(write_file_durably(folder.file("input/issue.md"), issue));
  if (!options.repro_name.empty()) {
    or_fatal(make_folders(folder.file("input/check")));
    or_fatal(write_file_durably(folder.script(options), script));
  }
  or_fatal(folder.keep(options));
  return folder;
}

}  // namespace tenline::cli
