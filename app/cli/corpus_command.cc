#include "app/cli/corpus_command.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdio>
#include <filesystem>

#include "app/cli/parts.h"
#include "corpus/facts_bytes.h"
#include "corpus/recall_table.h"
#include "engine/platform/disk.h"
#include "engine/platform/git_history.h"

namespace tenline::cli {

namespace {

namespace fs = std::filesystem;

/// The repository "owner/name" below a folder: owner/name, owner+name or name, each also with a
/// folder `repo` in it or with `.git` behind. Null where there is none.
std::shared_ptr<GitHistory> find_repository(const std::string& folder, const std::string& name) {
  const std::string plus = name.substr(0, name.find('/')) + "+" + name.substr(name.find('/') + 1);
  for (const std::string& base : {name, plus, name.substr(name.find('/') + 1)}) {
    for (const char* tail : {"", "/repo", ".git"}) {
      const fs::path path = fs::path(folder) / (base + tail);
      std::error_code ignored;
      if (!fs::is_directory(path, ignored)) continue;
      if (Result<std::unique_ptr<GitHistory>> history = GitHistory::open(path.string())) {
        return *std::move(history);
      }
    }
  }
  return nullptr;
}

corpus::Repositories open_repositories(const std::vector<corpus::Fix>& fixes,
                                       const std::string& folder) {
  corpus::Repositories found;
  for (const corpus::Fix& fix : fixes) {
    if (found.contains(fix.repository)) continue;
    if (auto history = find_repository(folder, fix.repository)) {
      found.emplace(fix.repository, std::move(history));
    } else {
      fmt::print(stderr, "tenline: no repository {} in {}; its fixes do not count\n",
                 fix.repository, folder);
      found.emplace(fix.repository, nullptr);
    }
  }
  std::erase_if(found, [](const auto& entry) { return entry.second == nullptr; });
  if (found.empty()) throw Fatal(2, fmt::format("{} has none of the repositories", folder));
  return found;
}

std::vector<corpus::Fix> fixes_of(const std::string& path) {
  Result<std::vector<corpus::Fix>> fixes = corpus::read_fixes(or_fatal(read_file(path)));
  if (!fixes) throw Fatal(6, fmt::format("{}: {}", path, fixes.error().message));
  return *std::move(fixes);
}

/// A cache that is missing or of another version is as good as empty.
std::map<std::string, std::string> read_cache(const std::string& path) {
  if (path.empty()) return {};
  const Result<std::string> bytes = read_file(path, std::size_t{2} << 30U);
  if (!bytes) return {};
  return corpus::unpack(*bytes).value_or(std::map<std::string, std::string>{});
}

}  // namespace

int run_recall(const RecallFlags& flags) {
  std::vector<corpus::Fix> fixes = fixes_of(flags.fixes);
  if (flags.part != "all") {
    std::erase_if(fixes, [&](const corpus::Fix& fix) {
      return corpus::is_held_out(fix) != (flags.part == "held-out");
    });
  }
  const corpus::Repositories repositories = open_repositories(fixes, flags.repositories);
  corpus::RecallOptions options;
  options.told = flags.functions ? corpus::Told::functions : corpus::Told::lines;
  options.jobs = flags.jobs;
  std::map<std::string, std::string> cache = read_cache(flags.cache);
  const std::size_t known = cache.size();
  options.cache = &cache;
  std::size_t done = 0;
  const bool terminal = ::isatty(STDERR_FILENO) != 0;
  const auto answers = corpus::measure_recall(fixes, repositories, options, [&] {
    ++done;
    if (terminal) fmt::print(stderr, "\r{} of {}", done, fixes.size());
  });
  if (terminal) fmt::print(stderr, "\r\x1b[K");
  if (!flags.cache.empty() && cache.size() > known)
    or_fatal(write_file_durably(flags.cache, corpus::pack(cache)));
  const Json document = corpus::recall_document(answers);
  if (!flags.out.empty()) or_fatal(write_file_durably(flags.out, to_text(document, 1) + "\n"));
  if (!flags.counts.empty()) {
    or_fatal(write_file_durably(flags.counts, corpus::count_lines(answers)));
  }
  fmt::print("{}", flags.json ? to_text(document, 1) + "\n" : corpus::recall_table(answers));
  return 0;
}

}  // namespace tenline::cli
