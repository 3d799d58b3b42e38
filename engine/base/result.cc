#include "engine/base/result.h"

#include <cstdio>
#include <cstdlib>

namespace tenline {

Error while_doing(std::string_view what, Error error) {
  error.message = fmt::format("while {}: {}", what, error.message);
  return error;
}

void check_failed(const char* condition, const char* file, int line, std::string_view why) {
  fmt::print(stderr, "tenline: internal error: {} ({}) at {}:{}\n", why, condition, file, line);
  std::fflush(stderr);
  std::_Exit(70);  // Our bug, in the exit codes of the manual.
}

}  // namespace tenline
