// Flags to calls. Everything that the user can get wrong ends as one line on standard error and an
// exit code of the manual; results go to standard output, the rest to standard error.

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <cstdio>
#include <cstdlib>
#include <thread>

#include "app/cli/corpus_command.h"
#include "app/cli/doctor.h"
#include "app/cli/fix.h"
#include "app/cli/interrupt.h"
#include "app/cli/templates_command.h"

namespace tenline::cli {
namespace {

constexpr const char* k_exit_codes =
    "Exit codes: 0 patched, 1 no acceptable patch, 2 usage, 3 not reproducible or already fixed,\n"
    "4 environment unusable (see tenline doctor), 5 budget used up, 6 input refused, 70 our bug,\n"
    "130/143 interrupted and saved. Any other means failure.";

struct Flags {
  FixInputs inputs;
  FixOptions fix;
  PrintOptions print;
  std::string budget = "1h";
  std::string time_limit;
  std::string out;
  std::string run;
  std::size_t candidate = 1;
  std::string branch;
  bool dry_run = false;
  bool unsafe = false;
  bool cold = false;
  std::string color = "auto";
  bool markdown = false;
  std::string template_id;
  RecallFlags recall;
  std::vector<std::string> template_paths;
};

void add_print_flags(CLI::App& command, Flags& flags) {
  command.add_flag("--json", flags.print.json, "Print one JSON document on standard output");
  command.add_option("--color", flags.color, "auto, always or never (NO_COLOR is honoured)")
      ->check(CLI::IsMember({"auto", "always", "never"}));
}

void add_run_argument(CLI::App& command, Flags& flags) {
  command.add_option("RUN", flags.run, "Id or folder of a run, or a folder of runs (the newest)")
      ->required();
  command.add_option("--out", flags.out, "Folder where runs are kept");
}

void add_python_flag(CLI::App& command, Flags& flags) {
  command
      .add_option("--python", flags.fix.python,
                  "Python interpreter (default: that of $VIRTUAL_ENV, else python3)")
      ->type_name("PY")
      ->envname("TENLINE_PYTHON");
}

void add_bug_flags(CLI::App& command, Flags& flags) {
  command.add_option("--repo", flags.fix.repository, "The repository; it is only read")
      ->required()
      ->type_name("DIR");
  command.add_option("--rev", flags.fix.revision, "The revision to repair (default HEAD)");
  command.add_option("--issue", flags.inputs.issue, "The issue's text; - is standard input")
      ->type_name("FILE");
  CLI::Option* repro = command.add_option(
      "--repro", flags.inputs.repro,
      "A script that exits with 0 where the bug is absent, 1 where it is present");
  repro->type_name("FILE");
  command.add_option("--test", flags.fix.test, "A pytest command that fails because of the bug")
      ->type_name("'pytest ...'")
      ->excludes(repro);
  add_python_flag(command, flags);
  command.add_option(
      "--time-limit", flags.time_limit,
      "Longest run of the check on the base revision (default 2m, at most a sixth of the budget)");
  command.add_flag("--unsafe-no-sandbox", flags.unsafe,
                   "Run the code without the sandbox, with your own rights");
  command.add_option("--out", flags.out, "Folder where runs are kept (default runs)")
      ->type_name("DIR")
      ->envname("TENLINE_OUT");
  add_print_flags(command, flags);
}

/// What a resumed run may be asked to do otherwise.
void add_search_flags(CLI::App& command, Flags& flags) {
  command.add_option("--jobs", flags.fix.jobs, "Candidates at once (default: cores)")
      ->check(CLI::Range(1, 64))
      ->envname("TENLINE_JOBS");
  command.add_option("--budget", flags.budget, "Longest time, such as 10m or 1h30m (default 1h)")
      ->envname("TENLINE_BUDGET");
  command.add_option("--max-candidates", flags.fix.max_candidates, "Most candidates that are run")
      ->check(CLI::Range(std::size_t{1}, std::size_t{1'000'000}));
  command.add_option("--top", flags.fix.top, "Most patches that are shown (default 5)")
      ->check(CLI::Range(std::size_t{1}, std::size_t{100}));
}

void add_fix(CLI::App& app, Flags& flags) {
  CLI::App& command = *app.add_subcommand("fix", "Repair a bug: a validated patch, or why not");
  add_bug_flags(command, flags);
  add_search_flags(command, flags);
  command.add_option("--repeats", flags.fix.repeats, "Cold runs for a claim (default 3)")
      ->check(CLI::Range(1, 100));
  command.add_flag("--cold", flags.cold, "Start a new process for every candidate; slow");
  command.add_flag("--dry-run", flags.dry_run, "Say what would be tried; run nothing");
}

void add_corpus(CLI::App& app, Flags& flags) {
  CLI::App& corpus = *app.add_subcommand("corpus", "Measure the engine on recorded bugs");
  corpus.require_subcommand(1);
  CLI::App& recall = *corpus.add_subcommand(
      "recall", "Told where developers changed the code: is their edit among the candidates?");
  recall.add_option("FIXES", flags.recall.fixes, "Mined fixes, one JSON object a line")->required();
  recall
      .add_option("--repos", flags.recall.repositories,
                  "Folder of their git repositories: owner/name, owner+name or name")
      ->required()
      ->type_name("DIR");
  recall.add_flag("--functions", flags.recall.functions,
                  "Tell the functions that were changed, not the lines");
  recall.add_option("--jobs", flags.fix.jobs, "Fixes at once (default: cores)")
      ->check(CLI::Range(1, 64))
      ->envname("TENLINE_JOBS");
  recall.add_option("--out", flags.recall.out, "Write the JSON document there too")
      ->type_name("FILE");
  recall
      .add_option("--cache", flags.recall.cache,
                  "Keep what was read of the repositories there, for the next time")
      ->type_name("FILE");
  recall.add_option("--counts", flags.recall.counts, "Write what the prior is learned from")
      ->type_name("FILE");
  recall.add_option("--part", flags.recall.part, "all, training or held-out")
      ->check(CLI::IsMember({"all", "training", "held-out"}));
  recall.add_flag("--json", flags.recall.json, "Print one JSON document instead of tables");
}

void add_templates(CLI::App& app, Flags& flags) {
  CLI::App* templates = app.add_subcommand("templates", "The fix templates");
  templates->require_subcommand(1);
  CLI::App* list = templates->add_subcommand("list", "One line each");
  list->add_flag("--markdown", flags.markdown, "The built-in ones, as the page of the manual");
  list->add_flag("--json", flags.print.json, "Print one JSON document");
  CLI::App* show = templates->add_subcommand("show", "One template");
  show->add_option("ID", flags.template_id, "Its id")->required();
  CLI::App* test = templates->add_subcommand(
      "test", "Try the examples of a repository's templates, .tenline/templates/*.yaml");
  test->add_option("PATH", flags.template_paths,
                   "Files, or folders of them (default: those of the repository)");
  for (CLI::App* command : {list, show, test}) {
    command
        ->add_option("--repo", flags.fix.repository,
                     "A repository with templates (default: the one around this folder)")
        ->type_name("DIR");
  }
}

void add_commands(CLI::App& app, Flags& flags) {
  add_fix(app, flags);
  CLI::App* resume = app.add_subcommand("resume", "Go on with a run that was stopped");
  add_run_argument(*resume, flags);
  add_search_flags(*resume, flags);
  add_python_flag(*resume, flags);
  add_print_flags(*resume, flags);
  CLI::App* show = app.add_subcommand("show", "Print what a run found");
  add_run_argument(*show, flags);
  add_print_flags(*show, flags);
  CLI::App* apply = app.add_subcommand("apply", "Apply a patch of a run to your repository");
  add_run_argument(*apply, flags);
  apply->add_option("--candidate", flags.candidate, "Which of the patches (default 1)");
  apply->add_option("--branch", flags.branch, "Commit it on a new branch of this name");
  CLI::App* locate = app.add_subcommand("locate", "Rank the places that may be at fault");
  add_bug_flags(*locate, flags);
  CLI::App* doctor = app.add_subcommand("doctor", "Say whether this machine can run tenline");
  doctor->add_flag("--json", flags.print.json, "Print one JSON document");
  add_python_flag(*doctor, flags);
  add_templates(app, flags);
  add_corpus(app, flags);
  app.add_subcommand("version", "Print the version");
}

/// The interpreter: the flag, else that of the active environment, else python3.
std::string choose_python(const std::string& asked) {
  if (!asked.empty()) return asked;
  if (const char* active = std::getenv("VIRTUAL_ENV"); active != nullptr && *active != '\0') {
    return std::string(active) + "/bin/python3";
  }
  return "python3";
}

void finish_flags(Flags& flags) {
  const auto seconds = [](const char* flag, const std::string& text) {
    const Result<double> parsed = parse_duration(text);
    if (!parsed) throw Fatal(2, fmt::format("{}: {}", flag, parsed.error().message));
    return *parsed;
  };
  flags.fix.budget_seconds = seconds("--budget", flags.budget);
  flags.fix.time_limit_seconds = flags.time_limit.empty()
                                     ? std::min(120.0, flags.fix.budget_seconds / 6)
                                     : seconds("--time-limit", flags.time_limit);
  flags.fix.sandbox = !flags.unsafe;
  flags.fix.warm = !flags.cold;
  flags.fix.python = choose_python(flags.fix.python);
  const char* no_color = std::getenv("NO_COLOR");
  const char* term = std::getenv("TERM");
  const bool plain = (no_color != nullptr && *no_color != '\0') ||
                     (term != nullptr && std::string_view(term) == "dumb");
  flags.print.color =
      flags.color == "always" || (flags.color == "auto" && !plain && isatty(STDOUT_FILENO) == 1);
  flags.print.terminal = isatty(STDERR_FILENO) == 1 && !plain;
}

RunFolder find_run(const Flags& flags) {
  const std::vector<std::string> parents =
      flags.out.empty() ? default_runs_folders() : std::vector<std::string>{flags.out};
  Result<RunFolder> folder = RunFolder::find(flags.run, parents);
  if (!folder) throw Fatal(2, folder.error().message);
  return *std::move(folder);
}

/// What was asked for when the run was new, but for what is asked for now.
FixOptions resumed_options(const CLI::App& resume, const Flags& flags, const FixOptions& kept) {
  FixOptions options = kept;
  if (resume.count("--jobs") > 0) options.jobs = flags.fix.jobs;
  if (resume.count("--budget") > 0) options.budget_seconds = flags.fix.budget_seconds;
  if (resume.count("--max-candidates") > 0) options.max_candidates = flags.fix.max_candidates;
  if (resume.count("--top") > 0) options.top = flags.fix.top;
  if (resume.count("--python") > 0) options.python = flags.fix.python;
  return options;
}

int resume(const CLI::App& command, const Flags& flags, const Spawner& spawner) {
  const RunFolder folder = find_run(flags);
  const Result<FixOptions> kept = folder.options();
  if (!kept) throw Fatal(2, kept.error().message);
  const Result<void> written = folder.keep(resumed_options(command, flags, *kept));
  if (!written) throw Fatal(4, written.error().message);
  return run_fix(folder, spawner, flags.print);
}

int dispatch(const CLI::App& app, Flags& flags, const Spawner& spawner) {
  if (app.got_subcommand("version")) {
    fmt::print("tenline {}\n", TENLINE_VERSION);
    return 0;
  }
  if (app.got_subcommand("templates")) {
    const CLI::App& command = *app.get_subcommand("templates");
    const std::string& repository = flags.fix.repository;
    if (command.got_subcommand("show")) return show_template(repository, flags.template_id);
    if (command.got_subcommand("test")) return test_templates(repository, flags.template_paths);
    return list_templates(repository, flags.markdown, flags.print.json);
  }
  if (app.got_subcommand("corpus")) {
    flags.recall.jobs = flags.fix.jobs;
    return run_recall(flags.recall);
  }
  finish_flags(flags);
  if (app.got_subcommand("doctor")) {
    return run_doctor(flags.fix.python, spawner, flags.print.json);
  }
  if (app.got_subcommand("show")) return show_run(find_run(flags), flags.print);
  if (app.got_subcommand("apply")) return apply_run(find_run(flags), flags.candidate, flags.branch);
  if (app.got_subcommand("resume")) {
    return resume(*app.get_subcommand("resume"), flags, spawner);
  }
  const std::string parent =
      flags.out.empty() ? default_runs_folder(flags.fix.repository) : flags.out;
  const bool locate = app.got_subcommand("locate");
  const RunFolder folder =
      prepare_run(flags.inputs, flags.fix, parent, locate ? Check::optional : Check::needed);
  if (locate) return run_locate(folder, spawner, flags.print);
  return flags.dry_run ? dry_run(folder, flags.print) : run_fix(folder, spawner, flags.print);
}

int run(int argc, char** argv) {
  CLI::App app("tenline repairs small bugs in distributed deep-learning frameworks", "tenline");
  app.footer(k_exit_codes);
  app.require_subcommand(1);
  app.set_help_all_flag("--help-all", "Print the help of all commands");
  Flags flags;
  flags.fix.jobs = static_cast<int>(std::max(1U, std::thread::hardware_concurrency()));
  add_commands(app, flags);
  try {
    app.parse(argc, argv);
  } catch (const CLI::Success& asked) {
    return app.exit(asked);
  } catch (const CLI::ParseError& error) {
    fmt::print(stderr, "tenline: {}\nTry tenline --help.\n", error.what());
    return 2;
  }
  umask(S_IWGRP | S_IWOTH);  // The sandbox's user must be able to read worktrees.
  // Before any thread exists: the spawner is a fork of this process.
  const Result<Spawner> spawner = Spawner::start();
  if (!spawner) throw Fatal(4, spawner.error().message);
  ignore_closed_pipes();
  return dispatch(app, flags, *spawner);
}

}  // namespace
}  // namespace tenline::cli

int main(int argc, char** argv) {
  try {
    return tenline::cli::run(argc, argv);
  } catch (const tenline::Fatal& error) {
    fmt::print(stderr, "tenline: {}\n", error.what());
    return error.exit_code;
  } catch (const std::exception& error) {
    fmt::print(stderr, "tenline: internal error: {}\n", error.what());
    return 70;
  }
}
