#include "oracles/check.h"

#include <algorithm>
#include <array>
#include <filesystem>

#include "engine/base/json.h"
#include "engine/base/text.h"
#include "oracles/files.h"
#include "oracles/output.h"
#include "oracles/programs.h"
#include "oracles/test_command.h"

namespace tenline {

namespace fs = std::filesystem;

namespace {

constexpr std::size_t k_results_bytes = std::size_t{16} << 20U;
constexpr auto k_pytest =
    std::to_array<const char*>({"pytest", "-p", "no:cacheprovider", "-p", "tenline_test_results"});

std::string text_member(const Json& object, const char* name) {
  const auto it = object.find(name);
  return it != object.end() && it->is_string() ? it->get<std::string>() : std::string();
}

/// A line of the results, as test_results.py writes them; what does not fit is passed over.
void read_result(std::string_view line, TestResults& results) {
  constexpr std::size_t k_most_tests = 50'000;
  const Result<Json> json = parse_json(line, 1U << 20U);
  if (!json || !json->is_object()) return;
  const std::string text = text_member(*json, "text");
  if (json->contains("collect")) {
    results.collect_error = test_error_line(text);
    if (results.collect_error.empty()) results.collect_error = one_line(text);
    return;
  }
  const std::string id = to_valid_utf8(text_member(*json, "test"));
  const std::string outcome = text_member(*json, "outcome");
  const std::string when = text_member(*json, "when");
  if (id.empty() || results.tests.size() >= k_most_tests) return;
  if (when == "start" || when == "teardown") results.running = when == "start" ? id : "";
  if (outcome == "failed") {
    results.tests[id] = TestOutcome::failed;
    results.failure = test_error_line(text);
    if (results.failure.empty()) results.failure = one_line(id);
  } else if (outcome == "skipped") {
    results.tests.try_emplace(id, TestOutcome::skipped);
  } else if (outcome == "passed" && when == "call") {
    results.tests.try_emplace(id, TestOutcome::passed);
  }
}

bool has_outcome(const TestResults& results, TestOutcome outcome) {
  return std::any_of(results.tests.begin(), results.tests.end(),
                     [&](const auto& test) { return test.second == outcome; });
}

std::set<std::string> top_level_modules(const std::vector<std::string>& files) {
  std::set<std::string> modules;
  for (std::string_view path : files) {
    if (!path.ends_with(".py")) continue;
    if (path.starts_with("src/")) path.remove_prefix(4);
    std::string_view name = path.substr(0, path.find('/'));
    if (name.ends_with(".py")) name.remove_suffix(3);
    modules.emplace(name);
  }
  return modules;
}

/// Puts byte code where Python looks for it. A file of the repository's own stays.
void install_byte_code(const fs::path& source, const std::string& cache_tag,
                       std::string_view byte_code) {
  const fs::path folder = source.parent_path() / "__pycache__";
  std::error_code error;
  if (!fs::is_regular_file(fs::symlink_status(source, error))) return;
  fs::create_directory(folder, error);
  if (!fs::is_directory(fs::symlink_status(folder, error))) return;
  const fs::path file = folder / (source.stem().string() + "." + cache_tag + ".pyc");
  if (fs::exists(fs::symlink_status(file, error))) return;
  // Without it Python compiles the file itself, so a failure costs time only.
  if (!write_file(file.string(), byte_code)) fs::remove(file, error);
}

}  // namespace

Result<Checks> Checks::make(const OracleOptions& options, Workspace& workspace,
                            ProcessRunner& runner, Interpreter interpreter) {
  Checks checks(options, workspace, runner, std::move(interpreter));
  const std::string& run = options.run_folder;
  TENLINE_TRY_VOID(write_file(run + "/trace/sitecustomize.py", programs::k_trace_run));
  TENLINE_TRY_VOID(write_file(run + "/plugin/tenline_test_results.py", programs::k_test_results));
  TENLINE_TRY_VOID(write_file(run + "/compile/compile_files.py", programs::k_compile_files));
  TENLINE_TRY_VOID(write_file(run + "/warm/warm_worker.py", programs::k_warm_worker));
  TENLINE_TRY_VOID(write_file(run + "/warm/warm_chain.py", programs::k_warm_chain));
  TENLINE_TRY_VOID(write_file(run + "/warm/warm_groups.py", programs::k_warm_groups));
  TENLINE_TRY_VOID(write_file(run + "/warm/warm_state.py", programs::k_warm_state));
  TENLINE_TRY_VOID(write_file(run + "/warm/warm_units.py", programs::k_warm_units));
  if (!options.script.empty()) {
    constexpr std::size_t k_largest_script = std::size_t{8} << 20U;
    const fs::path script = fs::weakly_canonical(options.script);
    TENLINE_TRY(const std::string text, read_untrusted_file(script.string(), k_largest_script));
    checks.script_ = run + "/script/" + fs::path(options.script).filename().string();
    TENLINE_TRY_VOID(write_file(checks.script_, text));
  } else {
    TENLINE_TRY(checks.arguments_, pytest_arguments(options.test));
  }
  checks.modules_ = top_level_modules(workspace.files());
  return checks;
}

std::string Checks::name() const {
  if (script_.empty()) return options_.test;
  return fs::path(script_).filename().string();
}

std::string Checks::drop_folder(int slot) const {
  return fmt::format("{}/out/slot-{}", options_.run_folder, slot);
}

Result<Command> Checks::python_command(int slot, std::chrono::milliseconds time,
                                       const Tracing& tracing) const {
  TENLINE_TRY(const std::string worktree, workspace_->worktree(slot));
  const std::string& run = options_.run_folder;
  Command command;
  command.argv = {interpreter_.executable};
  command.environment = interpreter_.environment;
  command.readable = interpreter_.readable;
  command.readable.push_back(worktree);
  command.limits = options_.limits;
  command.limits.time = time;
  command.slot = slot;
  std::string path = worktree;
  if (std::error_code ignored; fs::is_directory(worktree + "/src", ignored)) {
    path += ":" + worktree + "/src";
  }
  if (!tracing.folder.empty()) {
    TENLINE_TRY_VOID(make_drop_folder(tracing.folder));
    path = run + "/trace:" + path;
    command.readable.push_back(run + "/trace");
    command.writable.push_back(tracing.folder);
    command.environment["TENLINE_TRACE_ROOT"] = worktree;
    command.environment["TENLINE_TRACE_OUT"] = tracing.folder;
    if (tracing.does_not_end) {
      const std::chrono::duration<double> seconds = 0.9 * time;
      command.environment["TENLINE_TRACE_SECONDS"] = fmt::format("{:.3f}", seconds.count());
    }
    std::string entries;
    for (const std::string& file : test_files(arguments_)) entries += file + ":";
    command.environment["TENLINE_TRACE_ENTRY"] = entries;
  }
  command.environment["PYTHONPATH"] = path;
  return command;
}

Result<CheckRun> Checks::run(int slot, std::chrono::milliseconds time, const Tracing& tracing) {
  CheckRun run;
  if (script_.empty()) {
    TENLINE_TRY(TestRun tests, run_tests(slot, stop_at_first(), time, tracing));
    run.output = std::move(tests.output);
    run.results = std::move(tests.results);
  } else {
    TENLINE_TRY(Command command, python_command(slot, time, tracing));
    command.argv.push_back(script_);
    command.readable.push_back(fs::path(script_).parent_path().string());
    TENLINE_TRY(run.output, runner_->run(command));
  }
  if (run.output.end == ProcessEnd::cancelled) return fail(ErrorCode::cancelled, "cancelled");
  ProcessLimits limits = options_.limits;
  limits.time = time;
  run.detail = end_of(run.output, limits);
  judge(run);
  return run;
}

void Checks::judge(CheckRun& run) const {
  if (run.output.end == ProcessEnd::timed_out && !run.results.running.empty()) {
    run.detail += " in " + one_line(run.results.running);
  }
  if (run.output.end != ProcessEnd::exited) return;
  if (script_.empty()) {
    judge_tests(run);
  } else {
    judge_script(run);
  }
}

std::vector<std::string> Checks::stop_at_first() const {
  std::vector<std::string> arguments = {"-x"};
  arguments.insert(arguments.end(), arguments_.begin(), arguments_.end());
  return arguments;
}

void Checks::add_plugin(Command& command, const std::string& results) const {
  command.readable.push_back(options_.run_folder + "/plugin");
  command.environment["PYTHONPATH"] += ":" + options_.run_folder + "/plugin";
  command.environment["TENLINE_RESULTS"] = results;
}

Result<Command> Checks::warm_command(int slot) const {
  constexpr std::chrono::hours k_long{24 * 7};
  TENLINE_TRY(Command command, python_command(slot, k_long, {}));
  command.argv.push_back(options_.run_folder + "/warm/warm_worker.py");
  command.readable.push_back(options_.run_folder + "/warm");
  if (script_.empty()) {
    TENLINE_TRY(command.cwd, workspace_->worktree(slot));
    add_plugin(command, "set by the worker");
    command.environment["TENLINE_SHORT_REPORTS"] = "1";
  } else {
    command.readable.push_back(fs::path(script_).parent_path().string());
  }
  // A thread that waits for work would keep a process from being copied.
  for (const char* library : {"OMP", "OPENBLAS", "MKL"}) {
    command.environment.try_emplace(fmt::format("{}_NUM_THREADS", library), "1");
  }
  return command;
}

std::vector<std::string> Checks::warm_program() const {
  if (!script_.empty()) return {"script", script_};
  std::vector<std::string> program(k_pytest.begin(), k_pytest.end());
  const std::vector<std::string> arguments = stop_at_first();
  program.insert(program.end(), arguments.begin(), arguments.end());
  return program;
}

CheckRun Checks::read(ProcessOutput output, std::string_view results) const {
  CheckRun run;
  run.output = std::move(output);
  run.detail = end_of(run.output, options_.limits);
  for (const std::string_view line : split_lines(results)) read_result(line, run.results);
  judge(run);
  return run;
}

Result<Checks::TestRun> Checks::run_tests(int slot, const std::vector<std::string>& arguments,
                                          std::chrono::milliseconds time, const Tracing& tracing) {
  const std::string drop = drop_folder(slot);
  TENLINE_TRY_VOID(make_drop_folder(drop));
  TENLINE_TRY(Command command, python_command(slot, time, tracing));
  TENLINE_TRY(command.cwd, workspace_->worktree(slot));
  command.argv.emplace_back("-m");
  command.argv.insert(command.argv.end(), k_pytest.begin(), k_pytest.end());
  command.argv.insert(command.argv.end(), arguments.begin(), arguments.end());
  command.writable.push_back(drop);
  add_plugin(command, drop + "/results.jsonl");
  TestRun run;
  TENLINE_TRY(run.output, runner_->run(command));
  if (run.output.end == ProcessEnd::cancelled) return fail(ErrorCode::cancelled, "cancelled");
  const Result<std::string> text = read_untrusted_file(drop + "/results.jsonl", k_results_bytes);
  if (text) {
    for (const std::string_view line : split_lines(*text)) read_result(line, run.results);
  }
  remove_folder(drop);
  return run;
}

std::vector<std::string> Checks::whole_files() const {
  constexpr std::array<std::string_view, 5> k_harmless = {"-q", "-v", "-x", "-s", "-l"};
  std::vector<std::string> files;
  for (const std::string& argument : arguments_) {
    const bool is_option = argument.starts_with('-');
    if (is_option &&
        std::find(k_harmless.begin(), k_harmless.end(), argument) == k_harmless.end()) {
      return {};
    }
    if (!is_option && argument.find("::") == std::string::npos) files.push_back(argument);
  }
  return test_files(files);
}

bool Checks::is_third_party(const std::string& module) const {
  const std::string top = module.substr(0, module.find('.'));
  return !top.empty() && !modules_.contains(top) && options_.issue.find(top) == std::string::npos;
}

/// The issue's own error is the bug, not an obstacle to seeing it.
Obstacle Checks::obstacle(const std::string& error_line) const {
  if (is_third_party(missing_module(error_line))) return Obstacle::environment;
  const std::size_t colon = error_line.find(": ");
  const std::string message =
      colon == std::string::npos ? error_line : error_line.substr(colon + 2);
  const bool in_issue = options_.issue.find(message.substr(0, 60)) != std::string::npos;
  return needs_gpus(error_line) && !in_issue ? Obstacle::gpus : Obstacle::none;
}

void Checks::judge_script(CheckRun& run) const {
  const int code = run.output.exit_code;
  const std::string error = last_error(run.output);
  if (!error.empty()) run.detail += ": " + error;
  if (code == 0) {
    run.said = Said::absent;
    return;
  }
  // Python's own answer to an exception that nobody caught is 1 too.
  if (code != 1) {
    run.obstacle = obstacle(error);
  } else if (ends_with_uncaught_exception(run.output)) {
    run.obstacle = obstacle(last_error_line(run.output.err));
  }
  if (code == 1 && run.obstacle == Obstacle::none) run.said = Said::present;
}

void Checks::judge_tests(CheckRun& run) const {
  const int code = run.output.exit_code;
  const TestResults& results = run.results;
  if (has_outcome(results, TestOutcome::failed)) {
    run.detail += ": " + results.failure;
    run.said = Said::present;
  } else if (!results.collect_error.empty()) {
    run.detail += ": " + results.collect_error;
    run.obstacle = obstacle(results.collect_error);
    if (run.obstacle == Obstacle::none) run.said = Said::present;
  } else if (code == 0) {
    const bool any = has_outcome(results, TestOutcome::passed);
    if (any) run.said = Said::absent;
    if (!any) run.detail = "all tests were skipped";
  } else if (code == 5) {
    run.detail = "no tests were collected";
  } else {
    const std::string error = last_error(run.output);
    run.detail += ": " + error;
    run.obstacle = obstacle(error);
    if (run.output.err.find("No module named pytest") != std::string::npos) {
      run.detail = fmt::format("{} has no pytest", interpreter_.executable);
      run.obstacle = Obstacle::environment;
    }
  }
}

Result<void> Checks::cache_byte_code(const std::vector<std::string>& files) {
  const std::string& run = options_.run_folder;
  const std::string drop = run + "/out/byte-code";
  const std::string& tag = interpreter_.cache_tag;
  if (tag.empty() || tag.find('/') != std::string::npos) return {};
  TENLINE_TRY_VOID(make_drop_folder(drop));
  // Byte code that lies beside a candidate would not be kept.
  for (int slot = 0; slot < std::max(1, options_.jobs); ++slot) {
    TENLINE_TRY_VOID(workspace_->put(slot, {}));
  }
  std::string names;
  for (const std::string& file : files) {
    names += (file.find('\n') == std::string::npos ? file : std::string()) + "\n";
  }
  TENLINE_TRY_VOID(write_file(run + "/compile/names.txt", names));
  TENLINE_TRY(Command command, python_command(0, std::chrono::seconds(120), {}));
  // Isolated: nothing of the repository may run here.
  command.argv.insert(command.argv.end(),
                      {"-I", run + "/compile/compile_files.py", command.readable.back(), drop,
                       run + "/compile/names.txt"});
  command.environment.erase("PYTHONPATH");
  command.readable.push_back(run + "/compile");
  command.writable.push_back(drop);
  TENLINE_TRY(const ProcessOutput output, runner_->run(command));
  if (output.end == ProcessEnd::cancelled) return fail(ErrorCode::cancelled, "cancelled");
  for (std::size_t i = 0; i < files.size(); ++i) {
    constexpr std::size_t k_largest = std::size_t{16} << 20U;
    const Result<std::string> code =
        read_untrusted_file(fmt::format("{}/{}.pyc", drop, i), k_largest);
    if (!code) continue;
    for (int slot = 0; slot < std::max(1, options_.jobs); ++slot) {
      TENLINE_TRY(const std::string worktree, workspace_->worktree(slot));
      install_byte_code(fs::path(worktree) / files[i], tag, *code);
    }
  }
  remove_folder(drop);
  return {};
}

}  // namespace tenline
