#pragma once

#include <string>
#include <vector>

namespace tenline {

/// A statement's line that may be at fault.
struct Location {
  std::string file;  ///< Path in the repository.
  int line = 0;
  std::string function;  ///< Qualified name, `<module>` outside functions.
  double score = 0;      ///< 0 to 1.
  std::vector<std::string> reasons;
};

}  // namespace tenline
