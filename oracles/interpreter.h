#pragma once

#include <string>
#include <vector>

#include "engine/core/ports.h"

namespace tenline {

/// The Python that runs the repository's code.
struct Interpreter {
  std::string executable;             ///< Absolute path.
  std::string version;                ///< "3.11.2".
  std::string cache_tag;              ///< "cpython-311", as in the names of byte-code files.
  std::vector<std::string> readable;  ///< Folders that it needs beside the system.
  std::map<std::string, std::string> environment;  ///< What every run of it gets.
  std::string problem;                             ///< Why it cannot be used; empty if it can.
};

/// The absolute path of a program that is named by a path or found on the PATH; links are kept,
/// since a virtual environment is known by them. not_found where there is none.
[[nodiscard]] Result<std::string> find_program(const std::string& name);

/// Asks the interpreter itself, in the sandbox. An Error only if nothing could be run at all.
[[nodiscard]] Result<Interpreter> ask_interpreter(const std::string& python, ProcessRunner& runner);

}  // namespace tenline
