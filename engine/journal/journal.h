#pragma once

#include <memory>
#include <mutex>
#include <optional>
#include <string>

#include "engine/core/ports.h"
#include "engine/journal/run_lock.h"

struct sqlite3;
struct sqlite3_stmt;

namespace tenline {

/// The state of one run, in a SQLite file of the run's folder: what put acknowledged survives a
/// kill -9 and a power cut. Values are checked on reading; a damaged one is absent. One process at
/// a time (see RunLock: fork long-lived children before opening it). Not for network file systems.
class Journal final : public Store {
 public:
  /// Opens the file, or makes it; its folder must exist. Fails, without changing it, for a file
  /// that is damaged or not a journal, and for a run that another process has open.
  [[nodiscard]] static Result<std::unique_ptr<Journal>> open(const std::string& path);

  Journal(const Journal&) = delete;
  Journal& operator=(const Journal&) = delete;
  ~Journal() override;

  [[nodiscard]] std::optional<std::string> find(const std::string& key) override;
  /// Replaces the value. A full disk is an error that leaves the old value in place.
  [[nodiscard]] Result<void> put(const std::string& key, const std::string& value) override;

 private:
  struct CloseDatabase {
    void operator()(sqlite3* database) const;
  };
  struct FinalizeStatement {
    void operator()(sqlite3_stmt* statement) const;
  };
  using Statement = std::unique_ptr<sqlite3_stmt, FinalizeStatement>;

  Journal(std::string path, RunLock lock);
  [[nodiscard]] Result<void> connect();
  [[nodiscard]] Result<void> prepare_schema();
  [[nodiscard]] Result<void> execute(const char* sql);
  [[nodiscard]] Result<long> number(const char* sql);
  [[nodiscard]] Result<Statement> prepare(const char* sql);
  [[nodiscard]] Error failure() const;

  std::string path_;
  RunLock lock_;  ///< Given back last.
  std::mutex mutex_;
  std::unique_ptr<sqlite3, CloseDatabase> database_;
  Statement find_;
  Statement put_;
};

}  // namespace tenline
