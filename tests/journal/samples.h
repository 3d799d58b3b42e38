#pragma once

#include <stdlib.h>

#include <filesystem>
#include <stdexcept>
#include <string>

#include "engine/core/verdict.h"

namespace tenline::testing {

/// A fresh folder, removed at the end of the test.
class TemporaryFolder {
 public:
  TemporaryFolder() {
    std::string name = (std::filesystem::temp_directory_path() / "tenline-journal-XXXXXX").string();
    if (::mkdtemp(name.data()) == nullptr) throw std::runtime_error("no temporary folder");
    path_ = name;
  }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  ~TemporaryFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  [[nodiscard]] std::string file(const std::string& name) const { return (path_ / name).string(); }

 private:
  std::filesystem::path path_;
};

inline Reproduction sample_reproduction() {
  Reproduction sample;
  sample.reproduced = Reproduced::yes;
  sample.detail = "TypeError: 'NoneType' object is not iterable";
  sample.output = "rank 0\n\x1b[31mboom\x1b[0m\r\n";
  sample.runs = 4;
  sample.seconds = 0.1;
  sample.cpu_seconds = 1.0 / 3.0;
  sample.trace.functions = {{.file = "pkg/launch.py",
                             .name = "Launcher.run",
                             .first_line = 10,
                             .depth = 2,
                             .calls = 3,
                             .last_event = 99,
                             .lines = {11, 12, 15}}};
  sample.trace.exceptions = {
      {.type = "TypeError",
       .message = "'NoneType' object is not iterable\nsecond line",
       .frames = {{.file = "pkg/launch.py",
                   .line = 12,
                   .function = "Launcher.run",
                   .values = {{"hosts", {.type = "NoneType", .length = -1, .repr = "None"}},
                              {"self.name", {.type = "str", .length = 2, .repr = "'ö\"'"}}}}},
       .escaped = true}};
  sample.trace.files = {"pkg/__init__.py", "pkg/launch.py"};
  return sample;
}

inline Verdict sample_verdict() {
  return {.outcome = Outcome::breaks_tests,
          .level = Level::e1,
          .stage = Stage::late,
          .group = "5e1f",
          .detail = "tests/test_launch.py::test_hosts",
          .seconds = 2.5,
          .cpu_seconds = 0.7,
          .runs = 5,
          .checked = {"the reproduction passes, 3 of 3 runs"},
          .not_checked = {"GPU tests", ""}};
}

}  // namespace tenline::testing
