#include "engine/locate/functions.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <unordered_map>
#include <utility>

#include "engine/base/text.h"

namespace tenline {

namespace {

constexpr std::size_t k_most_parsed_files = 400;
constexpr std::size_t k_most_mentioned_files = 40;
constexpr std::size_t k_most_searched_files = 5000;
constexpr std::size_t k_largest_file = std::size_t{1} << 20U;

bool is_aside(std::string_view path) {
  const std::string padded = "/" + std::string(path);
  constexpr std::array<std::string_view, 6> k_folders = {"/test/",    "/tests/", "/examples/",
                                                         "/example/", "/docs/",  "/benchmarks/"};
  return std::ranges::any_of(
      k_folders, [&](std::string_view folder) { return padded.find(folder) != std::string::npos; });
}

/// The files that executed functions outside import, the latest first, as many as are worth
/// parsing.
std::set<std::string> files_worth_parsing(const FailureTrace& trace) {
  std::map<std::string, int> latest;
  for (const ExecutedFunction& function : trace.functions) {
    // A module only counts as far as its functions do.
    const int event = function.name == "<module>" ? 0 : function.last_event;
    int& known = latest[function.file];
    known = std::max(known, event);
  }
  std::vector<std::pair<int, std::string>> order;
  order.reserve(latest.size());
  for (const auto& [file, event] : latest) order.emplace_back(-event, file);
  std::sort(order.begin(), order.end());
  if (order.size() > k_most_parsed_files) order.resize(k_most_parsed_files);
  std::set<std::string> files;
  for (const auto& [event, file] : order) files.insert(file);
  return files;
}

}  // namespace

const SourceFile* Sources::get(const std::string& path) {
  const auto known = files_.find(path);
  if (known != files_.end()) return known->second.get();
  std::unique_ptr<SourceFile> file;
  if (Result<std::string> text = read_(path); text && text->size() <= k_largest_file) {
    file = std::make_unique<SourceFile>(read_source(path, *std::move(text)));
  }
  return files_.emplace(path, std::move(file)).first->second.get();
}

std::vector<Suspect> executed_functions(const FailureTrace& trace, const IssueTerms& terms,
                                        Sources& sources) {
  int last_import = 0;
  for (const ExecutedFunction& function : trace.functions) {
    if (function.name == "<module>") last_import = std::max(last_import, function.last_event);
  }
  const std::set<std::string> worth = files_worth_parsing(trace);
  std::map<std::pair<std::string, std::size_t>, Suspect> suspects;
  for (const ExecutedFunction& executed : trace.functions) {
    const SourceFile* file = worth.contains(executed.file) ? sources.get(executed.file) : nullptr;
    if (file == nullptr) continue;
    // Bodies of classes belong to the module; comprehensions and lambdas to the function around
    // them.
    const std::size_t index =
        executed.name == "<module>" ? 0 : file->function_at(executed.first_line);
    Suspect& suspect = suspects[{executed.file, index}];
    suspect.depth = suspect.executed ? std::min(suspect.depth, executed.depth) : executed.depth;
    suspect.file = file;
    suspect.function = index;
    suspect.executed = true;
    suspect.last_event = std::max(suspect.last_event, executed.last_event);
    suspect.while_importing = suspect.last_event < last_import;
    for (const int line : executed.lines) {
      const Statement* statement = file->statement_at(line);
      if (statement != nullptr && statement->function == index)
        suspect.lines.insert(statement->line);
    }
  }
  for (const std::string& path : worth) {
    const SourceFile* file = sources.get(path);
    for (std::size_t i = 1; file != nullptr && i < file->functions.size(); ++i) {
      const std::string_view name = file->functions[i].short_name();
      if (name.starts_with("__") || !terms.names(name)) continue;
      Suspect& suspect = suspects[{path, i}];
      suspect.file = file;
      suspect.function = i;
    }
  }
  std::vector<Suspect> result;
  result.reserve(suspects.size());
  for (auto& [key, suspect] : suspects) result.push_back(std::move(suspect));
  return result;
}

void add_mentioned_functions(const BugReport& report, const std::vector<std::string>& files,
                             const ReadText& read, Sources& sources,
                             std::vector<Suspect>& suspects) {
  std::unordered_map<std::string_view, std::size_t> term_of;
  for (const std::string& name : report.names) term_of.emplace(name, term_of.size());
  for (const std::string& word : report.words) {
    if (word.size() > 3) term_of.emplace(word, term_of.size());
  }
  std::vector<std::pair<std::string, std::set<std::size_t>>> found;
  std::vector<double> in_files(term_of.size(), 0.0);
  for (const std::string& path : files) {
    if (!path.ends_with(".py") || found.size() >= k_most_searched_files) continue;
    const Result<std::string> text = read(path);
    if (!text || text->size() > k_largest_file) continue;
    std::set<std::size_t> terms;
    for (const std::string_view source : {std::string_view(path), std::string_view(*text)}) {
      for (const std::string_view identifier : identifiers_in(source)) {
        const auto term = term_of.find(identifier);
        if (term != term_of.end()) terms.insert(term->second);
      }
    }
    for (const std::size_t term : terms) ++in_files[term];
    found.emplace_back(path, std::move(terms));
  }
  std::vector<std::pair<double, std::string>> order;
  for (const auto& [path, terms] : found) {
    double score = 0;
    for (const std::size_t term : terms) {
      score -= std::log(1 + static_cast<double>(found.size()) / in_files[term]);
    }
    order.emplace_back(is_aside(path) ? score / 3 : score, path);
  }
  std::sort(order.begin(), order.end());
  if (order.size() > k_most_mentioned_files) order.resize(k_most_mentioned_files);
  std::set<std::pair<const SourceFile*, std::size_t>> known;
  for (const Suspect& suspect : suspects) known.emplace(suspect.file, suspect.function);
  for (const auto& [score, path] : order) {
    const SourceFile* file = score < 0 ? sources.get(path) : nullptr;
    if (file == nullptr) continue;
    for (std::size_t i = 0; i < file->functions.size(); ++i) {
      if (known.contains({file, i})) continue;
      Suspect suspect;
      suspect.file = file;
      suspect.function = i;
      suspects.push_back(std::move(suspect));
    }
  }
}

}  // namespace tenline
