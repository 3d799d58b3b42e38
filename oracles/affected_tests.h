#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>

#include "engine/core/ports.h"
#include "oracles/check.h"
#include "oracles/imports.h"

namespace tenline {

/// E2: do the tests that import a changed file, and pass on the base revision, still pass? May be
/// called from several threads, each with a slot of its own.
class AffectedTests {
 public:
  AffectedTests(const OracleOptions& options, Workspace& workspace, Checks& checks)
      : options_(options), workspace_(workspace), checks_(checks) {}

  /// Leaves the slot's worktree with `texts` or with the base revision.
  [[nodiscard]] Result<Verdict> judge(const FileTexts& texts, int slot);

 private:
  /// What a test file does on the base revision.
  struct Base {
    std::mutex mutex;
    std::optional<std::set<std::string>> passing;  ///< Empty until it was run.
  };
  [[nodiscard]] Result<std::set<std::string>> passing_on_base(const std::string& file, int slot,
                                                              Verdict& verdict);
  [[nodiscard]] Result<std::set<std::string>> passing_now(const std::string& file, int slot,
                                                          Verdict& verdict);
  [[nodiscard]] Result<std::set<std::string>> confirmed(const std::string& file,
                                                        const std::set<std::string>& suspects,
                                                        const FileTexts& texts, int slot,
                                                        Verdict& verdict);

  const OracleOptions& options_;
  Workspace& workspace_;
  Checks& checks_;
  std::once_flag imports_made_;
  std::unique_ptr<TestImports> imports_;
  std::mutex mutex_;  ///< Guards the map, not what it holds.
  std::map<std::string, Base> base_;
};

}  // namespace tenline
