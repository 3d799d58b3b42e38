// Runs oracles/python/trace_run.py for real, under the system's Python.

#include <gtest/gtest.h>

#include "oracles/files.h"
#include "oracles/programs.h"
#include "oracles/trace.h"
#include "tests/test_process_runner.h"

namespace tenline {
namespace {

class TraceRunTest : public testing::Test {
 protected:
  /// Runs a script against a repository that has one module, `mod.py`.
  FailureTrace trace(const std::string& module, const std::string& script,
                     const std::string& entry = {}) {
    folder_.write("repo/mod.py", module);
    folder_.write("helper/sitecustomize.py", std::string(programs::k_trace_run));
    const std::string file = folder_.write("script/repro.py", script);
    const std::string out = folder_.path() + "/out";
    EXPECT_TRUE(make_drop_folder(out));
    Command command;
    command.argv = {"/usr/bin/python3", file};
    command.environment = {{"PYTHONPATH", folder_.path() + "/helper:" + folder_.path() + "/repo"},
                           {"PYTHONDONTWRITEBYTECODE", "1"},
                           {"TENLINE_TRACE_ROOT", folder_.path() + "/repo"},
                           {"TENLINE_TRACE_OUT", out},
                           {"TENLINE_TRACE_ENTRY", entry}};
    command.limits.time = std::chrono::seconds(60);
    output_ = runner_.run(command).value();
    const Result<FailureTrace> read =
        read_traces(out, [](const std::string& path) { return path == "mod.py"; });
    EXPECT_TRUE(read) << output_.out << output_.err;
    return read.value_or(FailureTrace{});
  }
  static const ExecutedFunction* function(const FailureTrace& trace, const std::string& name) {
    for (const ExecutedFunction& f : trace.functions) {
      if (f.name == name) return &f;
    }
    return nullptr;
  }

  TemporaryFolder folder_;
  TestProcessRunner runner_;
  ProcessOutput output_;
};

TEST_F(TraceRunTest, SeesFunctionsLinesDepthAndTheFailure) {
  const FailureTrace seen = trace(
      "class C:\n"
      "    def __init__(self):\n"
      "        self.items = [1, 2]\n"
      "    def f(self, x):\n"
      "        if x:\n"
      "            return 1\n"
      "        return self.g(None)\n"
      "    def g(self, y):\n"
      "        return y.name\n",
      "import sys, mod\n"
      "try:\n"
      "    mod.C().f(0)\n"
      "except AttributeError:\n"
      "    sys.exit(1)\n");
  EXPECT_EQ(output_.exit_code, 1);
  ASSERT_NE(function(seen, "C.f"), nullptr);
  EXPECT_EQ(function(seen, "C.f")->lines, (std::vector<int>{5, 7}));
  EXPECT_EQ(function(seen, "C.f")->first_line, 4);
  EXPECT_EQ(function(seen, "C.f")->depth, 1);
  EXPECT_EQ(function(seen, "C.g")->depth, 2);
  EXPECT_EQ(function(seen, "C"), nullptr);  // Class bodies belong to the module.
  EXPECT_EQ(function(seen, "<module>")->lines, (std::vector<int>{1, 2, 4, 8}));
  const FailureException* failure = seen.main_exception();
  ASSERT_NE(failure, nullptr);
  EXPECT_EQ(failure->type, "AttributeError");
  EXPECT_EQ(failure->message, "'NoneType' object has no attribute 'name'");
  ASSERT_EQ(failure->frames.size(), 2U);
  EXPECT_EQ(failure->frames[0].function, "C.f");
  EXPECT_EQ(failure->frames[0].line, 7);
  EXPECT_EQ(failure->frames[1].line, 9);
  EXPECT_EQ(failure->frames[1].values.at("y").repr, "None");
  EXPECT_EQ(failure->frames[1].values.at("self").type, "C");
  EXPECT_EQ(failure->frames[1].values.at("self.items").length, 2);
}

TEST_F(TraceRunTest, KeepsCaughtExceptionsApart) {
  const FailureTrace seen = trace(
      "def f():\n"
      "    try:\n"
      "        g()\n"
      "    except KeyError:\n"
      "        pass\n"
      "    return 5\n"
      "def g():\n"
      "    raise KeyError('k')\n",
      "import mod\nmod.f()\n");
  ASSERT_EQ(seen.exceptions.size(), 1U);
  EXPECT_FALSE(seen.exceptions[0].escaped);
  EXPECT_EQ(seen.exceptions[0].frames.size(), 2U);
  EXPECT_EQ(seen.main_exception(), nullptr);
}

TEST_F(TraceRunTest, KnowsTheFailureBehindFinallyAndWith) {
  const FailureTrace seen = trace(
      "import contextlib\n"
      "def f():\n"
      "    try:\n"
      "        with contextlib.ExitStack():\n"
      "            raise ValueError('real')\n"
      "    finally:\n"
      "        try:\n"
      "            {}['x']\n"
      "        except KeyError:\n"
      "            pass\n",
      "import mod\n"
      "try:\n"
      "    mod.f()\n"
      "except ValueError as error:\n"
      "    kept = error\n"
      "raise SystemExit(1)\n");
  EXPECT_EQ(output_.exit_code, 1);
  ASSERT_EQ(seen.exceptions.size(), 2U);
  ASSERT_NE(seen.main_exception(), nullptr);
}

TEST_F(TraceRunTest, FoldsComprehensionsLambdasAndGeneratorsIntoTheirFunction) {
  const FailureTrace seen = trace(
      "def f(xs):\n"
      "    total = sum(x\n"
      "                for x in xs)\n"
      "    names = [x.name\n"
      "             for x in xs]\n"
      "    return names\n"
      "def gen():\n"
      "    yield 1\n"
      "    yield 2\n"
      "key = lambda v: v\n",
      "import mod\nlist(mod.gen())\nmod.key(1)\nmod.f([1])\n");
  EXPECT_EQ(output_.exit_code, 1);
  for (const ExecutedFunction& one : seen.functions)
    EXPECT_EQ(one.name.find('<', 1), std::string::npos);
  EXPECT_EQ(function(seen, "gen")->lines, (std::vector<int>{8, 9}));
  EXPECT_EQ(seen.main_exception()->frames.back().function, "f");
  EXPECT_EQ(seen.main_exception()->frames.back().line, 4);
}

TEST_F(TraceRunTest, SurvivesExceptionsAtImport) {
  const FailureTrace seen = trace("x = 1\nimport no_such_module\n", "import mod\n");
  EXPECT_EQ(output_.exit_code, 1);
  ASSERT_NE(seen.main_exception(), nullptr);
  EXPECT_EQ(seen.main_exception()->type, "ModuleNotFoundError");
  EXPECT_EQ(seen.main_exception()->frames[0].function, "<module>");
  EXPECT_EQ(seen.files, std::vector<std::string>{"mod.py"});
}

TEST_F(TraceRunTest, SurvivesAHardExit) {
  const FailureTrace seen = trace("def f():\n    raise ValueError('x')\n",
                                  "import os, mod\n"
                                  "try:\n    mod.f()\nexcept ValueError:\n    os._exit(1)\n");
  EXPECT_EQ(output_.exit_code, 1);
  ASSERT_NE(seen.main_exception(), nullptr);
}

TEST_F(TraceRunTest, WritesAsItGoesForRunsThatAreKilled) {
  const FailureTrace seen = trace("def f(i):\n    return i\n",
                                  "import os, signal, time, mod\n"
                                  "end = time.monotonic() + 4\n"
                                  "while time.monotonic() < end:\n    mod.f(1)\n"
                                  "os.kill(os.getpid(), signal.SIGKILL)\n");
  EXPECT_EQ(output_.end, ProcessEnd::signalled);
  EXPECT_NE(function(seen, "f"), nullptr);
}

TEST_F(TraceRunTest, SeesAnEndlessRecursion) {
  const FailureTrace seen = trace("def f(n):\n    return f(n + 1)\n",
                                  "import sys, mod\n"
                                  "try:\n    mod.f(0)\nexcept RecursionError:\n    sys.exit(1)\n");
  EXPECT_EQ(output_.exit_code, 1);
  ASSERT_NE(seen.main_exception(), nullptr);
  EXPECT_EQ(seen.main_exception()->type, "RecursionError");
  EXPECT_LE(seen.main_exception()->frames.size(), 40U);
  EXPECT_GT(function(seen, "f")->calls, 100);
}

TEST_F(TraceRunTest, SurvivesAScriptThatTracesItself) {
  const FailureTrace seen =
      trace("def f():\n    return 1\ndef g():\n    return 2\n",
            "import sys, mod\nmod.f()\nsys.settrace(lambda *a: None)\nmod.g()\n");
  EXPECT_EQ(output_.exit_code, 0);
  EXPECT_NE(function(seen, "f"), nullptr);
}

TEST_F(TraceRunTest, SeesThreadsAndChildProcesses) {
  const FailureTrace seen = trace(
      "def in_thread():\n    return 1\n"
      "def in_fork():\n    raise ValueError('child')\n"
      "def in_program():\n    return 3\n",
      "import multiprocessing, subprocess, sys, threading, mod\n"
      "t = threading.Thread(target=mod.in_thread); t.start(); t.join()\n"
      "p = multiprocessing.get_context('fork').Process(target=mod.in_fork)\n"
      "p.start(); p.join()\n"
      "subprocess.run([sys.executable, '-c', 'import mod; mod.in_program()'], check=True)\n"
      "sys.exit(1)\n");
  EXPECT_EQ(output_.exit_code, 1) << output_.err;
  for (const char* name : {"in_thread", "in_fork", "in_program"}) {
    EXPECT_NE(function(seen, name), nullptr) << name;
  }
  ASSERT_NE(seen.main_exception(), nullptr);
  EXPECT_EQ(seen.main_exception()->message, "child");
}

TEST_F(TraceRunTest, CallsNothingOfTheRepositoryToDescribeValues) {
  const FailureTrace seen = trace(
      "import os\n"
      "class Meta(type):\n"
      "    @property\n"
      "    def __name__(cls): os._exit(7)\n"
      "class Bad(metaclass=Meta):\n"
      "    __class__ = property(lambda self: os._exit(7))\n"
      "    __dict__ = property(lambda self: os._exit(7))\n"
      "    def __repr__(self): os._exit(7)\n"
      "    def __len__(self): os._exit(7)\n"
      "    def __getattr__(self, name): os._exit(7)\n"
      "    def f(self, other):\n"
      "        raise E(1)\n"
      "class L(list):\n"
      "    def __len__(self): os._exit(7)\n"
      "class E(Exception):\n"
      "    def __str__(self): os._exit(7)\n"
      "def run():\n"
      "    big = 1 << 1000000\n"
      "    Bad().f(L([1]))\n",
      "import sys, mod\ntry:\n    mod.run()\nexcept mod.E:\n    sys.exit(1)\n");
  EXPECT_EQ(output_.exit_code, 1) << output_.err;
  ASSERT_NE(seen.main_exception(), nullptr);
  const FailureFrame& inner = seen.main_exception()->frames.back();
  EXPECT_EQ(inner.values.at("self").type, "Bad");
  EXPECT_EQ(inner.values.at("other").type, "L");
  EXPECT_EQ(inner.values.at("other").length, 1);
  EXPECT_EQ(seen.main_exception()->message, "1");
}

TEST_F(TraceRunTest, StaysSmallForALoopWithManyExceptions) {
  const FailureTrace seen = trace(
      "def f():\n"
      "    for i in range(20000):\n"
      "        try:\n"
      "            {}[i]\n"
      "        except KeyError:\n"
      "            pass\n"
      "    raise ValueError('last')\n",
      "import mod\nmod.f()\n");
  EXPECT_LE(seen.exceptions.size(), 200U);
  ASSERT_NE(seen.main_exception(), nullptr);
  EXPECT_EQ(seen.main_exception()->message, "last");
  EXPECT_FALSE(seen.main_exception()->frames[0].values.empty());
}

TEST_F(TraceRunTest, CountsDepthFromTheNamedTests) {
  const FailureTrace seen = trace("def test_f():\n    g()\ndef g():\n    pass\n",
                                  "import mod\nmod.test_f()\n", "mod.py:");
  EXPECT_EQ(function(seen, "test_f")->depth, 0);
}

}  // namespace
}  // namespace tenline
