#include "app/cli/results.h"

#include <chrono>

#include "engine/base/text.h"
#include "engine/platform/disk.h"
#include "engine/platform/git_patch.h"
#include "engine/report/console.h"
#include "engine/report/evidence.h"
#include "engine/report/json_report.h"

namespace tenline::cli {

namespace {

Result<std::string> diff_of_candidate(const Candidate& candidate, const GitWorkspace& workspace) {
  const auto read = [&](const std::string& path) { return workspace.read(path); };
  TENLINE_TRY(const FileTexts after, candidate_texts(candidate, read));
  FileTexts before;
  for (const auto& [path, text] : after) {
    TENLINE_TRY(before[path], workspace.read(path));
  }
  return unified_diff(before, after);
}

/// The lines that a diff adds and removes.
int count_changes(std::string_view diff) {
  int changes = 0;
  for (const std::string_view line : split_lines(diff)) {
    const bool header = line.starts_with("+++ ") || line.starts_with("--- ");
    if (!header && (line.starts_with('+') || line.starts_with('-'))) ++changes;
  }
  return changes;
}

/// "0001-replace-name-by-name_.patch", as git format-patch names it.
std::string mailbox_name(std::string_view subject) {
  std::string name = "0001-";
  for (const char c : subject.substr(0, 52)) {
    const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                       c == '_' || c == '.';
    if (plain) {
      name += c;
    } else if (!name.ends_with('-')) {
      name += '-';
    }
  }
  while (name.ends_with('-') || name.ends_with('.')) name.pop_back();
  return name + ".patch";
}

}  // namespace

Result<void> write_patches(const RunFolder& folder, RunReport& report,
                           const GitWorkspace& workspace) {
  TENLINE_TRY_VOID(make_folders(folder.file("patches")));
  for (CheckedCandidate& patch : report.result.patches) {
    TENLINE_TRY(std::string diff, diff_of_candidate(patch.candidate, workspace));
    patch.candidate.changed_lines = count_changes(diff);
    report.diffs.push_back(std::move(diff));
  }
  for (std::size_t i = 0; i < report.diffs.size(); ++i) {
    const std::string name = folder.file(fmt::format("patches/{}", i + 1));
    const std::string subject = commit_subject(report.result.patches[i].candidate);
    const std::string body = commit_body(report, i);
    TENLINE_TRY_VOID(write_file_durably(name + ".diff", report.diffs[i]));
    TENLINE_TRY_VOID(write_file_durably(name + ".message", fmt::format("{}\n\n{}", subject, body)));
    if (i > 0) continue;
    const auto now = std::chrono::floor<std::chrono::seconds>(std::chrono::system_clock::now());
    TENLINE_TRY(const std::string mail, mailbox({.base = workspace.revision(),
                                                 .author = "tenline <tenline@localhost>",
                                                 .date = now,
                                                 .subject = subject,
                                                 .body = body,
                                                 .diff = report.diffs[i]}));
    TENLINE_TRY_VOID(write_file_durably(folder.file("patch.diff"), report.diffs[i]));
    TENLINE_TRY_VOID(write_file_durably(folder.file(mailbox_name(subject)), mail));
  }
  return {};
}

Result<void> write_report(const RunFolder& folder, const RunReport& report) {
  TENLINE_TRY_VOID(
      write_file_durably(folder.file("report.txt"), console_report(report, Colour::off)));
  return write_file_durably(folder.file("report.json"), document_text(fix_document(report)));
}

}  // namespace tenline::cli
