#include "app/cli/doctor.h"

#include <fmt/format.h>

#include <vector>

#include "engine/base/json.h"
#include "engine/base/text.h"
#include "engine/platform/disk.h"
#include "engine/platform/process.h"
#include "engine/platform/sandbox.h"
#include "engine/report/wording.h"

namespace tenline::cli {

namespace {

/// One thing that is needed, or only useful.
struct Finding {
  std::string id;
  bool ok = false;
  bool needed = true;
  std::string text;  ///< What was found, or what to do.
};

Finding check_sandbox(const Spawner& spawner) {
  const Result<std::string> found = probe_sandbox(spawner, {});
  return {"sandbox", found.has_value(), true, found ? *found : found.error().message};
}

/// What the interpreter prints about itself; it is the user's own, so no sandbox.
Result<std::string> ask(const Spawner& spawner, const std::string& python,
                        const std::string& code) {
  TENLINE_TRY(const std::string program, find_program(python));
  const std::unique_ptr<ProcessRunner> runner = make_unsafe_runner(spawner, {});
  Command command;
  command.argv = {program, "-c", code};
  command.cwd = "/";
  TENLINE_TRY(const ProcessOutput output, runner->run(command));
  if (output.end != ProcessEnd::exited || output.exit_code != 0) {
    const std::vector<std::string_view> lines = split_lines(trim(output.err));
    return fail(ErrorCode::unavailable,
                fmt::format("{}: {}", program,
                            lines.empty() ? std::string_view("it cannot run") : lines.back()));
  }
  return std::string(trim(output.out));
}

Finding check_python(const Spawner& spawner, const std::string& python) {
  const Result<std::string> version =
      ask(spawner, python, "import sys; print(sys.executable, sys.version.split()[0])");
  return {"python", version.has_value(), true,
          version ? *version : version.error().message + "; choose one with --python"};
}

Finding check_module(const Spawner& spawner, const std::string& python, const std::string& module,
                     const std::string& use) {
  const Result<std::string> version =
      ask(spawner, python, fmt::format("import {0}; print({0}.__version__)", module));
  return {module, version.has_value(), false,
          version ? module + " " + *version
                  : fmt::format("{} is not installed for this interpreter: {}", module, use)};
}

}  // namespace

int run_doctor(const std::string& python, const Spawner& spawner, bool json) {
  const std::vector<Finding> findings = {
      check_sandbox(spawner),
      check_python(spawner, python),
      check_module(spawner, python, "pytest", "needed for --test and for evidence E2"),
      check_module(spawner, python, "torch", "needed by the three frameworks"),
  };
  bool usable = true;
  Json list = Json::array();
  for (const Finding& finding : findings) {
    usable = usable && (finding.ok || !finding.needed);
    list.push_back({{"id", finding.id},
                    {"ok", finding.ok},
                    {"needed", finding.needed},
                    {"text", finding.text}});
    const char* mark = finding.needed ? "MISSING" : "absent";
    if (finding.ok) mark = "ok";
    if (!json) fmt::print("{:<8} {:<8} {}\n", mark, finding.id, visible_line(finding.text));
  }
  if (json) fmt::print("{}\n", to_text({{"schema", 1}, {"usable", usable}, {"checks", list}}, 2));
  return usable ? 0 : 4;
}

}  // namespace tenline::cli
