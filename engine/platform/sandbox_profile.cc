// Order is the point of the mounts: the system first, then the command's paths from the outermost
// to the innermost, so that a read-only path inside a writable folder stays read-only, and the
// reverse. A `.git` at the top of a writable folder is bound read-only over itself: a candidate
// that could replace it would have the engine's git read a configuration of its choice.

#include "engine/platform/sandbox_profile.h"

#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <filesystem>
#include <set>

#include "engine/platform/process.h"

namespace tenline {

namespace fs = std::filesystem;

namespace {

enum class Access : std::uint8_t { read, write };

struct Mount {
  std::string path;
  Access access = Access::read;
  friend bool operator<(const Mount& a, const Mount& b) {
    // A folder sorts before what is in it; read after write, so that it wins on the same path.
    return std::pair(a.path, a.access == Access::read) <
           std::pair(b.path, b.access == Access::read);
  }
};

constexpr auto k_system_folders =
    std::to_array<const char*>({"/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32"});
/// What programs look up at their start. Each is a mount and costs a tenth of a millisecond.
constexpr auto k_system_files = std::to_array<const char*>(
    {"/etc/alternatives", "/etc/fonts", "/etc/group", "/etc/hosts", "/etc/ld.so.cache",
     "/etc/localtime", "/etc/mime.types", "/etc/nsswitch.conf", "/etc/passwd", "/etc/python3",
     "/etc/python3.11", "/sys/devices/system/cpu", "/sys/devices/system/node"});
/// These are the sandbox's own; binding over one would uncover the machine's.
constexpr auto k_reserved =
    std::to_array<const char*>({"/", "/proc", "/dev", "/tmp", "/sys", "/etc"});

bool is_within(std::string_view path, std::string_view folder) {
  return path.starts_with(folder) && (path.size() == folder.size() || path[folder.size()] == '/');
}

bool exists(const std::string& path) {
  struct stat status{};
  return ::lstat(path.c_str(), &status) == 0;
}

/// Collects bubblewrap's arguments, making the parents of mount points readable for everyone:
/// bubblewrap would make them for its own user only.
class Arguments {
 public:
  void add(std::initializer_list<std::string> words) { list_.insert(list_.end(), words); }

  void bind(const std::string& path, Access access) {
    make_parents(path);
    add({access == Access::write ? "--bind" : "--ro-bind", path, path});
    bound_.push_back(path);
  }

  void folder(const char* permissions, const std::string& path) {
    add({"--perms", permissions, "--dir", path});
  }

  void temporary(const std::string& path, std::size_t bytes) {
    add({"--perms", "1777", "--size", std::to_string(bytes), "--tmpfs", path});
    made_.insert(path);
  }

  /// Is there a file of the machine at this path?
  [[nodiscard]] bool shows(const std::string& path) const {
    return std::ranges::any_of(bound_,
                               [&](const std::string& bound) { return is_within(path, bound); });
  }

  std::vector<std::string> take() { return std::move(list_); }

 private:
  void make_parents(const std::string& path) {
    for (std::size_t at = path.find('/', 1); at != std::string::npos; at = path.find('/', at + 1)) {
      const std::string parent = path.substr(0, at);
      if (!shows(parent) && made_.insert(parent).second) folder("0755", parent);
    }
  }

  std::vector<std::string> list_;
  std::vector<std::string> bound_;
  std::set<std::string> made_;
};

void add_namespaces(Arguments& out, const SandboxMode& mode) {
  out.add({"--die-with-parent", "--new-session", "--unshare-pid", "--unshare-net", "--unshare-ipc",
           "--unshare-uts", "--unshare-cgroup-try"});
  // A name that resolves: torch's gloo looks up its own host.
  out.add({"--hostname", "localhost", "--cap-drop", "ALL"});
  if (mode.as_root) {
    // For setpriv, which gives them up.
    out.add({"--cap-add", "CAP_SETUID", "--cap-add", "CAP_SETGID", "--cap-add", "CAP_SETPCAP"});
  } else {
    out.add({"--unshare-user"});
    if (mode.disable_userns) out.add({"--disable-userns"});
  }
}

void add_system(Arguments& out, const ProcessLimits& limits) {
  for (const std::string path : k_system_folders) {
    std::error_code error;
    if (fs::is_symlink(path, error)) {
      out.add({"--symlink", fs::read_symlink(path, error).string(), path});
    } else if (fs::is_directory(path, error)) {
      out.bind(path, Access::read);
    }
  }
  for (const std::string path : k_system_files) {
    std::error_code error;
    if (fs::exists(path, error)) out.bind(path, Access::read);
  }
  out.add({"--proc", "/proc", "--dev", "/dev"});
  out.temporary("/dev/shm", limits.scratch);
  out.temporary("/tmp", limits.scratch);
  out.folder("0777", k_sandbox_home);
  out.folder("0777", k_sandbox_work);
}

Result<std::string> mount_path(const std::string& path) {
  std::string normal = fs::path(path).lexically_normal().string();
  while (normal.size() > 1 && normal.ends_with('/')) normal.pop_back();
  if (!normal.starts_with('/') || normal.find('\0') != std::string::npos) {
    return fail(ErrorCode::invalid_input,
                fmt::format("a path for the sandbox must be absolute: {}", path));
  }
  const bool reserved = std::ranges::find(k_reserved, normal) != k_reserved.end() ||
                        is_within(normal, "/proc") || is_within(normal, "/dev");
  if (reserved) {
    return fail(
        ErrorCode::invalid_input,
        fmt::format("the sandbox cannot show all of {}; name a folder of your own", normal));
  }
  if (!exists(normal)) {
    return fail(ErrorCode::not_found, fmt::format("there is no {} to show in the sandbox", normal));
  }
  return normal;
}

/// Without capabilities not even root's own user could pass over the rights of files.
Result<void> check_rights(const std::string& path, unsigned uid) {
  struct stat status{};
  if (::stat(path.c_str(), &status) != 0) return {};  // A link to nowhere may stay one.
  const mode_t needed = S_ISDIR(status.st_mode) ? S_IROTH | S_IXOTH : S_IROTH;
  if (status.st_uid == uid || (status.st_mode & needed) == needed) return {};
  return fail(ErrorCode::invalid_input,
              fmt::format("{} is closed to other users, and the sandbox's user is one: "
                          "`chmod -R o+rX {}`",
                          path, path));
}

Result<std::set<Mount>> mounts_of(const Command& command, const SandboxMode& mode) {
  std::set<Mount> mounts;
  for (const std::string& path : command.readable) {
    TENLINE_TRY(std::string normal, mount_path(path));
    if (mode.as_root) TENLINE_TRY_VOID(check_rights(normal, user_of(command)));
    mounts.insert({.path = std::move(normal), .access = Access::read});
  }
  for (const std::string& path : command.writable) {
    TENLINE_TRY(const std::string normal, mount_path(path));
    mounts.insert({.path = normal, .access = Access::write});
    if (exists(normal + "/.git")) mounts.insert({.path = normal + "/.git", .access = Access::read});
  }
  return mounts;
}

/// The program must be visible, and what it is a link to.
Result<void> check_visible(const Arguments& shown, const std::string& program) {
  const auto is_shown = [&](const std::string& path) {
    return shown.shows(path) || std::ranges::any_of(k_system_folders, [&](const char* folder) {
             return is_within(path, folder);
           });
  };
  std::error_code error;
  const std::string target = fs::canonical(program, error).string();
  for (const std::string& path : {program, target}) {
    if (!is_shown(path)) {
      return fail(
          ErrorCode::not_found,
          fmt::format("the program {} is not visible in the sandbox: add {} to the readable "
                      "paths",
                      program, fs::path(path).parent_path().string()));
    }
  }
  return {};
}

Result<std::string> inner_cwd(const Command& command, const Arguments& shown) {
  if (command.cwd.empty()) return std::string(k_sandbox_work);
  std::string cwd = fs::path(command.cwd).lexically_normal().string();
  if (!shown.shows(cwd) && !is_within(cwd, "/tmp")) {
    return fail(ErrorCode::not_found,
                fmt::format("the working folder {} is not visible in the sandbox", cwd));
  }
  return cwd;
}

std::vector<std::string> inner_command(const Command& command, const SandboxMode& mode,
                                       const std::string& program) {
  // The kernel counts processes per user and user namespace: set inside, the limit is this run's
  // own. It lies above the one that the watch enforces, because programs that fail at the kernel's
  // limit die and are soon below it again; the watch should find them over its own.
  const int processes = command.limits.processes + (command.limits.processes / 4) + 8;
  std::vector<std::string> result = {"/usr/bin/prlimit", fmt::format("--nproc={0}:{0}", processes),
                                     "--"};
  if (mode.as_root) {
    const unsigned uid = user_of(command);
    result.insert(result.end(),
                  {"/usr/bin/setpriv", fmt::format("--reuid={}", uid),
                   fmt::format("--regid={}", uid), "--clear-groups", "--no-new-privs",
                   "--inh-caps=-all", "--ambient-caps=-all", "--bounding-set=-all", "--"});
  }
  result.push_back(program);
  result.insert(result.end(), command.argv.begin() + 1, command.argv.end());
  return result;
}

}  // namespace

unsigned user_of(const Command& command) {
  return k_first_uid + static_cast<unsigned>(command.slot);
}

Result<SandboxProfile> make_profile(const Command& command, const SandboxMode& mode,
                                    const std::string& program) {
  if (command.slot < 0 || static_cast<unsigned>(command.slot) >= k_slots) {
    return fail(ErrorCode::invalid_input, fmt::format("there is no slot {}", command.slot));
  }
  TENLINE_TRY(const std::vector<std::string> environment,
              full_environment(command, k_sandbox_home, "/tmp"));
  TENLINE_TRY(const std::set<Mount> mounts, mounts_of(command, mode));

  Arguments out;
  add_namespaces(out, mode);
  out.add({"--clearenv"});
  for (const std::string& variable : environment) {
    const std::size_t equals = variable.find('=');
    out.add({"--setenv", variable.substr(0, equals), variable.substr(equals + 1)});
  }
  add_system(out, command.limits);
  for (const Mount& mount : mounts) out.bind(mount.path, mount.access);
  // Folders made for mount points are memory too: nobody may fill it.
  out.add({"--remount-ro", "/dev", "--remount-ro", "/"});
  TENLINE_TRY_VOID(check_visible(out, program));
  TENLINE_TRY(const std::string cwd, inner_cwd(command, out));
  out.add({"--chdir", cwd, "--json-status-fd", std::to_string(k_status_fd)});
  out.add({"--seccomp", std::to_string(k_filter_fd)});
  return SandboxProfile{.arguments = out.take(), .command = inner_command(command, mode, program)};
}

std::vector<std::pair<int, unsigned long>> profile_limits(const ProcessLimits& limits) {
  // The watch ends a tree over its memory. RLIMIT_DATA is for one process that is faster, and wide:
  // torch reserves much that it never touches.
  constexpr std::size_t k_reserve = std::size_t{4} << 30U;
  constexpr unsigned long k_open_files = 4096;
  const std::size_t most = std::size_t{1} << 50U;
  return {{RLIMIT_CORE, 0},
          {RLIMIT_NOFILE, k_open_files},
          {RLIMIT_FSIZE, limits.scratch},
          {RLIMIT_DATA, (std::min(limits.memory, most) * 2) + k_reserve}};
}

}  // namespace tenline
