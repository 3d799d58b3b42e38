#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "engine/core/edit.h"

namespace tenline {

/// The families of fixes, after the studies' strategies.
enum class Family {
  conditional_logic,
  parameter_handling,
  version_compatibility,
  precondition_guard,
  wrong_api_or_name,
  config_dependency,
  rank_device_dtype_group,
  state_or_order,
  arithmetic,
  other,
};

[[nodiscard]] std::string_view to_string(Family family);

/// A possible patch, not yet judged.
struct Candidate {
  std::string id;  ///< Digest of the edits: the same edit has the same id in every run.
  std::vector<Edit> edits;
  std::string template_id;
  Family family = Family::other;
  std::string summary;  ///< One line for people: "replace `name` by `name_`".
  std::string file;     ///< Where the first edit is.
  int line = 0;
  std::string function;  ///< Qualified name of the function around the first edit.
  double score = 0;      ///< Orders candidates: larger is tried earlier.
  int changed_lines = 0;
};

/// The candidate's new file texts. `read(path)` gives the base text of a file.
template <class Read>
[[nodiscard]] Result<FileTexts> candidate_texts(const Candidate& candidate, Read&& read) {
  std::map<std::string, std::vector<Edit>> by_file;
  for (const Edit& edit : candidate.edits) by_file[edit.file].push_back(edit);
  FileTexts texts;
  for (const auto& [file, edits] : by_file) {
    TENLINE_TRY(const std::string before, read(file));
    TENLINE_TRY(texts[file], apply_edits(before, edits));
  }
  return texts;
}

}  // namespace tenline
