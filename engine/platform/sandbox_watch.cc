#include "engine/platform/sandbox_watch.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <chrono>
#include <filesystem>
#include <memory>

#include "engine/base/json.h"
#include "engine/base/text.h"

namespace tenline {

namespace fs = std::filesystem;

namespace {

constexpr std::size_t k_most_entries = 200'000;  // Of writable folders, beyond those at the start.
constexpr std::size_t k_status_bytes = 65536;

long long now_ms() {
  return std::chrono::duration_cast<std::chrono::milliseconds>(
             std::chrono::steady_clock::now().time_since_epoch())
      .count();
}

std::string read_at(int folder, const std::string& name) {
  const UniqueFd file(::openat(folder, name.c_str(), O_RDONLY | O_CLOEXEC));
  return file ? read_available(file.get(), 16384) : std::string();
}

std::size_t number_at(std::string_view text) {
  text.remove_prefix(std::min(text.find_first_not_of(" \t"), text.size()));
  std::size_t number = 0;
  std::from_chars(text.data(), text.data() + text.size(), number);
  return number;
}

/// The number after "Name:" in /proc/<pid>/status or smaps_rollup; 0 where there is none.
std::size_t field(std::string_view text, std::string_view name) {
  const std::size_t at = text.find(name);
  return at == std::string_view::npos ? 0 : number_at(text.substr(at + name.size()));
}

/// Own and waited-for CPU time, from /proc/<pid>/stat: fields 14 to 17.
double cpu_of(std::string_view stat) {
  const std::size_t name_end = stat.rfind(')');
  if (name_end == std::string_view::npos) return 0;
  const std::vector<std::string_view> fields = split(stat.substr(name_end + 1), ' ');
  if (fields.size() < 16) return 0;
  std::size_t ticks = 0;
  for (std::size_t i = 12; i < 16; ++i) ticks += number_at(fields[i]);
  static const auto k_ticks_per_second = static_cast<double>(::sysconf(_SC_CLK_TCK));
  return static_cast<double>(ticks) / k_ticks_per_second;
}

template <class Visit>
void each_process(int proc, const Visit& visit) {
  const int copy = ::openat(proc, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (copy < 0) return;
  const std::unique_ptr<DIR, int (*)(DIR*)> folder(::fdopendir(copy), ::closedir);
  if (!folder) return;
  while (const dirent* entry = ::readdir(folder.get())) {  // NOLINT(concurrency-mt-unsafe)
    const std::string name = entry->d_name;
    if (name.front() >= '1' && name.front() <= '9') visit(name);
  }
}

bool is_full(int folder) {
  struct statvfs space{};
  if (::fstatvfs(folder, &space) != 0 || space.f_blocks == 0) return false;
  return space.f_bavail <= 2 || (space.f_files > 0 && space.f_ffree == 0);
}

}  // namespace

SandboxWatch::SandboxWatch(UniqueFd status, const ProcessLimits& limits,
                           std::vector<std::string> folders)
    : status_(std::move(status)), limits_(limits), folders_(std::move(folders)) {
  before_ = size_of_folders();
}

void SandboxWatch::read_status() {
  if (status_text_.size() < k_status_bytes) {
    status_text_ += read_available(status_.get(), k_status_bytes - status_text_.size());
  }
}

/// Opens the first process, and the temporary folders once the sandbox has its own root.
bool SandboxWatch::find_sandbox() {
  if (!init_) {
    read_status();
    const std::size_t pid = field(status_text_, "\"child-pid\":");
    if (pid == 0) return false;
    init_.reset(::open(fmt::format("/proc/{}", pid).c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC));
  }
  struct stat inner{};
  struct stat outer{};
  // While the sandbox is being made this is still the /proc of the machine.
  if (::fstatat(init_.get(), "root/proc", &inner, 0) != 0 || ::stat("/proc", &outer) != 0 ||
      inner.st_dev == outer.st_dev) {
    return false;
  }
  if (temporary_.empty()) {
    for (const char* folder : {"root/tmp", "root/dev/shm"}) {
      temporary_.emplace_back(::openat(init_.get(), folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    }
  }
  return true;
}

SandboxWatch::Usage SandboxWatch::measure(int proc) {
  Usage usage;
  each_process(proc, [&](const std::string& pid) {
    const std::string status = read_at(proc, pid + "/status");
    usage.memory +=
        (field(status, "RssAnon:") + field(status, "RssShmem:") + field(status, "VmSwap:")) * 1024;
    if (pid != "1") usage.tasks += static_cast<int>(field(status, "Threads:"));
    usage.cpu_seconds += cpu_of(read_at(proc, pid + "/stat"));
  });
  return usage;
}

/// Pages that several processes share are counted once; slow, so only asked when it matters.
std::size_t SandboxWatch::exact_memory(int proc) {
  std::size_t total = 0;
  each_process(proc, [&](const std::string& pid) {
    const std::string rollup = read_at(proc, pid + "/smaps_rollup");
    total +=
        (field(rollup, "Pss_Anon:") + field(rollup, "Pss_Shmem:") + field(rollup, "SwapPss:")) *
        1024;
  });
  return total;
}

std::optional<ProcessEnd> SandboxWatch::look() {
  if (!find_sandbox()) return std::nullopt;
  const UniqueFd proc(::openat(init_.get(), "root/proc", O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (!proc) return std::nullopt;
  const Usage usage = measure(proc.get());
  cpu_seconds_ = std::max(cpu_seconds_, usage.cpu_seconds);
  if (usage.tasks > limits_.processes) return ProcessEnd::process_limit;
  if (usage.memory > limits_.memory && now_ms() >= memory_check_due_) {
    const long long start = now_ms();
    if (exact_memory(proc.get()) > limits_.memory) return ProcessEnd::memory_limit;
    memory_check_due_ = now_ms() + 20 * (now_ms() - start);  // Many processes may share much.
  }
  const auto full = [](const UniqueFd& folder) { return is_full(folder.get()); };
  if (std::ranges::any_of(temporary_, full)) return ProcessEnd::scratch_limit;
  if (!folders_.empty() && now_ms() >= folder_check_due_) {
    const long long start = now_ms();
    if (folders_grew()) return ProcessEnd::scratch_limit;
    folder_check_due_ = now_ms() + std::max(100LL, 20 * (now_ms() - start));  // At most a 20th.
  }
  return std::nullopt;
}

std::optional<int> SandboxWatch::exit_code() {
  read_status();
  if (status_text_.find("\"exit-code\":") == std::string::npos) return std::nullopt;
  return static_cast<int>(field(status_text_, "\"exit-code\":"));
}

bool SandboxWatch::scratch_is_full() {
  const auto full = [](const UniqueFd& folder) { return is_full(folder.get()); };
  return std::ranges::any_of(temporary_, full) || folders_grew();
}

SandboxWatch::FolderSize SandboxWatch::size_of_folders() const {
  FolderSize size;
  for (const std::string& folder : folders_) {
    std::error_code error;
    fs::recursive_directory_iterator it(folder, fs::directory_options::skip_permission_denied,
                                        error);
    for (; !error && it != fs::end(it); it.increment(error)) {
      struct stat status{};
      if (::lstat(it->path().c_str(), &status) == 0) {
        size.bytes += static_cast<std::size_t>(status.st_blocks) * 512;
      }
      if (++size.entries > before_.entries + k_most_entries) return size;
    }
  }
  return size;
}

bool SandboxWatch::folders_grew() const {
  const FolderSize now = size_of_folders();
  return now.bytes >= before_.bytes + limits_.scratch ||
         now.entries > before_.entries + k_most_entries;
}

}  // namespace tenline
