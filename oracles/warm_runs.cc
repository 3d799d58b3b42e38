#include "oracles/warm_runs.h"

#include <algorithm>
#include <set>

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
  } else if (end == "timeout" || end == "slow") {
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

WarmRuns::WarmRuns(const OracleOptions& options, Workspace& workspace, Checks& checks,
                   ProcessRunner& runner, std::chrono::milliseconds base_time,
                   std::vector<Candidate> candidates)
    : options_(options),
      workspace_(workspace),
      checks_(checks),
      runner_(runner),
      base_time_(base_time),
      candidates_(std::move(candidates)),
      workers_(static_cast<std::size_t>(std::max(1, options.jobs))),
      known_(candidates_.size()) {
  for (std::size_t i = 0; i < candidates_.size(); ++i) numbers_.emplace(candidates_[i].id, i);
  // Small ones first: a patch may be near, and what comes after it is not asked for.
  constexpr std::size_t k_first = 16;
  constexpr std::size_t k_largest = 256;
  std::size_t size = k_first;
  for (std::size_t begin = 0; begin < candidates_.size(); begin += size) {
    if (begin > 0) size = std::min(2 * size, k_largest);
    batches_.push_back({.begin = begin, .end = std::min(begin + size, candidates_.size())});
  }
}

void WarmRuns::give_up(const std::string& reason) {
  const std::scoped_lock lock(mutex_);
  if (why_not_.empty()) why_not_ = reason;
}

std::string WarmRuns::why_not() {
  const std::scoped_lock lock(mutex_);
  return why_not_;
}

/// An Error where the user stopped, or the worker is gone; then there is none any more.
Result<Json> WarmRuns::ask(int slot, const Json& question, std::chrono::milliseconds time) {
  Worker& worker = workers_[static_cast<std::size_t>(slot)];
  const auto lose = [&](const Error& error) {
    worker.conversation.reset();
    if (error.code != ErrorCode::cancelled) ++worker.lost;
    return tl::unexpected(error);
  };
  const Result<std::string> text = worker.conversation->ask(to_text(question), time);
  if (!text) return lose(text.error());
  Result<Json> answer = parse_json(*text, std::size_t{64} << 20U);
  if (!answer) return lose(answer.error());
  if (!answer->is_object() || answer->contains("lost")) {
    return lose({ErrorCode::unavailable, "the worker lost a process"});
  }
  return answer;
}

Result<void> WarmRuns::start(int slot) {
  Worker& worker = workers_[static_cast<std::size_t>(slot)];
  std::map<std::string, std::set<std::string>> functions;
  for (const Candidate& candidate : candidates_) {
    for (const Edit& edit : candidate.edits) functions[edit.file];
    functions[candidate.file].insert(candidate.function);
  }
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
  for (const auto& [file, names] : functions) files[file] = names;
  const Json question = {{"root", worktree},
                         {"program", checks_.warm_program()},
                         {"files", std::move(files)},
                         {"seconds", std::chrono::duration<double>(base_time_).count()},
                         {"output", options_.limits.output}};
  const Result<Json> answer = ask(slot, question, base_time_ + k_extra);
  if (!answer) {
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

/// Whether the slot has a worker, which is started where there is none.
Result<bool> WarmRuns::ready(int slot) {
  const Worker& worker = workers_[static_cast<std::size_t>(slot)];
  if (!worker.conversation) {
    const bool wanted = candidates_.size() >= k_worth_it * workers_.size() && why_not().empty();
    if (!wanted || worker.lost >= k_most_lost) return false;
    TENLINE_TRY_VOID(start(slot));
  }
  return worker.conversation != nullptr;
}

/// `share` is that of one candidate in the run's cost.
std::optional<WarmRun> WarmRuns::read(const Json& answer, double share) const {
  std::optional<ProcessOutput> output = output_of(answer);
  if (!output || may_be_of_another_run(*output)) return std::nullopt;
  output->seconds *= share;
  output->cpu_seconds *= share;
  WarmRun run;
  run.run = checks_.read(*std::move(output), text_of(answer, "results"));
  const std::string stage = text_of(answer, "stage");
  for (const Stage known : {Stage::late, Stage::grouped, Stage::unreached}) {
    if (stage == to_string(known)) run.stage = known;
  }
  run.group = text_of(answer, "group");
  run.slow = text_of(answer, "end") == "slow";
  return run;
}

/// Takes over what a worker said about the batch's candidates.
void WarmRuns::keep(std::size_t batch, const Json& answers) {
  const std::scoped_lock lock(mutex_);
  const auto [begin, end, state] = batches_[batch];
  std::size_t number = 0;
  for (const Json& answer : answers) {
    const Json members = answer.is_object() ? answer.value("members", Json::array()) : Json();
    if (!members.is_array() || members.empty()) continue;
    std::optional<WarmRun> run = read(answer, 1.0 / static_cast<double>(members.size()));
    if (run && members.size() > 1) run->group = fmt::format("{}/{}", batch, number);
    ++number;
    for (const Json& member : members) {
      const auto index = member.is_number_unsigned() ? member.get<std::size_t>() : end;
      if (index >= begin && index < end) known_[index] = run;
    }
  }
}

Result<void> WarmRuns::run_batch(std::size_t batch, int slot, std::chrono::milliseconds time) {
  constexpr std::chrono::seconds k_most{20};  // After it, what is left is not split off any more.
  Json list = Json::array();
  {
    const std::scoped_lock lock(mutex_);
    for (std::size_t i = batches_[batch].begin; i < batches_[batch].end; ++i) {
      const Candidate& candidate = candidates_[i];
      Json edits = Json::array();
      bool one_file = true;
      for (const Edit& edit : candidate.edits) {
        one_file = one_file && edit.file == candidate.file;
        edits.push_back(Json::array({edit.span.begin, edit.span.end, edit.text}));
      }
      if (one_file) {
        list.push_back({{"id", i}, {"file", candidate.file}, {"edits", std::move(edits)}});
      }
    }
  }
  TENLINE_TRY_VOID(workspace_.swap(slot, {}));
  const Json question = {{"batch", std::move(list)},
                         {"seconds", std::chrono::duration<double>(time).count()},
                         {"patience", 1},
                         {"most", std::chrono::duration<double>(k_most).count()}};
  const Result<Json> answer = ask(slot, question, k_most + 2 * time + k_extra);
  if (answer) {
    keep(batch, answer->value("answers", Json::array()));
  } else if (answer.error().code == ErrorCode::cancelled) {
    return tl::unexpected(answer.error());
  }
  return {};
}

/// Comes back when the batch is done. While another slot is at it, this one takes a later one.
Result<void> WarmRuns::see_to(std::size_t batch, int slot, std::chrono::milliseconds time) {
  std::unique_lock lock(mutex_);
  while (batches_[batch].state != BatchState::done) {
    std::size_t next = batch;
    while (next < batches_.size() && batches_[next].state != BatchState::open) ++next;
    if (next == batches_.size() || next > batch + workers_.size()) {
      batch_done_.wait(lock);
      continue;
    }
    batches_[next].state = BatchState::running;
    lock.unlock();
    const Result<bool> has_worker = ready(slot);
    Result<void> done = has_worker && *has_worker ? run_batch(next, slot, time) : Result<void>();
    lock.lock();
    batches_[next].state = BatchState::done;
    batch_done_.notify_all();
    if (!has_worker) return tl::unexpected(has_worker.error());
    if (!done) return done;
  }
  return {};
}

Result<std::optional<WarmRun>> WarmRuns::run_first(int slot, const Candidate& candidate,
                                                   const FileTexts& texts,
                                                   std::chrono::milliseconds time) {
  TENLINE_TRY(const bool has_worker, ready(slot));
  if (!has_worker) return std::nullopt;
  if (const auto number = numbers_.find(candidate.id); number != numbers_.end()) {
    const auto is_behind = [&](const Batch& batch) { return batch.end <= number->second; };
    const auto batch = std::find_if_not(batches_.begin(), batches_.end(), is_behind);
    TENLINE_TRY_VOID(see_to(static_cast<std::size_t>(batch - batches_.begin()), slot, time));
    const std::scoped_lock lock(mutex_);
    if (known_[number->second]) return known_[number->second];
  }
  return run(slot, texts, time, 1);
}

Result<std::optional<WarmRun>> WarmRuns::run(int slot, const FileTexts& texts,
                                             std::chrono::milliseconds time, double patience) {
  TENLINE_TRY(const bool has_worker, ready(slot));
  if (!has_worker) return std::nullopt;
  TENLINE_TRY_VOID(workspace_.swap(slot, texts));  // The worker cannot write there.
  std::vector<std::string> files;
  for (const auto& [file, text] : texts) files.push_back(file);
  const Json question = {{"files", files},
                         {"seconds", std::chrono::duration<double>(time).count()},
                         {"patience", patience}};
  const Result<Json> answer = ask(slot, question, time + k_extra);
  if (answer) return read(*answer, 1);
  if (answer.error().code == ErrorCode::cancelled) return tl::unexpected(answer.error());
  return std::nullopt;
}

}  // namespace tenline
