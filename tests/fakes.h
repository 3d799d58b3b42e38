#pragma once

// Hand-written fakes of the ports, with open data.

#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <functional>
#include <map>
#include <mutex>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "engine/core/ports.h"
#include "engine/core/repair.h"

namespace tenline {

/// A folder of its own under the temporary folder, removed at the end.
class TemporaryFolder {
 public:
  TemporaryFolder() {
    std::string name = (std::filesystem::temp_directory_path() / "tenline-test-XXXXXX").string();
    TENLINE_CHECK(::mkdtemp(name.data()) != nullptr, "no temporary folder");
    path_ = name;
  }
  ~TemporaryFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  [[nodiscard]] const std::string& path() const { return path_; }
  /// Writes a file below the folder and returns its path.
  std::string write(const std::string& name, const std::string& text) const {
    const std::filesystem::path file = std::filesystem::path(path_) / name;
    std::filesystem::create_directories(file.parent_path());
    std::ofstream(file, std::ios::binary) << text;
    return file.string();
  }

 private:
  std::string path_;
};

/// A workspace whose base revision is a map; worktrees are real folders.
class MemoryWorkspace : public Workspace {
 public:
  explicit MemoryWorkspace(FileTexts base) : base_(std::move(base)) {
    for (const auto& [path, text] : base_) files_.push_back(path);
  }
  [[nodiscard]] const std::string& revision() const override { return revision_; }
  [[nodiscard]] const std::vector<std::string>& files() const override { return files_; }
  [[nodiscard]] Result<std::string> read(const std::string& path) const override {
    const auto it = base_.find(path);
    if (it == base_.end()) return fail(ErrorCode::not_found, path + ": no such file");
    return it->second;
  }
  [[nodiscard]] Result<std::string> worktree(int slot) override {
    const std::scoped_lock lock(mutex_);
    const std::string name = "slot-" + std::to_string(slot);
    if (made_.insert(slot).second) {
      for (const auto& [path, text] : base_) folder_.write(name + "/" + path, text);
    }
    return folder_.path() + "/" + name;
  }
  [[nodiscard]] Result<void> put(int slot, const FileTexts& texts) override {
    TENLINE_TRY(const std::string root, worktree(slot));
    const std::scoped_lock lock(mutex_);
    puts.push_back(texts);
    for (const std::string& path : changed_[slot]) write(root, path, base_.at(path));
    changed_[slot].clear();
    for (const auto& [path, text] : texts) {
      if (!base_.contains(path)) return fail(ErrorCode::not_found, path + ": no such file");
      write(root, path, text);
      changed_[slot].insert(path);
    }
    return {};
  }

  std::vector<FileTexts> puts;

 private:
  static void write(const std::string& root, const std::string& path, const std::string& text) {
    std::ofstream(root + "/" + path, std::ios::binary) << text;
  }

  FileTexts base_;
  std::vector<std::string> files_;
  std::string revision_ = std::string(40, 'a');
  TemporaryFolder folder_;
  std::mutex mutex_;
  std::set<int> made_;
  std::map<int, std::set<std::string>> changed_;
};

/// Answers every command by `script` and remembers the commands.
class FakeProcessRunner : public ProcessRunner {
 public:
  [[nodiscard]] Result<ProcessOutput> run(const Command& command) override {
    {
      const std::scoped_lock lock(mutex_);
      commands.push_back(command);
    }
    return script(command);
  }
  std::function<Result<ProcessOutput>(const Command&)> script;
  std::vector<Command> commands;

 private:
  std::mutex mutex_;
};

/// Answers by candidate id; candidates that are not named fail. Later ones can be made to be
/// slower.
class FakeOracle : public Oracle {
 public:
  [[nodiscard]] Result<Reproduction> reproduce() override { return reproduction; }
  [[nodiscard]] Result<Verdict> judge(const Candidate& candidate, Level level, int slot) override {
    {
      const std::scoped_lock lock(mutex_);
      asked.push_back({candidate.id, level, slot});
    }
    if (before_answer) before_answer(candidate, level);
    if (level == Level::e2) return answer_tests(candidate);
    return answer(candidate);
  }

  struct Asked {
    std::string id;
    Level level;
    int slot;
  };
  Result<Reproduction> reproduction =
      Reproduction{Reproduced::yes, "exits 1 in 3 of 3 runs", "", 3, 1.0, 3.0, {}};
  std::function<Result<Verdict>(const Candidate&)> answer = [](const Candidate&) {
    return verdict(Outcome::fails, Level::e0);
  };
  std::function<Result<Verdict>(const Candidate&)> answer_tests = [](const Candidate&) {
    return verdict(Outcome::passes, Level::e1);
  };
  std::function<void(const Candidate&, Level)> before_answer;
  std::vector<Asked> asked;

  static Verdict verdict(Outcome outcome, Level level, std::string detail = {}) {
    Verdict made;
    made.outcome = outcome;
    made.level = level;
    made.detail = std::move(detail);
    made.runs = 1;
    return made;
  }

 private:
  std::mutex mutex_;
};

class FakeLocator : public Locator {
 public:
  [[nodiscard]] std::vector<Location> locate(const BugReport&, const FailureTrace&) override {
    return locations;
  }
  std::vector<Location> locations;
};

class FakeProposer : public Proposer {
 public:
  [[nodiscard]] std::vector<Candidate> propose(const std::vector<Location>&, const BugReport&,
                                               const FailureTrace&) override {
    return candidates;
  }
  std::vector<Candidate> candidates;
};

/// Remembers what it was told, and whether two threads ever told it something at once.
class RecordingObserver : public Observer {
 public:
  void reproduced(const Reproduction&) override { events.emplace_back("reproduced"); }
  void located(const std::vector<Location>&) override { events.emplace_back("located"); }
  void proposed(std::size_t candidates) override {
    events.push_back("proposed " + std::to_string(candidates));
  }
  void checked(const CheckedCandidate& one, std::size_t, std::size_t planned,
               std::size_t passing) override {
    if (inside_.exchange(true)) overlapped = true;
    verdicts.push_back(one);
    last_planned = planned;
    last_passing = passing;
    std::this_thread::sleep_for(std::chrono::microseconds(50));
    inside_ = false;
  }
  std::vector<std::string> events;
  std::vector<CheckedCandidate> verdicts;
  std::size_t last_planned = 0;
  std::size_t last_passing = 0;
  std::atomic<bool> overlapped = false;

 private:
  std::atomic<bool> inside_ = false;
};

}  // namespace tenline
