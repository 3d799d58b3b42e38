#include "oracles/warm_runs.h"

#include <algorithm>

#include "engine/base/json.h"
#include "engine/base/text.h"

namespace tenline {

namespace {

constexpr std::size_t k_worth_it = 6;  // Candidates a slot: a worker costs as much as one cold run.
constexpr std::chrono::seconds k_extra{10};  // Beyond the time of a run, for its answer.
constexpr int k_most_lost = 3;               // Workers of a slot, before it goes on without.

std::string text_of(const Json& object, const char* name) {
  const auto it = object.find(name);
  return it != object.end() && it->is_string() ? it->get<std::string>() : std::string();
}

double number_of(const Json& object, const char* name) {
  const auto it = object.find(name);
  return it != object.end() && it->is_number() ? it->get<double>() : 0;
}

/// How a run ended that the worker made, as if it had been a process of ours.
std::optional<ProcessOutput> output_of(const Json& answer) {
  ProcessOutput output;
  const std::string end = text_of(answer, "end");
  const int code = static_cast<int>(number_of(answer, "code"));
  if (end == "exit") {
    output.exit_code = code;
  } else if (end == "signal") {
    output.end = ProcessEnd::signalled;
    output.signal = code;
  } else if (end == "timeout") {
    output.end = ProcessEnd::timed_out;
  } else if (end == "output") {
    output.end = ProcessEnd::output_limit;
  } else {
    return std::nullopt;
  }
  output.out = text_of(answer, "out");
  output.err = text_of(answer, "err");
  output.seconds = number_of(answer, "seconds");
  output.cpu_seconds = number_of(answer, "cpu");
  return output;
}

/// What one copy can spoil for the next: cold runs have a network of their own.
bool may_be_of_another_run(const ProcessOutput& output) {
  constexpr std::string_view k_in_use = "ddress already in use";
  return output.err.find(k_in_use) != std::string::npos ||
         output.out.find(k_in_use) != std::string::npos;
}

}  // namespace

WarmPlan plan_for(const std::vector<Candidate>& candidates) {
  WarmPlan plan;
  plan.candidates = candidates.size();
  for (const Candidate& candidate : candidates) {
    for (const Edit& edit : candidate.edits) plan.functions[edit.file];
    plan.functions[candidate.file].insert(candidate.function);
  }
  return plan;
}

WarmRuns::WarmRuns(const OracleOptions& options, Workspace& workspace, Checks& checks,
                   ProcessRunner& runner, WarmPlan plan)
    : options_(options),
      workspace_(workspace),
      checks_(checks),
      runner_(runner),
      plan_(std::move(plan)),
      workers_(static_cast<std::size_t>(std::max(1, options.jobs))) {}

void WarmRuns::give_up(const std::string& reason) {
  const std::scoped_lock lock(mutex_);
  if (why_not_.empty()) why_not_ = reason;
}

std::string WarmRuns::why_not() {
  const std::scoped_lock lock(mutex_);
  return why_not_;
}

Result<Json> WarmRuns::ask(Worker& worker, const Json& question, std::chrono::milliseconds time) {
  TENLINE_TRY(const std::string text, worker.conversation->ask(to_text(question), time));
  TENLINE_TRY(Json answer, parse_json(text, std::size_t{64} << 20U));
  if (!answer.is_object()) return fail(ErrorCode::unavailable, "not an answer");
  return answer;
}

Result<void> WarmRuns::start(int slot) {
  Worker& worker = workers_[static_cast<std::size_t>(slot)];
  TENLINE_TRY_VOID(workspace_.put(slot, {}));
  TENLINE_TRY(const std::string worktree, workspace_.worktree(slot));
  TENLINE_TRY(const Command command, checks_.warm_command(slot));
  Result<std::unique_ptr<Conversation>> opened = runner_.open(command);
  if (!opened) {
    give_up(opened.error().message);
    return {};
  }
  worker.conversation = *std::move(opened);
  Json files = Json::object();
  for (const auto& [file, functions] : plan_.functions) files[file] = functions;
  const Json question = {{"root", worktree},
                         {"program", checks_.warm_program()},
                         {"files", std::move(files)},
                         {"seconds", std::chrono::duration<double>(options_.limits.time).count()},
                         {"output", options_.limits.output},
                         {"results", command.environment.contains("TENLINE_RESULTS")
                                         ? command.environment.at("TENLINE_RESULTS")
                                         : std::string()}};
  const Result<Json> answer = ask(worker, question, options_.limits.time + k_extra);
  if (!answer) {
    worker.conversation.reset();
    if (answer.error().code == ErrorCode::cancelled) return tl::unexpected(answer.error());
    give_up("the worker does not start: " + answer.error().message);
    return {};
  }
  const std::optional<ProcessOutput> output = output_of(*answer);
  // A base run that hangs cold may hang warm: the copies that it left are good.
  if (output && output->end == ProcessEnd::timed_out) return {};
  if (!output || checks_.read(*output, text_of(*answer, "results")).said != Said::present) {
    worker.conversation.reset();
    give_up("the failure does not show in the worker");
  }
  return {};
}

Result<std::optional<WarmRun>> WarmRuns::run(int slot, const FileTexts& texts,
                                             std::chrono::milliseconds time) {
  Worker& worker = workers_[static_cast<std::size_t>(slot)];
  if (!worker.conversation) {
    const bool wanted = plan_.candidates >= k_worth_it * workers_.size() && why_not().empty();
    if (!wanted || worker.lost >= k_most_lost) return std::nullopt;
    TENLINE_TRY_VOID(start(slot));
    if (!worker.conversation) return std::nullopt;
  }
  TENLINE_TRY_VOID(workspace_.swap(slot, texts));  // The worker cannot write there.
  std::vector<std::string> files;
  for (const auto& [file, text] : texts) files.push_back(file);
  const Json question = {{"files", files},
                         {"seconds", std::chrono::duration<double>(time).count()}};
  const Result<Json> answer = ask(worker, question, time + k_extra);
  if (!answer || answer->contains("lost")) {
    worker.conversation.reset();
    ++worker.lost;
    if (!answer && answer.error().code == ErrorCode::cancelled) {
      return tl::unexpected(answer.error());
    }
    return std::nullopt;
  }
  std::optional<ProcessOutput> output = output_of(*answer);
  if (!output || may_be_of_another_run(*output)) return std::nullopt;
  WarmRun run;
  run.run = checks_.read(*std::move(output), text_of(*answer, "results"));
  const std::string stage = text_of(*answer, "stage");
  if (stage == "late") run.stage = Stage::late;
  if (stage == "unreached") run.stage = Stage::unreached;
  run.group = text_of(*answer, "group");
  return run;
}

}  // namespace tenline
