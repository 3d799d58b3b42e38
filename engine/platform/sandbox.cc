#include "engine/platform/sandbox.h"

#include <array>
#include <csignal>

#include "engine/base/text.h"
#include "engine/platform/conversation.h"
#include "engine/platform/disk.h"
#include "engine/platform/process.h"
#include "engine/platform/sandbox_filter.h"
#include "engine/platform/sandbox_profile.h"
#include "engine/platform/sandbox_userns.h"
#include "engine/platform/sandbox_watch.h"

namespace tenline {

namespace {

struct Hint {
  std::string_view text;
  std::string_view advice;
};

/// What bubblewrap prints where the system refuses it, and what helps.
constexpr auto k_hints = std::to_array<Hint>({
    {.text = "setting up uid map: Permission denied",
     .advice =
         "AppArmor forbids user namespaces (Ubuntu 23.10 and later): as root run `sysctl -w "
         "kernel.apparmor_restrict_unprivileged_userns=0`, or install an AppArmor profile that "
         "allows `userns` for bwrap"},
    {.text = "No permissions to creat",  // "create" was misspelt in some versions.
     .advice =
         "user namespaces are switched off: as root run `sysctl -w "
         "kernel.unprivileged_userns_clone=1` and `sysctl -w user.max_user_namespaces=15000`"},
    {.text = "Creating new namespace failed",
     .advice =
         "namespaces are refused: as root run `sysctl -w user.max_user_namespaces=15000`; start "
         "a container with `--security-opt seccomp=unconfined`"},
    {.text = "PR_SET_SECCOMP",
     .advice = "the kernel takes no filters of system calls: it needs CONFIG_SECCOMP_FILTER"},
    {.text = "Can't mount proc",
     .advice = "a container hides parts of /proc: start it with `--security-opt "
               "systempaths=unconfined`"},
});

Error cannot_start(std::string_view said) {
  std::string message = fmt::format("the sandbox cannot be made: {}", trim(tail(said, 2000)));
  for (const Hint& hint : k_hints) {
    if (said.find(hint.text) != std::string_view::npos) {
      message += fmt::format("\n{}", hint.advice);
      break;
    }
  }
  return {.code = ErrorCode::unavailable, .message = to_valid_utf8(message)};
}

/// bubblewrap answers 128 + signal as a shell does. Larger codes are a program's own.
void set_exit(ProcessOutput& output, int code) {
  constexpr int k_last_signal = 31;
  if (code > 128 && code <= 128 + k_last_signal) {
    output.end = ProcessEnd::signalled;
    output.signal = code - 128;
    output.exit_code = 0;
    return;
  }
  output.end = ProcessEnd::exited;
  output.exit_code = code;
}

std::string zero_separated(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) text.append(word).push_back('\0');
  return text;
}

class SandboxedRunner final : public ProcessRunner {
 public:
  SandboxedRunner(const Spawner& spawner, std::string bubblewrap, StopRequest stop)
      : spawner_(spawner), bubblewrap_(std::move(bubblewrap)), stop_(std::move(stop)) {}

  /// Finds out how sandboxes can be made here.
  Result<void> prepare() {
    TENLINE_TRY(filter_, make_system_call_filter());
    mode_.as_root = can_give_users();
    if (mode_.as_root) {
      TENLINE_TRY(user_namespace_, make_user_namespace());
      return try_it();
    }
    mode_.disable_userns = true;
    Result<void> tried = try_it();
    if (tried) return tried;
    mode_.disable_userns = false;  // Missing in older kernels and versions; not everything else is.
    if (try_it()) return {};
    return tried;
  }

  Result<ProcessOutput> run(const Command& command) override {
    return run_with(command, stop_, {});
  }

  Result<std::unique_ptr<Conversation>> open(const Command& command) override {
    Command with_channel = command;
    with_channel.environment[k_channel_variable] = std::to_string(k_channel_fd);
    return open_conversation(stop_,
                             [this, with_channel](const StopRequest& stop, UniqueFd channel) {
                               return run_with(with_channel, stop, std::move(channel));
                             });
  }

  Result<ProcessOutput> run_with(const Command& command, const StopRequest& stop,
                                 UniqueFd channel) {
    TENLINE_TRY(const std::string program, resolve_program(command));
    TENLINE_TRY(const SandboxProfile profile, make_profile(command, mode_, program));
    if (mode_.as_root) {
      for (const std::string& folder : command.writable) {
        TENLINE_TRY_VOID(give_folder(folder, user_of(command)));
      }
    }
    TENLINE_TRY(const UniqueFd arguments, memory_file(zero_separated(profile.arguments)));
    TENLINE_TRY(const UniqueFd filter, memory_file(filter_));
    TENLINE_TRY(Pipe status, make_pipe());
    SpawnRequest request;
    request.argv = {bubblewrap_, "--args", "3", "--"};
    request.argv.insert(request.argv.end(), profile.command.begin(), profile.command.end());
    request.limits = profile_limits(command.limits);
    request.fds = {arguments.get(), status.write.get(), filter.get()};
    if (channel) request.fds.push_back(channel.get());
    request.user_namespace = user_namespace_.get();
    SandboxWatch watch(std::move(status.read), command.limits, command.writable);
    TENLINE_TRY(ProcessOutput output, supervise(spawner_, std::move(request), command.limits, stop,
                                                &watch, std::move(channel)));
    return judge(std::move(output), watch);
  }

  [[nodiscard]] std::string description() const {
    const std::string_view nested =
        mode_.as_root || mode_.disable_userns ? "forbidden" : "not forbidden";
    const std::string user =
        mode_.as_root ? fmt::format("as root, programs run as users {} and up", k_first_uid)
                      : std::string("as an ordinary user");
    return fmt::format("{}, {}, further user namespaces {}", bubblewrap_, user, nested);
  }

 private:
  static Result<ProcessOutput> judge(ProcessOutput output, SandboxWatch& watch) {
    if (output.end == ProcessEnd::exited || output.end == ProcessEnd::signalled) {
      const std::optional<int> code = watch.exit_code();
      if (!code) {
        return tl::unexpected(cannot_start(output.err.empty() ? "it was killed" : output.err));
      }
      set_exit(output, *code);
      const bool failed = output.end == ProcessEnd::signalled || output.exit_code != 0;
      if (failed && (output.signal == SIGXFSZ || !watch.scratch_problem().empty())) {
        output.end = ProcessEnd::scratch_limit;
      }
    }
    if (output.end == ProcessEnd::scratch_limit) {
      const std::string& problem = watch.scratch_problem();
      output.err +=
          fmt::format("\n[tenline: {}]\n", problem.empty() ? "a file is too large" : problem);
    }
    return output;
  }

  /// A run of nothing; what does not work now would not work for a candidate.
  Result<void> try_it() {
    Command nothing;
    nothing.argv = {"/usr/bin/true"};
    TENLINE_TRY(const ProcessOutput output, run(nothing));
    if (output.end == ProcessEnd::cancelled) return fail(ErrorCode::cancelled, "stopped");
    if (output.end != ProcessEnd::exited || output.exit_code != 0) {
      return tl::unexpected(cannot_start(output.err));
    }
    return {};
  }

  const Spawner& spawner_;
  std::string bubblewrap_;
  StopRequest stop_;
  SandboxMode mode_;
  UniqueFd user_namespace_;
  std::string filter_;
};

Result<std::unique_ptr<SandboxedRunner>> make_runner(const Spawner& spawner,
                                                     SandboxOptions options) {
  Result<std::string> bubblewrap =
      find_program(options.bubblewrap.empty() ? "bwrap" : options.bubblewrap);
  if (!bubblewrap) {
    return fail(ErrorCode::unavailable,
                fmt::format("the sandbox needs bubblewrap: {}; install the package `bubblewrap`",
                            bubblewrap.error().message));
  }
  auto runner =
      std::make_unique<SandboxedRunner>(spawner, *std::move(bubblewrap), std::move(options.stop));
  TENLINE_TRY_VOID(runner->prepare());
  return runner;
}

}  // namespace

Result<std::unique_ptr<ProcessRunner>> make_sandboxed_runner(const Spawner& spawner,
                                                             SandboxOptions options) {
  return make_runner(spawner, std::move(options))
      .map([](std::unique_ptr<SandboxedRunner> runner) -> std::unique_ptr<ProcessRunner> {
        return runner;
      });
}

Result<std::string> probe_sandbox(const Spawner& spawner, const SandboxOptions& options) {
  TENLINE_TRY(const auto runner, make_runner(spawner, options));
  return runner->description();
}

}  // namespace tenline
