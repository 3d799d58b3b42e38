#pragma once

#include <string>

namespace tenline::cli {

struct RecallFlags {
  std::string fixes;         ///< File of fixes, one JSON object a line.
  std::string repositories;  ///< Folder of git repositories or mirrors.
  bool functions = false;    ///< Told the functions only.
  int jobs = 1;
  std::string out;           ///< File for the JSON document; empty: none.
  std::string counts;        ///< File for what the prior is learned from; empty: none.
  std::string cache;         ///< File where what was read of the repositories is kept; empty: none.
  std::string part = "all";  ///< "training", "held-out": by the digits of the fix's commit.
  bool json = false;
};

/// `tenline corpus recall`: prints the tables, writes the document. Throws Fatal.
[[nodiscard]] int run_recall(const RecallFlags& flags);

}  // namespace tenline::cli
