#include "engine/platform/sandbox_watch.h"

#include <dirent.h>
#include <fcntl.h>
#include <fts.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <chrono>
#include <limits>
#include <memory>
#include <set>
#include <utility>

#include "engine/base/json.h"
#include "engine/base/text.h"

namespace tenline {

namespace {

constexpr std::size_t k_bytes_per_entry = 8192;  // A file counts as at least this much scratch.
constexpr short k_deepest = 128;  // Deeper trees are hard to measure, and nobody's test makes one.
constexpr auto k_temporary = std::to_array<const char*>({"/tmp", "/dev/shm"});
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

/// Visits what has a number for its name: processes, descriptors.
template <class Visit>
void each_number(int parent, const std::string& path, const Visit& visit) {
  const int fd = ::openat(parent, path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (fd < 0) return;
  const std::unique_ptr<DIR, int (*)(DIR*)> folder(::fdopendir(fd), ::closedir);
  if (!folder) return;
  while (const dirent* entry = ::readdir(folder.get())) {  // NOLINT(concurrency-mt-unsafe)
    const std::string name = entry->d_name;
    if (name.front() >= '0' && name.front() <= '9') visit(name);
  }
}

}  // namespace

bool Pace::is_due() {
  start_ = now_ms();
  return start_ >= due_;
}

void Pace::done(long long least_pause_ms) {
  const long long now = now_ms();
  due_ = now + std::max(least_pause_ms, 20 * (now - start_));
}

SandboxWatch::SandboxWatch(UniqueFd status, const ProcessLimits& limits,
                           std::vector<std::string> folders)
    : status_(std::move(status)),
      limits_(limits),
      folders_(std::move(folders)),
      most_entries_(limits.scratch / k_bytes_per_entry) {
  before_ = size_of_folders(std::numeric_limits<std::size_t>::max());
  struct stat in_memory{};
  const Result<UniqueFd> file = memory_file("");
  if (file && ::fstat(file->get(), &in_memory) == 0) memory_device_ = in_memory.st_dev;
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
    for (const char* folder : k_temporary) {
      const std::string path = fmt::format("root{}", folder);
      temporary_.emplace_back(
          ::openat(init_.get(), path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    }
  }
  return true;
}

SandboxWatch::Usage SandboxWatch::measure(int proc) {
  Usage usage;
  each_number(proc, ".", [&](const std::string& pid) {
    const std::string status = read_at(proc, pid + "/status");
    usage.own_memory += (field(status, "RssAnon:") + field(status, "VmSwap:")) * 1024;
    usage.shared_memory += field(status, "RssShmem:") * 1024;
    if (pid != "1") usage.tasks += static_cast<int>(field(status, "Threads:"));
    usage.cpu_seconds += cpu_of(read_at(proc, pid + "/stat"));
  });
  return usage;
}

/// Pages that several processes share are counted once; slow, so only asked when it matters.
std::size_t SandboxWatch::exact_memory(int proc, const OpenFiles& open_files) {
  std::size_t own = 0;
  std::size_t shared = 0;
  each_number(proc, ".", [&](const std::string& pid) {
    const std::string rollup = read_at(proc, pid + "/smaps_rollup");
    own += (field(rollup, "Pss_Anon:") + field(rollup, "SwapPss:")) * 1024;
    shared += field(rollup, "Pss_Shmem:") * 1024;
  });
  return own + std::max(shared, open_files.memory);
}

SandboxWatch::OpenFiles SandboxWatch::measure_open_files(int proc) const {
  OpenFiles found;
  std::set<std::pair<dev_t, ino_t>> seen;
  each_number(proc, ".", [&](const std::string& pid) {
    each_number(proc, pid + "/fd", [&](const std::string& fd) {
      struct stat status{};
      const std::string path = fmt::format("{}/fd/{}", pid, fd);
      if (::fstatat(proc, path.c_str(), &status, 0) != 0) return;
      if (!S_ISREG(status.st_mode) || status.st_nlink > 0) return;
      if (!seen.emplace(status.st_dev, status.st_ino).second) return;
      std::size_t& sum = status.st_dev == memory_device_ ? found.memory : found.scratch;
      sum += static_cast<std::size_t>(status.st_blocks) * 512;
    });
  });
  return found;
}

std::optional<ProcessEnd> SandboxWatch::look() {
  if (!find_sandbox()) return std::nullopt;
  const UniqueFd proc(::openat(init_.get(), "root/proc", O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (!proc) return std::nullopt;
  const Usage usage = measure(proc.get());
  cpu_seconds_ = std::max(cpu_seconds_, usage.cpu_seconds);
  if (usage.tasks > limits_.processes) return ProcessEnd::process_limit;
  if (open_files_pace_.is_due()) {
    open_files_ = measure_open_files(proc.get());
    open_files_pace_.done();
  }
  const std::size_t shared = std::max(usage.shared_memory, open_files_.memory);
  if (usage.own_memory + shared > limits_.memory && memory_pace_.is_due()) {
    if (exact_memory(proc.get(), open_files_) > limits_.memory) return ProcessEnd::memory_limit;
    memory_pace_.done();  // Many processes may share much.
  }
  scratch_problem_ = temporary_problem();
  if (scratch_problem_.empty() && !folders_.empty() && folder_pace_.is_due()) {
    scratch_problem_ = folder_problem();
    folder_pace_.done(100);
  }
  if (!scratch_problem_.empty()) return ProcessEnd::scratch_limit;
  return std::nullopt;
}

std::optional<int> SandboxWatch::exit_code() {
  read_status();
  if (status_text_.find("\"exit-code\":") == std::string::npos) return std::nullopt;
  return static_cast<int>(field(status_text_, "\"exit-code\":"));
}

const std::string& SandboxWatch::scratch_problem() {
  if (scratch_problem_.empty()) scratch_problem_ = temporary_problem();
  if (scratch_problem_.empty()) scratch_problem_ = folder_problem();
  return scratch_problem_;
}

std::string SandboxWatch::temporary_problem() const {
  for (std::size_t i = 0; i < temporary_.size(); ++i) {
    struct statvfs space{};
    if (::fstatvfs(temporary_[i].get(), &space) != 0 || space.f_blocks == 0) continue;
    if (space.f_bavail <= 2) return fmt::format("{} is full", k_temporary[i]);
    if (space.f_files - space.f_ffree > most_entries_) {
      return fmt::format("more than {} files in {}", most_entries_, k_temporary[i]);
    }
  }
  return {};
}

SandboxWatch::FolderSize SandboxWatch::size_of_folders(std::size_t most_entries) const {
  FolderSize size;
  for (std::string folder : folders_) {
    std::array<char*, 2> roots = {folder.data(), nullptr};
    const std::unique_ptr<FTS, int (*)(FTS*)> walk(
        ::fts_open(roots.data(), FTS_PHYSICAL | FTS_NOCHDIR, nullptr), ::fts_close);
    if (!walk) continue;
    while (FTSENT* entry = ::fts_read(walk.get())) {
      const int kind = entry->fts_info;
      if (kind == FTS_DP) continue;
      if (kind == FTS_DNR || kind == FTS_NS || kind == FTS_ERR) {
        if (entry->fts_errno != ENOENT) ++size.unmeasured;  // Else it went in the meantime.
        continue;
      }
      if (entry->fts_level > k_deepest) {
        ::fts_set(walk.get(), entry, FTS_SKIP);
        ++size.unmeasured;
      }
      size.bytes += static_cast<std::size_t>(entry->fts_statp->st_blocks) * 512;
      if (++size.entries > most_entries) return size;
    }
  }
  return size;
}

std::string SandboxWatch::folder_problem() const {
  const FolderSize now = size_of_folders(before_.entries + most_entries_);
  if (now.bytes + open_files_.scratch >= before_.bytes + limits_.scratch) {
    return "too much in the writable folders";
  }
  if (now.entries > before_.entries + most_entries_) {
    return fmt::format("more than {} new files in the writable folders", most_entries_);
  }
  if (now.unmeasured > before_.unmeasured) {
    return "folders that are closed or too deep in the writable folders";
  }
  return {};
}

}  // namespace tenline
