#pragma once

#include <string>
#include <vector>

#include "engine/core/bug_report.h"
#include "engine/core/failure.h"
#include "engine/locate/issue_terms.h"
#include "engine/locate/source_file.h"

namespace tenline {

/// A place that an exception passed through.
struct BlamedFrame {
  std::string file;
  int line = 0;
  int level = 0;      ///< Calls between it and the innermost frame of the repository, which has 0.
  double weight = 0;  ///< How sure it is that this exception is the failure, from 0 to 1.
  std::string what;   ///< The exception's type, for people.
};

/// The frames of the exceptions of the failing run that may be the failure, likeliest first.
[[nodiscard]] std::vector<BlamedFrame> blamed_frames(const FailureTrace& trace,
                                                     const IssueTerms& terms);

/// The repository's file that a path of a traceback means; empty where there is none or several.
[[nodiscard]] std::string repository_file(std::string path, const std::vector<std::string>& files);

/// The frames of one traceback of the issue that lie in the repository. `source(path)` gives a file
/// to compare the frames' code with: lines may have moved since the issue was written.
template <class Source>
[[nodiscard]] std::vector<BlamedFrame> blamed_frames(const Traceback& traceback,
                                                     const std::vector<std::string>& files,
                                                     Source&& source);

/// The line of the file that the frame means, or 0.
[[nodiscard]] int matching_line(const Frame& frame, const SourceFile& file);

template <class Source>
std::vector<BlamedFrame> blamed_frames(const Traceback& traceback,
                                       const std::vector<std::string>& files, Source&& source) {
  constexpr std::size_t k_most_frames = 60;
  std::vector<BlamedFrame> blamed;
  for (auto frame = traceback.frames.rbegin(); frame != traceback.frames.rend(); ++frame) {
    if (blamed.size() >= k_most_frames) break;
    const std::string path = repository_file(frame->file, files);
    if (path.empty()) continue;
    const SourceFile* file = source(path);
    const int line = file == nullptr ? 0 : matching_line(*frame, *file);
    if (line == 0) continue;
    blamed.push_back({path, line, static_cast<int>(blamed.size()), 0.8, traceback.exception_type});
  }
  return blamed;
}

}  // namespace tenline
