#include "engine/journal/journal.h"

#include <gtest/gtest.h>
#include <sqlite3.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <fstream>
#include <sstream>
#include <thread>
#include <vector>

#include "tests/journal/samples.h"

namespace tenline {
namespace {

using testing::TemporaryFolder;

std::string slurp(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  return (std::ostringstream() << in.rdbuf()).str();
}

void spit(const std::string& path, const std::string& bytes) {
  std::ofstream(path, std::ios::binary) << bytes;
}

std::unique_ptr<Journal> opened(const std::string& path) {
  auto journal = Journal::open(path);
  if (!journal) throw std::runtime_error(journal.error().message);
  return *std::move(journal);
}

Error refusal(const std::string& path) {
  const auto journal = Journal::open(path);
  if (journal) throw std::runtime_error("opened " + path);
  return journal.error();
}

std::string value_of(int number) {
  return fmt::format("value {} {}", number,
                     std::string(static_cast<std::size_t>(number % 997), 'x'));
}

/// Runs the function in a child process, which ends with it.
template <class Function>
pid_t in_child(Function function) {
  const pid_t child = ::fork();
  if (child == 0) {
    function();
    ::_exit(0);
  }
  return child;
}

int wait_for(pid_t child) {
  int status = 0;
  while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  return status;
}

TEST(JournalTest, FindsWhatWasPut) {
  const TemporaryFolder folder;
  const auto journal = opened(folder.file("journal.db"));
  EXPECT_EQ(journal->find("a"), std::nullopt);
  ASSERT_TRUE(journal->put("a", "1"));
  ASSERT_TRUE(journal->put("b", "2"));
  ASSERT_TRUE(journal->put("a", "3"));
  EXPECT_EQ(journal->find("a"), "3");
  EXPECT_EQ(journal->find("b"), "2");
  EXPECT_EQ(journal->find("A"), std::nullopt);
  EXPECT_EQ(journal->find(""), std::nullopt);
}

TEST(JournalTest, KeepsEveryByteOfKeysAndValues) {
  using namespace std::string_literals;
  const TemporaryFolder folder;
  const std::pair<std::string, std::string> entries[] = {
      {"", "empty key"},
      {"empty value", ""},
      {"nul\0key"s, "nul\0value"s},
      {"nul", "other"},
      {"'; DROP TABLE entries; --", "\xff\xfe\x80"},
      {"big", std::string(3'000'000, 'b')},
  };
  {
    const auto journal = opened(folder.file("journal.db"));
    for (const auto& [key, value] : entries) ASSERT_TRUE(journal->put(key, value));
  }
  const auto journal = opened(folder.file("journal.db"));
  for (const auto& [key, value] : entries) EXPECT_EQ(journal->find(key), value);
}

TEST(JournalTest, ThreadsMayUseItAtOnce) {
  const TemporaryFolder folder;
  const auto journal = opened(folder.file("journal.db"));
  std::vector<std::thread> threads;
  threads.reserve(4);
  for (int thread = 0; thread < 4; ++thread) {
    threads.emplace_back([&, thread] {
      for (int i = 0; i < 25; ++i) {
        const std::string key = fmt::format("{}/{}", thread, i);
        EXPECT_TRUE(journal->put(key, value_of(i)));
        EXPECT_EQ(journal->find(key), value_of(i));
        EXPECT_TRUE(journal->put("shared", key));
        EXPECT_TRUE(journal->find("shared"));
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  for (int thread = 0; thread < 4; ++thread) {
    for (int i = 0; i < 25; ++i) {
      EXPECT_EQ(journal->find(fmt::format("{}/{}", thread, i)), value_of(i));
    }
  }
}

TEST(JournalTest, EverythingAcknowledgedSurvivesKill) {
  const TemporaryFolder folder;
  const std::string path = folder.file("journal.db");
  int next = 0;
  // Killed at several moments, the first of which falls into the making of the file.
  for (const int acknowledgements : {0, 1, 7, 40, 90}) {
    int pipe[2];
    ASSERT_EQ(::pipe(pipe), 0);
    const pid_t child = in_child([&] {
      const auto journal = Journal::open(path);
      if (!journal) return;
      for (int i = next;; ++i) {
        if (!(*journal)->put(fmt::format("key {}", i), value_of(i))) return;
        if (::write(pipe[1], &i, sizeof i) != sizeof i) return;
      }
    });
    ::close(pipe[1]);
    int last = -1;
    int seen = 0;
    while (seen < acknowledgements && ::read(pipe[0], &last, sizeof last) == sizeof last) ++seen;
    EXPECT_EQ(seen, acknowledgements);
    ::kill(child, SIGKILL);
    EXPECT_TRUE(WIFSIGNALED(wait_for(child)));
    while (::read(pipe[0], &last, sizeof last) == sizeof last) {
    }
    ::close(pipe[0]);
    next = std::max(next, last + 1);

    const auto journal = opened(path);
    for (int i = 0; i < next; ++i) {
      ASSERT_EQ(journal->find(fmt::format("key {}", i)), value_of(i));
    }
    ASSERT_TRUE(journal->put("still", "writable"));
  }
  EXPECT_GE(next, 100);
}

TEST(JournalTest, ASecondOpenerIsToldWhoHasTheRun) {
  const TemporaryFolder folder;
  std::filesystem::create_directory(folder.file("run-7"));
  const std::string path = folder.file("run-7/journal.db");
  auto journal = opened(path);
  ASSERT_TRUE(journal->put("a", "1"));
  const Error error = refusal(path);
  EXPECT_EQ(error.code, ErrorCode::unavailable);
  EXPECT_EQ(error.message, fmt::format("run run-7 is in use by process {}", ::getpid()));
  EXPECT_TRUE(journal->put("b", "2")) << "the refused opener must not disturb the first";
  journal.reset();
  EXPECT_EQ(opened(path)->find("b"), "2");
}

TEST(JournalTest, ARunOfAKilledProcessIsFree) {
  const TemporaryFolder folder;
  const std::string path = folder.file("journal.db");
  int pipe[2];
  ASSERT_EQ(::pipe(pipe), 0);
  const pid_t child = in_child([&] {
    const auto journal = Journal::open(path);
    const char ready = journal ? 'y' : 'n';
    if (::write(pipe[1], &ready, 1) == 1) ::pause();
  });
  char ready = '?';
  ASSERT_EQ(::read(pipe[0], &ready, 1), 1);
  EXPECT_EQ(ready, 'y');
  const Error error = refusal(path);
  EXPECT_NE(error.message.find(fmt::format("is in use by process {}", child)), std::string::npos)
      << error.message;
  ::kill(child, SIGKILL);
  wait_for(child);
  EXPECT_TRUE(Journal::open(path));
  ::close(pipe[0]);
  ::close(pipe[1]);
}

TEST(JournalTest, AFileThatIsNoDatabaseIsRefusedAndLeftAlone) {
  const TemporaryFolder folder;
  const std::string path = folder.file("notes.txt");
  const std::string text(5000, 'n');
  spit(path, text);
  const Error error = refusal(path);
  EXPECT_EQ(error.code, ErrorCode::invalid_input);
  EXPECT_EQ(error.message, path + " is not a journal of a run");
  EXPECT_EQ(slurp(path), text);
}

TEST(JournalTest, ADatabaseOfAnotherProgramIsRefusedAndLeftAlone) {
  const TemporaryFolder folder;
  const std::string path = folder.file("history.db");
  sqlite3* database = nullptr;
  ASSERT_EQ(sqlite3_open(path.c_str(), &database), SQLITE_OK);
  ASSERT_EQ(sqlite3_exec(database, "CREATE TABLE urls(x); INSERT INTO urls VALUES(1)", nullptr,
                         nullptr, nullptr),
            SQLITE_OK);
  sqlite3_close(database);
  const std::string before = slurp(path);
  const Error error = refusal(path);
  EXPECT_EQ(error.code, ErrorCode::invalid_input);
  EXPECT_NE(error.message.find("database of another program"), std::string::npos);
  EXPECT_EQ(slurp(path), before);
}

TEST(JournalTest, AJournalOfALaterFormatIsRefused) {
  const TemporaryFolder folder;
  const std::string path = folder.file("journal.db");
  ASSERT_TRUE(opened(path)->put("a", "1"));
  sqlite3* database = nullptr;
  ASSERT_EQ(sqlite3_open(path.c_str(), &database), SQLITE_OK);
  ASSERT_EQ(sqlite3_exec(database, "PRAGMA user_version=2", nullptr, nullptr, nullptr), SQLITE_OK);
  sqlite3_close(database);
  EXPECT_NE(refusal(path).message.find("another version of tenline"), std::string::npos);
}

TEST(JournalTest, AnEmptyFileIsANewRun) {
  const TemporaryFolder folder;
  spit(folder.file("journal.db"), "");
  EXPECT_TRUE(opened(folder.file("journal.db"))->put("a", "1"));
}

TEST(JournalTest, UnusablePathsAreClearErrors) {
  const TemporaryFolder folder;
  const Error missing = refusal(folder.file("no/such/folder/journal.db"));
  EXPECT_EQ(missing.code, ErrorCode::not_found);
  EXPECT_NE(missing.message.find("No such file"), std::string::npos);

  std::filesystem::create_directory(folder.file("folder.db"));
  EXPECT_NE(refusal(folder.file("folder.db")).message.find("folder.db"), std::string::npos);

  spit(folder.file("target"), "");
  std::filesystem::create_symlink(folder.file("target"), folder.file("link.db.lock"));
  EXPECT_NE(refusal(folder.file("link.db")).message.find("link.db.lock"), std::string::npos);
}

TEST(JournalTest, DamageIsAnErrorOrAnAbsentValueNeverAWrongOne) {
  const TemporaryFolder folder;
  const std::string path = folder.file("journal.db");
  constexpr int k_entries = 40;
  {
    const auto journal = opened(path);
    for (int i = 0; i < k_entries; ++i) {
      ASSERT_TRUE(journal->put(fmt::format("key {}", i), value_of(i * 20)));
    }
  }
  const std::string good = slurp(path);
  ASSERT_GT(good.size(), 8192U);
  int refused = 0;
  int absent = 0;
  const auto judge = [&](const std::string& bytes) {
    const std::string copy = folder.file("copy.db");
    for (const char* suffix : {"", "-wal", "-journal"}) std::filesystem::remove(copy + suffix);
    spit(copy, bytes);
    const auto journal = Journal::open(copy);
    if (!journal) {
      ++refused;
      EXPECT_NE(journal.error().message.find("copy.db"), std::string::npos);
      return;
    }
    for (int i = 0; i < k_entries; ++i) {
      const auto value = (*journal)->find(fmt::format("key {}", i));
      if (!value) ++absent;
      EXPECT_TRUE(!value || *value == value_of(i * 20));
    }
  };
  for (std::size_t place = 0; place < good.size(); place += place < 120 ? 1 : 173) {
    std::string bytes = good;
    bytes[place] = static_cast<char>(bytes[place] ^ 0x55);
    judge(bytes);
  }
  for (std::size_t size = 100; size < good.size(); size += 1999) judge(good.substr(0, size));
  EXPECT_GT(refused, 0);
  EXPECT_GT(absent, 0);
}

// The unix VFS of SQLite lets its system calls be replaced; these two make the disk full.
bool disk_is_full = false;

ssize_t full_pwrite(int descriptor, const void* data, size_t size, off_t offset) {
  if (!disk_is_full) return ::pwrite(descriptor, data, size, offset);
  errno = ENOSPC;
  return -1;
}

ssize_t full_write(int descriptor, const void* data, size_t size) {
  if (!disk_is_full) return ::write(descriptor, data, size);
  errno = ENOSPC;
  return -1;
}

TEST(JournalTest, AFullDiskIsAClearErrorThatLosesNothing) {
  sqlite3_vfs* vfs = sqlite3_vfs_find(nullptr);
  ASSERT_NE(vfs, nullptr);
  for (const char* name : {"pwrite", "pwrite64"}) {
    vfs->xSetSystemCall(vfs, name, reinterpret_cast<sqlite3_syscall_ptr>(&full_pwrite));
  }
  vfs->xSetSystemCall(vfs, "write", reinterpret_cast<sqlite3_syscall_ptr>(&full_write));

  const TemporaryFolder folder;
  const std::string path = folder.file("journal.db");
  auto journal = opened(path);
  EXPECT_TRUE(journal->put("a", "before"));
  disk_is_full = true;
  const auto put = journal->put("a", "during");
  const auto big = journal->put("b", std::string(100'000, 'b'));
  const Error fresh = refusal(folder.file("other.db"));
  disk_is_full = false;
  ASSERT_FALSE(put);
  ASSERT_FALSE(big);
  EXPECT_EQ(put.error().message, "no space left on the disk for " + path);
  EXPECT_EQ(big.error().message, "no space left on the disk for " + path);
  EXPECT_EQ(fresh.message, "no space left on the disk for " + folder.file("other.db"));
  EXPECT_EQ(journal->find("a"), "before");
  EXPECT_EQ(journal->find("b"), std::nullopt);
  EXPECT_TRUE(journal->put("c", "after"));
  journal.reset();
  journal = opened(path);
  EXPECT_EQ(journal->find("a"), "before");
  EXPECT_EQ(journal->find("c"), "after");
  EXPECT_TRUE(opened(folder.file("other.db"))->put("a", "1"));

  vfs->xSetSystemCall(vfs, nullptr, nullptr);
}

}  // namespace
}  // namespace tenline
