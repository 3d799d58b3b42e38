#pragma once

// The seams of the engine: what it needs from the world, as small interfaces. Real ones are made in
// app/; tests use hand-written fakes (tests/fakes.h).

#include <chrono>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/core/bug_report.h"
#include "engine/core/candidate.h"
#include "engine/core/location.h"
#include "engine/core/verdict.h"

namespace tenline {

/// Limits of one process tree.
struct ProcessLimits {
  std::chrono::milliseconds time{60'000};       ///< Wall clock.
  std::size_t memory = std::size_t{16} << 30U;  ///< Bytes, of the whole tree.
  int processes = 512;
  std::size_t scratch = std::size_t{2} << 30U;  ///< Bytes of the temporary folders.
  std::size_t output = std::size_t{64} << 20U;  ///< Bytes printed before the tree is ended.
};

/// A program to run: an argument vector, never a shell string.
struct Command {
  std::vector<std::string> argv;
  std::string cwd;                                 ///< Absolute; empty: a fresh scratch folder.
  std::map<std::string, std::string> environment;  ///< All of it.
  std::vector<std::string>
      readable;  ///< Absolute paths that the program may read, beside the system.
  std::vector<std::string> writable;  ///< Absolute folders that it may write.
  ProcessLimits limits;
  int slot = 0;  ///< Which of the parallel runs it is; slots do not share a user id.
};

/// How a process tree ended.
enum class ProcessEnd {
  exited,
  signalled,
  timed_out,
  memory_limit,
  process_limit,
  scratch_limit,
  output_limit,
  cancelled,
};

[[nodiscard]] std::string_view to_string(ProcessEnd end);

struct ProcessOutput {
  ProcessEnd end = ProcessEnd::exited;
  int exit_code = 0;  ///< When exited.
  int signal = 0;     ///< When signalled.
  std::string out;    ///< The first and last 256 KiB of standard output.
  std::string err;
  double seconds = 0;
  double cpu_seconds = 0;
};

/// A program that goes on and answers lines with lines. Destroying it ends the program's whole
/// tree. For one thread at a time.
class Conversation {
 public:
  virtual ~Conversation() = default;
  /// Sends a line and waits for the answer's. After an Error the program is of no more use:
  /// cancelled where the user stopped, else unavailable, with what became of it.
  [[nodiscard]] virtual Result<std::string> ask(const std::string& line,
                                                std::chrono::milliseconds time) = 0;
};

/// The variable that tells a program the descriptor of its end of the conversation, a socket.
inline constexpr const char* k_channel_variable = "TENLINE_CHANNEL";

/// Runs programs. An Error means that the program could not be started or watched; what the program
/// itself did is always a ProcessOutput. Nothing of its tree is left when run returns. May be
/// called from several threads at once.
class ProcessRunner {
 public:
  virtual ~ProcessRunner() = default;
  [[nodiscard]] virtual Result<ProcessOutput> run(const Command& command) = 0;
  /// Starts a program to talk with, in a process namespace of its own, where it may end all others.
  /// The command's limit of time is that of the whole conversation. Not every runner can.
  [[nodiscard]] virtual Result<std::unique_ptr<Conversation>> open(const Command& command) {
    (void)command;
    return fail(ErrorCode::unavailable, "this runner holds no conversations");
  }
};

/// The private copy of the user's repository at the base revision, and its worktrees. May be called
/// from several threads, each with a slot of its own.
class Workspace {
 public:
  virtual ~Workspace() = default;
  /// Full id of the base commit.
  [[nodiscard]] virtual const std::string& revision() const = 0;
  /// Paths of the regular files of the base revision, sorted.
  [[nodiscard]] virtual const std::vector<std::string>& files() const = 0;
  /// Text of a file at the base revision; not_found where there is none.
  [[nodiscard]] virtual Result<std::string> read(const std::string& path) const = 0;
  /// Absolute folder of the worktree of a slot; made at the first call.
  [[nodiscard]] virtual Result<std::string> worktree(int slot) = 0;
  /// Makes the worktree of a slot the base revision with these files replaced.
  [[nodiscard]] virtual Result<void> put(int slot, const FileTexts& texts) = 0;
  /// The same, faster, where nothing but these two has written there since the last put: what runs
  /// there could not write.
  [[nodiscard]] virtual Result<void> swap(int slot, const FileTexts& texts) {
    return put(slot, texts);
  }
};

/// Remembers answers by key over the life of a run, so that a run goes on where it was. Durable
/// when put returns. May be called from several threads.
class Store {
 public:
  virtual ~Store() = default;
  [[nodiscard]] virtual std::optional<std::string> find(const std::string& key) = 0;
  [[nodiscard]] virtual Result<void> put(const std::string& key, const std::string& value) = 0;
};

/// Judges the base revision and candidates by running something.
class Oracle {
 public:
  virtual ~Oracle() = default;
  /// Runs the failing check on the base revision, several times, and once traced.
  [[nodiscard]] virtual Result<Reproduction> reproduce() = 0;
  /// Told once, before the first `judge`, which candidates may come.
  virtual void expect(const std::vector<Candidate>& candidates) { (void)candidates; }
  /// What the reader must know of how it judged, a line each.
  [[nodiscard]] virtual std::vector<std::string> notes() { return {}; }
  /// Judges a candidate: E1 runs the failing check; E2, for one that passed E1, the tests that
  /// import the changed files. What it put off it decides when asked again. May be called from
  /// several threads, each with a slot of its own.
  [[nodiscard]] virtual Result<Verdict> judge(const Candidate& candidate, Level level,
                                              int slot) = 0;
};

/// Ranks the places that may be at fault, best first.
class Locator {
 public:
  virtual ~Locator() = default;
  [[nodiscard]] virtual std::vector<Location> locate(const BugReport& report,
                                                     const FailureTrace& trace) = 0;
};

/// Makes candidates for the places, best first, without duplicates.
class Proposer {
 public:
  virtual ~Proposer() = default;
  [[nodiscard]] virtual std::vector<Candidate> propose(const std::vector<Location>& locations,
                                                       const BugReport& report,
                                                       const FailureTrace& trace) = 0;
};

/// Asked between units of work: has the user or a budget stopped the run?
using StopRequest = std::function<bool()>;

}  // namespace tenline
