#include <gtest/gtest.h>

#include <csignal>

#include "engine/base/text.h"
#include "engine/platform/sandbox.h"
#include "engine/platform/spawner.h"
#include "oracles/oracles.h"
#include "tests/fakes.h"

namespace tenline {
namespace {

// The script lists the checks that fail, so that the line that a verdict gives shows what the
// changed function really did.
constexpr const char* k_script = R"py(
import asyncio, os, sys
folder = "/tmp/folder"
os.mkdir(folder)
with open(os.path.join(folder, "state"), "w") as file:
    file.write("0")
log = open(os.path.join(folder, "log"), "w+")
import pkg.early
from pkg import mod
from pkg.mod import Box, Child, cached, gen, later, outer, plain, variadic

def state():
    with open(os.path.join(folder, "state")) as file:
        return file.read()

box = Box.of(1, 2, 3)
checks = {
    "plain": lambda: plain(5, 2) == 7,
    "early": lambda: pkg.early.use(4) == 8,
    "total": lambda: box.total() == 6,
    "first": lambda: box.first == 1,
    "double": lambda: Box.double(4) == 8,
    "child": lambda: Child([1, 2]).total() == 13,
    "gen": lambda: list(gen(3)) == [0, 1, 2],
    "send": lambda: [(g := mod.echo()), next(g), g.send(3)][2] == 4,
    "later": lambda: asyncio.run(later(3)) == 4,
    "outer": lambda: outer(3)(4) == 12,
    "cached": lambda: cached(4) == 16,
    "variadic": lambda: variadic(1, 2, 3, key=4, other=5) == 15,
    "nested": lambda: mod.Outer.Inner().value() == "inner",
    "limit": lambda: mod.LIMIT == 10,
    "default": lambda: mod.default(1) == 3,
    "name": lambda: plain.__name__ == "plain" and plain.__doc__ == "Adds.",
    "state": lambda: mod.count(folder) == 1 and state() == "1",
    "log": lambda: mod.note(log) == 5,
    "again": lambda: plain(1, 1) == 2,
}
wrong = [name for name, check in checks.items() if not check()]
if wrong:
    sys.exit("CheckError: " + " ".join(wrong))
)py";

constexpr const char* k_module = R"py("""A module."""
import functools
import os

LIMIT = 10

def plain(a, b):
    """Adds."""
    return a - b

class Box:
    def __init__(self, items):
        self.items = list(items)

    @classmethod
    def of(cls, *items):
        return cls(items)

    def total(self):
        return sum(self.items)

    @property
    def first(self):
        return self.items[0]

    @staticmethod
    def double(x):
        return x * 2

class Child(Box):
    def total(self):
        return super().total() + 10

class Outer:
    class Inner:
        __kind = "inner"
        def value(self):
            return self.__kind

def gen(n):
    for i in range(n):
        yield i

def echo():
    got = yield 1
    yield got + 1

async def later(x):
    return x + 1

def outer(x):
    def inner(y):
        return x * y
    return inner

@functools.lru_cache(None)
def cached(x):
    return x * x

def variadic(a, /, *rest, key, **more):
    return a + sum(rest) + key + sum(more.values())

def default(a, b=2):
    return a + b

def count(folder):
    path = os.path.join(folder, "state")
    with open(path) as file:
        value = int(file.read()) + 1
    with open(path, "w") as file:
        file.write(str(value))
    return value

def note(log):
    log.write("12345")
    log.flush()
    return log.tell()

def never():
    return 0
)py";

/// Started before the first thread.
const Spawner& spawner() {
  static const Spawner instance = [] {
    Result<Spawner> started = Spawner::start();
    TENLINE_CHECK(started.has_value(), "the tests need a spawner");
    return *std::move(started);
  }();
  return instance;
}

class WarmRunsTest : public testing::Test {
 protected:
  static FileTexts files() {
    return {{"pkg/__init__.py", ""},
            {"pkg/early.py", "def use(x):\n    return x + x\n"},
            {"pkg/mod.py", k_module}};
  }

  void SetUp() override {
    Result<std::unique_ptr<ProcessRunner>> runner = make_sandboxed_runner(spawner(), {});
    ASSERT_TRUE(runner) << runner.error().message;
    runner_ = *std::move(runner);
    options_.python = "/usr/bin/python3";
    options_.runs = 1;
    options_.jobs = 1;
    options_.limits.time = std::chrono::seconds(60);
  }

  /// A warm oracle, a cold one, and what they say.
  void reproduce(const std::string& script, FileTexts texts = files()) {
    workspace_.emplace(std::move(texts));
    options_.script = folder_.write("in/repro.py", script);
    start();
  }
  void reproduce_test(const std::string& test, FileTexts texts) {
    workspace_.emplace(std::move(texts));
    options_.test = test;
    start();
  }
  void start() {
    for (const bool warm : {true, false}) {
      options_.warm = warm;
      options_.run_folder = folder_.path() + (warm ? "/warm" : "/cold");
      std::filesystem::create_directories(options_.run_folder);
      std::unique_ptr<Oracle>& oracle = warm ? warm_ : cold_;
      oracle = make_oracle(options_, *workspace_, *runner_).value();
      const Reproduction reproduction = oracle->reproduce().value();
      ASSERT_EQ(reproduction.reproduced, Reproduced::yes) << reproduction.detail;
    }
  }

  [[nodiscard]] Candidate candidate(const std::string& file, const std::string& from,
                                    const std::string& to, const std::string& function = "") const {
    const std::string text = workspace_->read(file).value();
    const std::size_t at = text.find(from);
    TENLINE_CHECK(at != std::string::npos, "no place: " + from);
    TENLINE_CHECK(text.find(from, at + 1) == std::string::npos, "several places: " + from);
    Candidate made;
    made.id = from + to;
    made.edits = {{file, {at, at + from.size()}, to}};
    made.file = file;
    made.function = function;
    return made;
  }

  void expect(const std::vector<Candidate>& candidates) {
    std::vector<Candidate> all = candidates;
    while (all.size() < 8) all.push_back(candidates.front());
    warm_->expect(all);
  }

  /// The warm verdict, after a look whether a cold run says the same.
  Verdict judge(const Candidate& candidate) {
    const Verdict warm = warm_->judge(candidate, Level::e1, 0).value();
    const Verdict cold = cold_->judge(candidate, Level::e1, 0).value();
    EXPECT_EQ(warm.outcome, cold.outcome) << candidate.id << "\n"
                                          << warm.detail << "\n"
                                          << cold.detail;
    EXPECT_EQ(warm.level, cold.level) << candidate.id;
    EXPECT_EQ(warm.detail, cold.detail) << candidate.id;
    EXPECT_EQ(warm_->notes(), std::vector<std::string>());
    return warm;
  }

  /// The stage, where it does not matter whether others of the function were in the run.
  static std::string_view stage_of(const Verdict& verdict) {
    return to_string(verdict.stage == Stage::grouped ? Stage::late : verdict.stage);
  }

  void expect_stages(const std::vector<std::pair<Candidate, Stage>>& cases) {
    std::vector<Candidate> all;
    all.reserve(cases.size());
    for (const auto& [candidate, stage] : cases) all.push_back(candidate);
    expect(all);
    for (const auto& [candidate, stage] : cases) {
      EXPECT_EQ(stage_of(judge(candidate)), to_string(stage)) << candidate.id;
    }
  }

  TemporaryFolder folder_;
  std::optional<MemoryWorkspace> workspace_;
  std::unique_ptr<ProcessRunner> runner_;
  OracleOptions options_;
  std::unique_ptr<Oracle> warm_;
  std::unique_ptr<Oracle> cold_;
};

TEST_F(WarmRunsTest, EveryKindOfFunctionDoesWhatItDoesCold) {
  reproduce(k_script);
  const std::vector<std::pair<Candidate, Stage>> cases = {
      {candidate("pkg/mod.py", "a - b", "a * b", "plain"), Stage::late},
      {candidate("pkg/mod.py", "a - b", "a + b", "plain"), Stage::cold},
      {candidate("pkg/mod.py", "a - b", "(a + b\n            )", "plain"), Stage::cold},
      {candidate("pkg/mod.py", "return a - b", "a = a + 1\n    return a - b", "plain"),
       Stage::late},
      {candidate("pkg/mod.py", "return sum(self.items)", "return sum(self.items) + 1", "Box.total"),
       Stage::late},
      {candidate("pkg/mod.py", "self.items[0]", "self.items[1]", "Box.first"), Stage::late},
      {candidate("pkg/mod.py", "cls(items)", "cls(items[1:])", "Box.of"), Stage::late},
      {candidate("pkg/mod.py", "x * 2", "x * 3", "Box.double"), Stage::late},
      {candidate("pkg/mod.py", "super().total() + 10", "super().total() + 11", "Child.total"),
       Stage::late},
      {candidate("pkg/mod.py", "super().total() + 10", "10", "Child.total"), Stage::warm},
      {candidate("pkg/mod.py", "self.__kind", "self.__kind + 'x'", "Outer.Inner.value"),
       Stage::late},
      {candidate("pkg/mod.py", "range(n)", "range(n - 1)", "gen"), Stage::late},
      {candidate("pkg/mod.py", "yield i", "print(i)", "gen"), Stage::warm},
      {candidate("pkg/mod.py", "got + 1", "got + 2", "echo"), Stage::late},
      {candidate("pkg/mod.py", "x + 1", "x + 2", "later"), Stage::late},
      {candidate("pkg/mod.py", "x * y", "x + y", "outer.inner"), Stage::late},
      {candidate("pkg/mod.py", "x * x", "x + x + x", "cached"), Stage::late},
      {candidate("pkg/mod.py", "lru_cache(None)", "lru_cache()", "cached"), Stage::warm},
      {candidate("pkg/mod.py", "sum(rest) + key", "sum(rest) - key", "variadic"), Stage::late},
      {candidate("pkg/mod.py", "b=2", "b=3", "default"), Stage::warm},
      {candidate("pkg/mod.py", "LIMIT = 10", "LIMIT = 11", ""), Stage::warm},
      {candidate("pkg/mod.py", R"("""Adds.""")", "", "plain"), Stage::warm},
      {candidate("pkg/mod.py", "int(file.read()) + 1", "int(file.read()) + 2", "count"),
       Stage::late},
      {candidate("pkg/mod.py", "\"12345\"", "\"1234\"", "note"), Stage::late},
      {candidate("pkg/early.py", "x + x", "x * x * x", "use"), Stage::late},
      {candidate("pkg/mod.py", "return 0", "return 1", "never"), Stage::unreached},
      {candidate("pkg/mod.py", "import functools", "import functools, nothing", ""), Stage::warm},
      {candidate("pkg/mod.py", "a - b", "a -* b", "plain"), Stage::warm},
  };
  expect_stages(cases);
}

TEST_F(WarmRunsTest, CandidatesOfAFunctionShareRunsWhereTheyDoTheSame) {
  reproduce(R"py(
import sys
from pkg.mod import work
said = []
for arguments in ((1,), (2, 5)):
    try:
        said.append(work(*arguments))
    except Exception as problem:
        said.append(type(problem).__name__)
print("noise")
sys.exit(0 if said == [-1, -3] else "CheckError: %r" % said)
)py",
            {{"pkg/__init__.py", ""}, {"pkg/mod.py", R"py(
import os
class T:
    size = 3
    def __init__(self): self.items = [1, 2, 3]; self.name = None; self.looks = 0
    @property
    def total(self): self.looks += 1; return sum(self.items) + self.looks
def work(x, y=None, opts={"a": 1}):
    t = T()
    if list(opts.keys())[0] != "a":
        raise KeyError(x)
    if y is None:
        y = t.size
    total = 0
    for i in range(len(t.items)):
        if i > x:
            total += t.items[i]
        elif i == x:
            total = total + y
    if total < 2 or t.name:
        raise ValueError("small %d" % total)
    result = [total * k for k in range(x) if k != 1]
    return sum(result) - t.total
)py"}});
  const std::vector<std::pair<std::string, std::vector<std::string>>> edits = {
      {"y is None",
       {"y is not None", "not y", "y == None", "x is None", "True", "y is None or x > 1"}},
      {"i > x",
       {"i >= x", "i < x", "i > x + 1", "i > x - 1", "i > t.size", "i > x and t.name",
        "nothing > x", "i > None", "t.total > x"}},
      {"t.size\n",
       {"t.total\n", "x\n", "3\n", "T.size\n", "opts[\"b\"]\n", "getattr(t, \"size\", 4)\n",
        "t.nothing\n", "t.looks\n"}},
      {"total < 2 or t.name", {"total < 2", "total < 2 and t.name", "t.total < 2"}},
      {"total + y", {"total - y", "total + y + 0", "y + total", "total + t.size"}},
      {"k != 1", {"k == 1", "k"}},
      {"opts.keys", {"opts.items", "opts.values", "opts.copy", "opts.nothing"}},
      {"    total = 0\n",
       {"", "    total = None\n", "    if x == 1:\n        return 7\n    total = 0\n",
        "    if x is None:\n        return 7\n    total = 0\n"}},
      {"            total += t.items[i]\n",
       {"            continue\n", "            os._exit(3)\n", "            print(1); total += 1\n",
        "            if t.name:\n                total += t.items[i]\n",
        "            if not t.name:\n                total += t.items[i]\n"}},
      {"range(x)", {"range(x + 1)", "range(t.size)"}},
  };
  std::vector<Candidate> all;
  for (const auto& [from, variants] : edits) {
    for (const std::string& to : variants) all.push_back(candidate("pkg/mod.py", from, to, "work"));
  }
  expect(all);
  std::set<std::string> groups;
  std::size_t grouped = 0;
  for (const Candidate& one : all) {
    const Verdict verdict = judge(one);
    if (verdict.stage == Stage::grouped && !verdict.group.empty()) {
      ++grouped;
      groups.insert(verdict.group);
    }
  }
  EXPECT_GE(grouped, all.size() / 3);
  EXPECT_LE(groups.size(), grouped / 2);
}

TEST_F(WarmRunsTest, CandidatesThatDoTheSameShareAGroup) {
  reproduce(k_script);
  const Candidate one = candidate("pkg/mod.py", "a - b", "a * b", "plain");
  const Candidate same = candidate("pkg/mod.py", "a - b", "(a * b)  # as above", "plain");
  const Candidate other = candidate("pkg/mod.py", "a - b", "a * b + 1", "plain");
  expect({one, same, other});
  const Verdict first = judge(one);
  EXPECT_FALSE(first.group.empty());
  EXPECT_EQ(judge(same).group, first.group);
  EXPECT_NE(judge(other).group, first.group);
}

TEST_F(WarmRunsTest, NothingIsLeftForTheNextOne) {
  options_.time_floor = std::chrono::milliseconds(2000);
  options_.time_extra = std::chrono::milliseconds(0);
  reproduce(k_script);
  const auto plain = [&](const std::string& statement) {
    return candidate("pkg/mod.py", "return a - b", statement + "\n    return a * b", "plain");
  };
  const std::vector<Candidate> hostile = {
      plain("import os, glob; open('/tmp/folder/state', 'w').write('7')"),
      plain("import shutil, glob; shutil.rmtree('/tmp/folder'); os.mkdir('/tmp/new')"),
      plain("open('/tmp/left', 'w').write('x'); os.mkdir('/dev/shm/left')"),
      plain("import subprocess; subprocess.Popen(['sleep', '100'], start_new_session=True)"),
      plain("if os.fork() == 0:\n        os.setsid(); os.fork()\n        while True: pass"),
      plain("os.close(0); os.close(1); os.close(2)"),
      plain("os._exit(0)"),
      plain("os._exit(3)"),
      plain("os.kill(os.getpid(), 11)"),
      plain("import sys; sys.exit(1)"),
      plain("import sys; sys.setrecursionlimit(50)"),
      plain("import builtins; builtins.sum = None"),
      plain("os.environ['PATH'] = ''; os.chdir('/')"),
      plain("os.kill(os.getppid(), 19)"),
      plain("import atexit; atexit.register(lambda: os._exit(0))"),
      plain("print('x' * 100000)"),
  };
  std::vector<Candidate> all = hostile;
  const Candidate probe = candidate("pkg/mod.py", "a - b", "a * b", "plain");
  all.push_back(probe);
  expect(all);
  for (const Candidate& candidate : hostile) {
    judge(candidate);
    // Not the same, or its answer would be remembered.
    const std::string told = fmt::format("a * b + 0 * {}", &candidate - hostile.data());
    Candidate next = this->candidate("pkg/mod.py", "a - b", told, "plain");
    EXPECT_EQ(judge(next).detail, "exit 1: CheckError: plain again") << candidate.id;
  }
}

TEST_F(WarmRunsTest, AKilledWorkerIsReplacedAndAnswersNothing) {
  reproduce(k_script);
  const Candidate killer = candidate(
      "pkg/mod.py", "return a - b",
      "[os.kill(int(p), 9) for p in os.listdir('/proc') if p.isdigit() and int(p) != os.getpid() "
      "and p != '1']\n    return a * b",
      "plain");
  const Candidate next = candidate("pkg/mod.py", "a - b", "a * b", "plain");
  expect({killer, next});
  EXPECT_EQ(judge(killer).stage, Stage::cold);
  EXPECT_EQ(stage_of(judge(next)), to_string(Stage::late));
}

TEST_F(WarmRunsTest, ACandidateThatHangsOrPrintsWithoutEndIsEnded) {
  options_.time_floor = std::chrono::milliseconds(1500);
  options_.time_extra = std::chrono::milliseconds(0);
  options_.limits.output = 1 << 20;
  reproduce(k_script);
  const Candidate hangs = candidate("pkg/mod.py", "return a - b", "while True: pass", "plain");
  const Candidate prints =
      candidate("pkg/mod.py", "return a - b", "while True: print('x' * 1000)", "plain");
  expect({hangs, prints});
  EXPECT_EQ(warm_->judge(hangs, Level::e1, 0)->outcome, Outcome::put_off);
  const Verdict hung = warm_->judge(hangs, Level::e1, 0).value();
  EXPECT_EQ(hung.outcome, Outcome::timed_out) << hung.detail << to_string(hung.stage) << hung.group;
  const Verdict verdict = warm_->judge(prints, Level::e1, 0).value();
  EXPECT_EQ(verdict.outcome, Outcome::limit) << verdict.detail;
  EXPECT_EQ(stage_of(verdict), to_string(Stage::late));
}

TEST_F(WarmRunsTest, ACandidateThatComputesLongerThanMostIsAskedTwice) {
  reproduce(k_script);
  const Candidate slow =
      candidate("pkg/mod.py", "return a - b", "return a - b + 0 * sum(range(30_000_000))", "plain");
  expect({slow, candidate("pkg/mod.py", "a - b", "a * b", "plain")});
  EXPECT_EQ(warm_->judge(slow, Level::e1, 0)->outcome, Outcome::put_off);
  const Verdict verdict = warm_->judge(slow, Level::e1, 0).value();
  EXPECT_EQ(verdict.outcome, Outcome::fails) << verdict.detail;
  EXPECT_EQ(verdict.runs, 2);
}

TEST_F(WarmRunsTest, AnotherProcessSeesTheCandidateToo) {
  reproduce(R"py(
import subprocess, sys
import pkg.early
code = "from pkg import mod; print(mod.plain(2, 3))"
said = subprocess.run(args=[sys.executable, "-c", code], capture_output=True, text=True).stdout
from pkg import mod
here = mod.plain(2, 3)
sys.exit(0 if said == "5\n" and here == 5 else "CheckError: %r %r" % (said, here))
)py");
  const Candidate wrong = candidate("pkg/mod.py", "a - b", "a * b", "plain");
  const Candidate right = candidate("pkg/mod.py", "a - b", "a + b", "plain");
  expect({wrong, right});
  EXPECT_EQ(judge(wrong).stage, Stage::warm);
  EXPECT_EQ(judge(right).outcome, Outcome::passes);
}

TEST_F(WarmRunsTest, ProcessesThreadsAndReadSourcesOfTheProgram) {
  reproduce(R"py(
import inspect, multiprocessing, sys, threading
from pkg import early, mod

def work(queue):
    queue.put(mod.plain(2, 3))

said = []
thread = threading.Thread(target=lambda: said.append(early.use(2)))
thread.start()
thread.join()
queue = multiprocessing.get_context("fork").SimpleQueue()
process = multiprocessing.get_context("fork").Process(target=work, args=(queue,))
process.start()
said.append(queue.get())
process.join()
scope = {}
exec(inspect.getsource(mod.default), scope)
said.append(scope["default"](1))
sys.exit(0 if said == [4, 5, 3] else "CheckError: %r" % said)
)py");
  const std::vector<Candidate> all = {
      candidate("pkg/mod.py", "a - b", "a * b", "plain"),
      candidate("pkg/mod.py", "a - b", "a + b", "plain"),
      candidate("pkg/mod.py", "return a + b", "return a * b", "default"),
      candidate("pkg/early.py", "x + x", "x - x", "use"),
  };
  expect(all);
  for (const Candidate& candidate : all) judge(candidate);
}

TEST_F(WarmRunsTest, TheProgramMayStandInAFolderThatItMade) {
  reproduce(R"py(
import os, sys, tempfile
from pkg import early, mod
with tempfile.TemporaryDirectory() as folder:
    os.chdir(folder)
    with open("state", "w") as file:
        file.write("3")
    said = [mod.plain(2, 3), mod.count("."), os.listdir("."), early.use(2)]
    os.chdir("/")
sys.exit(0 if said == [5, 4, ["state"], 4] else "CheckError: %r" % said)
)py");
  std::vector<Candidate> all;
  for (const char* text : {"a * b", "a", "a + b", "b - a", "os.mkdir('x')", "a / b"}) {
    all.push_back(candidate("pkg/mod.py", "a - b", text, "plain"));
    all.push_back(candidate("pkg/mod.py", "LIMIT = 10", fmt::format("LIMIT = '{}'", text), ""));
    all.push_back(candidate("pkg/mod.py", "int(file.read()) + 1",
                            fmt::format("int(file.read()) + len(\"{}\")", text), "count"));
  }
  expect(all);
  for (const Candidate& candidate : all) judge(candidate);
}

TEST_F(WarmRunsTest, PytestIsCollectedOnce) {
  reproduce_test("pytest -q tests/test_mod.py",
                 {{"pkg/__init__.py", ""},
                  {"pkg/mod.py", k_module},
                  {"tests/test_mod.py",
                   "import pytest\nfrom pkg import mod\n\n"
                   "@pytest.mark.parametrize('a', [0, 2])\n"
                   "def test_plain(a, tmp_path, capfd):\n"
                   "    print('seen')\n    (tmp_path / 'x').write_text('1')\n"
                   "    assert mod.plain(a, 3) == a + 3\n    assert capfd.readouterr().out\n\n"
                   "def test_other():\n    assert mod.default(1) == 3\n"}});
  const std::vector<std::pair<Candidate, Stage>> cases = {
      {candidate("pkg/mod.py", "a - b", "a * b", "plain"), Stage::late},
      {candidate("pkg/mod.py", "a - b", "a + b", "plain"), Stage::cold},
      {candidate("pkg/mod.py", "a - b", "3", "plain"), Stage::late},
      {candidate("pkg/mod.py", "LIMIT = 10", "LIMIT = nothing", ""), Stage::warm},
      {candidate("pkg/mod.py", "return 0", "return 1", "never"), Stage::unreached},
  };
  expect_stages(cases);
}

}  // namespace
}  // namespace tenline
