// One table in write-ahead mode with full syncing: a commit is one append and one fsync. The lock
// file keeps other processes out, so SQLite's exclusive mode costs nothing and saves the shared
// memory file, which is one thing less that a full disk or a crash can spoil.

#include "engine/journal/journal.h"

#include <sqlite3.h>

#include <cerrno>
#include <string_view>
#include <utility>

#include "engine/base/text.h"

namespace tenline {
namespace {

constexpr long k_application_id = 0x74656e6c;  // "tenl": tells a journal from other SQLite files.
constexpr long k_version = 1;

std::string checksum(std::string_view key, std::string_view value) {
  return digest(fmt::format("{}:{}{}", key.size(), key, value));
}

int bind_bytes(sqlite3_stmt* statement, int index, std::string_view bytes) {
  // A null pointer would store NULL; an empty value is a value.
  const char* data = bytes.empty() ? "" : bytes.data();
  return sqlite3_bind_blob64(statement, index, data, bytes.size(), nullptr);
}

std::string column(sqlite3_stmt* statement, int index) {
  const void* data = sqlite3_column_blob(statement, index);
  const int size = sqlite3_column_bytes(statement, index);
  if (data == nullptr || size <= 0) return {};
  return {static_cast<const char*>(data), static_cast<std::size_t>(size)};
}

bool is_disk_full(int code, int system_error) {
  return (code & 0xff) == SQLITE_FULL || system_error == ENOSPC || system_error == EDQUOT ||
         system_error == EFBIG;
}

/// Leaves a statement ready for its next use, whatever happened to this one.
class Use {
 public:
  explicit Use(sqlite3_stmt* statement) : statement_(statement) {}
  Use(const Use&) = delete;
  Use& operator=(const Use&) = delete;
  ~Use() {
    sqlite3_reset(statement_);
    sqlite3_clear_bindings(statement_);
  }

 private:
  sqlite3_stmt* statement_;
};

}  // namespace

void Journal::CloseDatabase::operator()(sqlite3* database) const { sqlite3_close_v2(database); }

void Journal::FinalizeStatement::operator()(sqlite3_stmt* statement) const {
  sqlite3_finalize(statement);
}

Journal::Journal(std::string path, RunLock lock) : path_(std::move(path)), lock_(std::move(lock)) {}

Journal::~Journal() = default;

Result<std::unique_ptr<Journal>> Journal::open(const std::string& path) {
  TENLINE_TRY(RunLock lock, RunLock::take(path));
  std::unique_ptr<Journal> journal(new Journal(path, std::move(lock)));
  TENLINE_TRY_VOID(journal->connect());
  return journal;
}

Result<void> Journal::connect() {
  sqlite3* database = nullptr;
  constexpr int k_flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX |
                          SQLITE_OPEN_NOFOLLOW | SQLITE_OPEN_EXRESCODE;
  const int code = sqlite3_open_v2(path_.c_str(), &database, k_flags, nullptr);
  database_.reset(database);
  if (code != SQLITE_OK) return tl::unexpected(failure());

  TENLINE_TRY_VOID(execute("PRAGMA trusted_schema=OFF"));
  TENLINE_TRY_VOID(execute("PRAGMA busy_timeout=5000"));
  TENLINE_TRY_VOID(execute("PRAGMA locking_mode=EXCLUSIVE"));
  TENLINE_TRY_VOID(execute("PRAGMA synchronous=FULL"));
  TENLINE_TRY_VOID(prepare_schema());
  TENLINE_TRY(find_, prepare("SELECT value, checksum FROM entries WHERE key = ?1"));
  TENLINE_TRY(put_, prepare("INSERT OR REPLACE INTO entries(key, value, checksum) "
                            "VALUES(?1, ?2, ?3)"));
  return {};
}

Result<void> Journal::prepare_schema() {
  // Read before the first write: a file of another program must stay as it is. A run that was
  // killed at its very begin leaves a file without tables, which is as good as none.
  TENLINE_TRY(const long application, number("PRAGMA application_id"));
  TENLINE_TRY(const long version, number("PRAGMA user_version"));
  TENLINE_TRY(const long tables, number("SELECT count(*) FROM sqlite_schema"));
  const bool is_new = application == 0 && tables == 0;
  if (!is_new && application != k_application_id) {
    return fail(ErrorCode::invalid_input,
                fmt::format("{} is a database of another program, not a journal of a run", path_));
  }
  if (!is_new && version != k_version) {
    return fail(ErrorCode::invalid_input,
                fmt::format("{} was written by another version of tenline (format {}, not {})",
                            path_, version, k_version));
  }
  if (!is_new) {
    TENLINE_TRY(const Statement check, prepare("PRAGMA quick_check(1)"));
    if (sqlite3_step(check.get()) != SQLITE_ROW) return tl::unexpected(failure());
    if (column(check.get(), 0) != "ok") {
      return fail(ErrorCode::invalid_input, fmt::format("{} is damaged", path_));
    }
  }
  TENLINE_TRY_VOID(execute("PRAGMA journal_mode=WAL"));
  if (!is_new) return {};
  return execute(fmt::format("BEGIN IMMEDIATE;"
                             "CREATE TABLE entries(key BLOB PRIMARY KEY, value BLOB NOT NULL,"
                             " checksum BLOB NOT NULL) WITHOUT ROWID;"
                             "PRAGMA application_id={};PRAGMA user_version={};COMMIT",
                             k_application_id, k_version)
                     .c_str());
}

std::optional<std::string> Journal::find(const std::string& key) {
  const std::scoped_lock guard(mutex_);
  const Use use(find_.get());
  if (bind_bytes(find_.get(), 1, key) != SQLITE_OK || sqlite3_step(find_.get()) != SQLITE_ROW) {
    return std::nullopt;
  }
  std::string value = column(find_.get(), 0);
  if (column(find_.get(), 1) != checksum(key, value)) return std::nullopt;
  return value;
}

Result<void> Journal::put(const std::string& key, const std::string& value) {
  const std::string sum = checksum(key, value);
  const std::scoped_lock guard(mutex_);
  const Use use(put_.get());
  if (bind_bytes(put_.get(), 1, key) != SQLITE_OK ||
      bind_bytes(put_.get(), 2, value) != SQLITE_OK ||
      bind_bytes(put_.get(), 3, sum) != SQLITE_OK || sqlite3_step(put_.get()) != SQLITE_DONE) {
    return tl::unexpected(failure());
  }
  return {};
}

Result<void> Journal::execute(const char* sql) {
  if (sqlite3_exec(database_.get(), sql, nullptr, nullptr, nullptr) != SQLITE_OK) {
    return tl::unexpected(failure());
  }
  return {};
}

Result<long> Journal::number(const char* sql) {
  TENLINE_TRY(const Statement statement, prepare(sql));
  if (sqlite3_step(statement.get()) != SQLITE_ROW) return tl::unexpected(failure());
  return sqlite3_column_int64(statement.get(), 0);
}

Result<Journal::Statement> Journal::prepare(const char* sql) {
  sqlite3_stmt* statement = nullptr;
  if (sqlite3_prepare_v2(database_.get(), sql, -1, &statement, nullptr) != SQLITE_OK) {
    return tl::unexpected(failure());
  }
  return Statement(statement);
}

Error Journal::failure() const {
  if (database_ == nullptr) return {ErrorCode::io, fmt::format("cannot open {}", path_)};
  const int code = sqlite3_extended_errcode(database_.get());
  const std::string text = sqlite3_errmsg(database_.get());
  if (is_disk_full(code, sqlite3_system_errno(database_.get()))) {
    return {ErrorCode::io, fmt::format("no space left on the disk for {}", path_)};
  }
  switch (code & 0xff) {
    case SQLITE_NOTADB:
      return {ErrorCode::invalid_input, fmt::format("{} is not a journal of a run", path_)};
    case SQLITE_CORRUPT:
    case SQLITE_ERROR:  // Our own statements are right, so the tables in the file are not.
      return {ErrorCode::invalid_input, fmt::format("{} is damaged: {}", path_, text)};
    default:
      return {ErrorCode::io, fmt::format("{}: {}", path_, text)};
  }
}

}  // namespace tenline
