#include "engine/platform/git_slot.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <ctime>
#include <optional>
#include <utility>

#include "engine/base/text.h"
#include "engine/platform/git_files.h"
#include "engine/platform/git_path.h"

// A put walks the whole worktree (some thousand stats, a few milliseconds) instead of trusting a
// list of what it changed: the code that ran there may have written, removed or linked anything.
//
// Byte code: Python takes a cached file for current if the source's time (in whole seconds) and
// size are the ones noted in it. So the base's files have one time for ever, and each put its own.
// Cached files that were written while the base was there are kept, since the base's code wrote
// them; what a candidate left is removed, or one candidate could leave code for the next to run.

namespace tenline::git {
namespace {

constexpr std::string_view k_byte_code = "__pycache__";
constexpr std::size_t k_max_file = std::size_t{256} << 20U;

/// A file that is written to within this time of a stat may keep its change time.
constexpr std::int64_t k_clock_grain = 20'000'000;

std::int64_t nanoseconds(const timespec& time) {
  return (std::int64_t{time.tv_sec} * 1'000'000'000) + time.tv_nsec;
}

mode_t mode_of(EntryKind kind) { return kind == EntryKind::executable ? 0755 : 0644; }

Result<void> check_paths(const BaseTree& tree, const FileTexts& texts) {
  for (const auto& [path, text] : texts) {
    const TreeEntry* entry = tree.find(path);
    const bool replaceable =
        entry == nullptr || entry->kind == EntryKind::file || entry->kind == EntryKind::executable;
    bool good = is_safe_path(path) && replaceable && text.size() <= k_max_file;
    for (std::string folder = split_path(path).folder; good && !folder.empty();
         folder = split_path(folder).folder) {
      const TreeEntry* above = tree.find(folder);
      good = !texts.contains(folder) && (above == nullptr || above->kind == EntryKind::folder) &&
             split_path(folder).name != k_byte_code;
    }
    if (!good) {
      return fail(ErrorCode::invalid_input,
                  fmt::format("refused to write {} into a worktree", printable(path)));
    }
  }
  return {};
}

}  // namespace

/// One put.
class Slot::Writer {
 public:
  Writer(Slot& slot, const FileTexts& texts, std::int64_t time)
      : slot_(slot), texts_(texts), time_(time), old_(std::exchange(slot.stamps_, {})) {}

  /// Writes all that differs, or only what the last candidate changed.
  Result<void> run(bool all) {
    TENLINE_TRY(const UniqueFd root, open_folder(slot_.places_.folder));
    struct stat now{};
    if (fstat(root.get(), &now) != 0) return fail_errno("use " + slot_.places_.folder);
    owner_ = {.mode = 0644, .time = 0, .user = now.st_uid, .group = now.st_gid};
    if (all) {
      TENLINE_TRY_VOID(sweep(root.get(), ""));
    } else {
      stamps_ = std::exchange(old_, {});
      for (const std::string& path : slot_.held_.value_or(std::set<std::string>())) {
        stamps_.erase(path);
        if (!texts_.contains(path)) TENLINE_TRY_VOID(put_back(root.get(), path));
      }
    }
    for (const auto& [path, text] : texts_) TENLINE_TRY_VOID(write_text(root.get(), path, text));

    timespec clock{};
    clock_gettime(CLOCK_REALTIME, &clock);
    std::erase_if(stamps_, [limit = nanoseconds(clock) - k_clock_grain](const auto& stamp) {
      return stamp.second.changed >= limit;
    });
    slot_.stamps_ = std::move(stamps_);
    return {};
  }

 private:
  Result<void> sweep(int folder, const std::string& path) {
    static const std::map<std::string, TreeEntry> k_nothing;
    const auto found = slot_.tree_.folders.find(path);
    const auto& children = found == slot_.tree_.folders.end() ? k_nothing : found->second;
    if (path.empty()) TENLINE_TRY_VOID(check_pointer(folder));

    TENLINE_TRY(const std::vector<std::string> names, names_in(folder));
    for (const std::string& name : names) {
      struct stat now{};
      if (fstatat(folder, name.c_str(), &now, AT_SYMLINK_NOFOLLOW) != 0)
        return fail_errno("use " + printable(name));
      const auto child = children.find(name);
      if (path.empty() && name == ".git") continue;
      if (child != children.end() &&
          S_ISDIR(now.st_mode) == (child->second.kind == EntryKind::folder)) {
        continue;
      }
      if (child == children.end() && name == k_byte_code && S_ISDIR(now.st_mode)) {
        TENLINE_TRY_VOID(sweep_byte_code(folder, path));
        continue;
      }
      TENLINE_TRY_VOID(remove_at(folder, name, slot_.places_.bin));
    }

    for (const auto& [name, entry] : children) {
      const std::string child = join_path(path, name);
      if (entry.kind == EntryKind::folder) {
        TENLINE_TRY(const UniqueFd opened, make_folder_at(folder, name, owner_));
        TENLINE_TRY_VOID(sweep(opened.get(), child));
      } else if (!texts_.contains(child)) {
        TENLINE_TRY_VOID(restore(folder, child, name, entry));
      }
    }
    return {};
  }

  Result<void> check_pointer(int root) {
    const Result<std::string> text = read_file_at(root, ".git", 65536);
    if (text && *text == slot_.places_.pointer) return {};
    TENLINE_TRY_VOID(remove_at(root, ".git", slot_.places_.bin));
    return write_file_at(root, ".git", slot_.places_.pointer, form(0644, slot_.base_time_));
  }

  Result<void> sweep_byte_code(int parent, const std::string& path) {
    TENLINE_TRY(const UniqueFd folder, make_folder_at(parent, std::string(k_byte_code), owner_));
    TENLINE_TRY(const std::vector<std::string> names, names_in(folder.get()));
    const bool held_candidate = !slot_.held_ || !slot_.held_->empty();
    for (const std::string& name : names) {
      const std::string file = join_path(join_path(path, std::string(k_byte_code)), name);
      const std::optional<Stamp> now = stamp(folder.get(), name);
      const auto old = old_.find(file);
      const bool known = old != old_.end() && now && old->second == *now;
      const bool regular = now && S_ISREG(now->mode) && name.ends_with(".pyc");
      if (!regular || (held_candidate && !known)) {
        TENLINE_TRY_VOID(remove_at(folder.get(), name, slot_.places_.bin));
        continue;
      }
      stamps_[file] = *now;
    }
    return {};
  }

  Result<void> restore(int folder, const std::string& path, const std::string& name,
                       const TreeEntry& entry) {
    const std::optional<Stamp> now = stamp(folder, name);
    const auto old = old_.find(path);
    if (now && old != old_.end() && old->second == *now) {
      stamps_[path] = *now;
      return {};
    }
    if (!now || !has_form(*now, entry.kind) || !has_text(folder, name, entry)) {
      TENLINE_TRY(const std::string text, slot_.read_blob_(entry.id));
      const FileForm made = form(mode_of(entry.kind), slot_.base_time_);
      TENLINE_TRY_VOID(entry.kind == EntryKind::link ? write_link_at(folder, name, text, made)
                                                     : write_file_at(folder, name, text, made));
    }
    if (const std::optional<Stamp> written = stamp(folder, name)) stamps_[path] = *written;
    return {};
  }

  Result<void> put_back(int root, const std::string& path) {
    const PathParts parts = split_path(path);
    UniqueFd opened;
    int folder = root;
    if (!parts.folder.empty()) {
      for (const std::string_view part : split(parts.folder, '/')) {
        TENLINE_TRY(opened, open_folder_at(folder, std::string(part)));
        folder = opened.get();
      }
    }
    return restore(folder, path, parts.name, *slot_.tree_.find(path));
  }

  [[nodiscard]] bool has_form(const Stamp& now, EntryKind kind) const {
    if (now.modified != slot_.base_time_ * 1'000'000'000) return false;
    return kind == EntryKind::link ? S_ISLNK(now.mode) : now.mode == (S_IFREG | mode_of(kind));
  }

  static bool has_text(int folder, const std::string& name, const TreeEntry& entry) {
    const Result<std::string> text = entry.kind == EntryKind::link
                                         ? read_link_at(folder, name)
                                         : read_file_at(folder, name, k_max_file);
    git_oid id;
    return text && git_odb_hash(&id, text->data(), text->size(), GIT_OBJECT_BLOB) == 0 &&
           git_oid_equal(&id, &entry.id) != 0;
  }

  Result<void> write_text(int root, const std::string& path, const std::string& text) {
    const PathParts parts = split_path(path);
    UniqueFd opened;
    int folder = root;
    if (!parts.folder.empty()) {
      for (const std::string_view part : split(parts.folder, '/')) {
        TENLINE_TRY(opened, make_folder_at(folder, std::string(part), owner_));
        folder = opened.get();
      }
    }
    const TreeEntry* entry = slot_.tree_.find(path);
    const mode_t mode = mode_of(entry == nullptr ? EntryKind::file : entry->kind);
    TENLINE_TRY_VOID(write_file_at(folder, parts.name, text, form(mode, time_)));
    return remove_byte_code(folder, parts);
  }

  [[nodiscard]] Result<void> remove_byte_code(int folder, const PathParts& source) const {
    if (!source.name.ends_with(".py")) return {};
    Result<UniqueFd> cache = open_folder_at(folder, std::string(k_byte_code));
    if (!cache) return {};
    const std::string begin = source.name.substr(0, source.name.size() - 2);
    TENLINE_TRY(const std::vector<std::string> names, names_in(cache->get()));
    for (const std::string& name : names) {
      if (!name.starts_with(begin) || !name.ends_with(".pyc")) continue;
      TENLINE_TRY_VOID(remove_at(cache->get(), name, slot_.places_.bin));
    }
    return {};
  }

  static std::optional<Stamp> stamp(int folder, const std::string& name) {
    struct stat now{};
    if (fstatat(folder, name.c_str(), &now, AT_SYMLINK_NOFOLLOW) != 0) return std::nullopt;
    return Stamp{.inode = now.st_ino,
                 .size = now.st_size,
                 .modified = nanoseconds(now.st_mtim),
                 .changed = nanoseconds(now.st_ctim),
                 .mode = now.st_mode};
  }

  [[nodiscard]] FileForm form(mode_t mode, std::int64_t time) const {
    return {.mode = mode, .time = time, .user = owner_.user, .group = owner_.group};
  }

  Slot& slot_;
  const FileTexts& texts_;
  std::int64_t time_;
  FileForm owner_;
  std::map<std::string, Stamp> old_;
  std::map<std::string, Stamp> stamps_;
};

Slot::Slot(Places places, const BaseTree& tree, std::int64_t base_time, ReadBlob read_blob)
    : places_(std::move(places)),
      tree_(tree),
      base_time_(base_time),
      read_blob_(std::move(read_blob)) {}

Result<void> Slot::put(const FileTexts& texts) {
  TENLINE_TRY_VOID(check_paths(tree_, texts));
  return write(texts, true);
}

Result<void> Slot::swap(const FileTexts& texts) {
  TENLINE_TRY_VOID(check_paths(tree_, texts));
  const auto is_of_base = [this](const std::string& path) { return tree_.find(path) != nullptr; };
  const bool only_base = held_ && std::all_of(held_->begin(), held_->end(), is_of_base) &&
                         std::all_of(texts.begin(), texts.end(),
                                     [&](const auto& file) { return is_of_base(file.first); });
  return write(texts, !only_base);
}

Result<void> Slot::write(const FileTexts& texts, bool all) {
  std::int64_t time = base_time_;
  if (!texts.empty()) {
    TENLINE_TRY(time, next_time());
  }
  Writer writer(*this, texts, time);
  if (Result<void> done = writer.run(all); !done) {
    held_.reset();
    return tl::unexpected(while_doing("preparing a worktree", std::move(done).error()));
  }
  held_.emplace();
  for (const auto& [path, text] : texts) held_->insert(path);
  return {};
}

Result<std::int64_t> Slot::next_time() const {
  const PathParts parts = split_path(places_.counter);
  TENLINE_TRY(const UniqueFd folder, open_folder(parts.folder));
  std::int64_t count = 0;
  if (const Result<std::string> text = read_file_at(folder.get(), parts.name, 64)) {
    std::from_chars(text->data(), text->data() + text->size(), count);
  }
  ++count;
  const FileForm form{.mode = 0644, .time = 0, .user = geteuid(), .group = getegid()};
  TENLINE_TRY_VOID(write_file_at(folder.get(), parts.name, std::to_string(count), form));
  return base_time_ + count;
}

}  // namespace tenline::git
