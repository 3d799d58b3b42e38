"""Runs the failing check for one candidate after another without starting Python, or what the program
imports, each time.

Speaks JSON, one message a line, on the descriptor TENLINE_CHANNEL. The first message says what to run and
which functions of which files candidates will change; the answer is how the program ended on the base
revision. Each further one names the changed files, whose new text lies in the worktree by then; the
answer is how the program ended, and from where it went on:
    start     the beginning of the program
    load      before it read a changed file
    late      the first call of the changed function
    unreached nothing was run: the program never calls the changed function
An answer is remembered for a function that does the same, which has the same group.

A run that is asked with a patience ends as "slow" when it computes much longer than the base did.

Or it brings a batch of candidates, while the worktree holds the base revision. Then each answer is one for
several, its members, from a run in which they are merged: see warm_groups.
"""
import sys

_at_start = set(sys.modules)
_paths = list(sys.path)
sys.path[:] = [_paths[0]] + [p for p in _paths[1:] if p.startswith((sys.base_prefix + "/lib", sys.base_exec_prefix + "/lib"))]
import _socket
import array
import fcntl
import hashlib
import json
import marshal
import os
import select
import signal
import time

import warm_chain
import warm_groups
import warm_units

sys.path[:] = _paths
for _name in set(sys.modules) - _at_start:  # The program shall find what it finds when it starts.
    del sys.modules[_name]

MOST_SERVERS = 64


class _Server:
    def __init__(self, key, pid, channel):
        self.key = key
        self.pid = pid
        self.channel = channel


class Hub:
    def __init__(self, engine, streams):
        self.engine = engine
        self.streams = streams  # Not where the program can take others.
        self.config = warm_chain.receive(engine)
        self.root = self.config["root"].rstrip("/") + "/"
        self.files = {}
        for name, functions in self.config["files"].items():
            self.files[name] = self.read_file(name, functions)
        self.servers = []
        self.touched = {}  # File -> index of the server that was there just before; -1: at our start.
        self.units = {}  # (file, unit number) -> index of its server.
        self.announcing = set()  # Files whose functions announce their first call, to the end of the run.
        self.made = {}  # (file, unit number) -> index of the first server that has the function.
        self.passed = {}  # Units that were called but have no server -> index of the last one before.
        self.closed = False  # Another process may have run the repository's code.
        self.bad = set()  # Indices of servers that do not go on as the base does.
        self.late_runs = {}  # Index of a server -> number of single runs from it.
        self.computing = {}  # Index of a server -> CPU seconds of the first run from there that ended.
        self.passing = None  # The most CPU seconds of a run that passed.
        self.problems = []
        self.finished = False
        self.known = {}  # Digest of what a unit does -> answer.
        for module in list(sys.modules.values()):
            file = getattr(module, "__file__", None)
            if type(file) is str and file.startswith(self.root):
                self.touched[file[len(self.root):]] = -1

    def read_file(self, name, functions):
        path = self.root + name
        try:
            with open(path, encoding="utf-8", newline="") as file:
                text = file.read()
            if "\r" in text:
                functions = []
            return warm_units.File(path, text, functions)
        except (OSError, UnicodeDecodeError, SyntaxError, ValueError):
            return warm_units.File(path, "", [])

    # The chain.

    def build(self):
        mine, its = _socket.socketpair(_socket.AF_UNIX, _socket.SOCK_SEQPACKET)
        start = time.monotonic()
        pid = os.fork()
        if pid == 0:
            mine.close()
            self.engine.close()
            chain = warm_chain.Chain(self.config, self.files, its, MOST_SERVERS)
            chain.snapshot(["start"])
            if chain.going_on:
                chain.start()
            warm_chain.run(chain, self.config["program"])
        its.close()
        code, end = None, "exit"
        deadline = start + self.config["seconds"]
        while True:
            left = deadline - time.monotonic()
            if left <= 0 or not select.select([mine], [], [], left)[0]:
                end = "timeout"
                break
            data, rights, _, _ = mine.recvmsg(1 << 16, _socket.CMSG_SPACE(4))
            if not data:
                end = "exit" if code is not None else "signal"
                break
            code = self.note(json.loads(data), rights, code)
        mine.close()
        warm_chain.kill_strays(server.pid for server in self.servers)
        base = {"end": end, "code": code if code is not None else 9, "seconds": time.monotonic() - start, "cpu": 0.0}
        self.finished = end == "exit" and not self.closed
        self.base = self.with_output(base)
        if end == "exit":
            self.try_servers(2 * base["seconds"] + 5)
        return dict(self.base, servers=[server.key for server in self.servers], problems=self.problems[:20])

    def note(self, message, rights, code):
        event = message["event"]
        if event == "server":
            fds = array.array("i")
            fds.frombytes(rights[0][2])
            key = message["key"]
            self.servers.append(_Server(key, message["pid"], _socket.socket(fileno=fds[0])))
            self.reach(key, len(self.servers) - 1)
        elif event == "passed":
            if message.get("reason"):
                self.problems.append([message["key"], message["reason"]])
            self.reach(message["key"], None)
        elif event == "announces":
            self.announcing.add(message["file"])
        elif event == "made":
            self.made[tuple(message["key"])] = len(self.servers)
        elif event == "forget":
            self.announcing.discard(message["file"])
        elif event == "closed":
            self.closed = True
        elif event == "done":
            return message["code"]
        return code

    def reach(self, key, index):
        last = len(self.servers) - 1
        if key[0] == "file":
            self.touched.setdefault(key[1], last)
        elif key[0] == "unit" and index is None:
            self.passed[(key[1], key[2])] = last
        elif key[0] == "unit":
            self.units[(key[1], key[2])] = index

    def try_servers(self, seconds):
        """The base has to end from each server as it did; the cheapest are tried first."""
        deadline = time.monotonic() + seconds
        for index in reversed(range(len(self.servers))):
            if time.monotonic() > deadline:
                return
            self.is_good(index)

    def is_good(self, index):
        """Does the base still end from this server as it did?"""
        if self.base["end"] != "exit" or index in self.bad:
            return index not in self.bad
        answers = self.ask(self.servers[index], {"seconds": 2 * self.config["seconds"]})
        if answers and (answers[-1].get("end"), answers[-1].get("code")) == ("exit", self.base["code"]):
            self.note_cost(index, answers)
            return True
        self.bad.add(index)
        self.problems.append([self.servers[index].key, "does not go on as the base does"])
        return False

    # Candidates.

    def judge(self, request):
        names = request["files"]
        late = request.get("stage") != "load"
        if late and len(names) == 1 and names[0] in self.files:
            answer = self.judge_unit(names[0], request)
            if answer is not None:
                return answer
        last = len(self.servers) - 1
        index = min([self.touched.get(name, last) for name in names] + [last])
        if request.get("stage") == "start":
            index = min(index, 0)
        while index in self.bad:
            index -= 1
        if index < 0:
            return {"unable": "a changed file was read before the program started"}
        return self.run(index, "load" if index > 0 else "start", request)

    def server_of(self, name, unit):
        """The last server that has the function and was there before its first call; None where there is
        none, -1 where it is never called."""
        place = (name, unit.number)
        if name not in self.announcing or place not in self.made:
            return None
        index = self.units.get(place, self.passed.get(place))
        if index is None and self.finished:
            return -1
        if index is None:
            index = len(self.servers) - 1
        while index in self.bad:
            index -= 1
        return index if index >= self.made[place] else None

    def judge_unit(self, name, request):
        """None where the change is not one of a unit, or its first call cannot be gone on from."""
        file = self.files[name]
        if not file.units:
            return None
        with open(file.path, encoding="utf-8", newline="") as source:
            text = source.read()
        found = file.exchange(text)
        if found is None:
            return None
        unit, segment = found
        index = self.server_of(name, unit)
        if index is None:
            return None
        if index < 0:
            return dict(self.base, stage="unreached", seconds=0.0, cpu=0.0)
        code = segment.code
        told = "%s %d %s" % (name, unit.number, warm_units.behaviour(code))
        digest = hashlib.sha256(told.encode("utf-8", "surrogatepass")).digest()
        known = self.known.get(digest)
        if known is not None:
            return dict(known, seconds=0.0, cpu=0.0)
        self.late_runs[index] = self.late_runs.get(index, 0) + 1
        if self.late_runs[index] % 32 == 0 and not self.is_good(index):
            return None
        answer = self.run(index, "late", request, code=marshal.dumps(code).hex(), file=file.path, unit=unit.number)
        answer["group"] = digest.hex()[:24]
        if answer.get("end") == "exit":
            self.known[digest] = answer
        return answer

    def limits(self, index, request):
        """The time that a run from a server may take and, where a patience is given, the CPU time: so many
        times what is enough for most, which is a few times what the base computes from there."""
        limits = {"seconds": request["seconds"]}
        if request.get("patience"):
            known = self.computing.get(index, 0.1)
            patience = request["patience"]
            if self.passing is not None:
                known, patience = max(known, self.passing), min(patience, 3)
            limits["computing"] = patience * (0.1 + 4 * known)
        return limits

    def note_cost(self, index, answers):
        for answer in answers:
            if answer.get("end") == "exit":
                self.computing.setdefault(index, answer["cpu"])
                if answer["code"] == 0:
                    self.passing = max(self.passing or 0.0, answer["cpu"])

    def run(self, index, stage, request, **exchange):
        answers = self.ask(self.servers[index], dict(exchange, **self.limits(index, request)))
        if answers is None:
            raise Lost
        if "unable" in answers[-1]:
            self.bad.add(index)
            return answers[-1]
        self.note_cost(index, answers)
        return dict(self.with_output(answers[-1]), stage=stage)

    def ask(self, server, request):
        """All that a server says to a request; None where it does not end it."""
        request.update(output=self.config["output"], streams=self.streams,
                       kept=[os.getpid()] + [s.pid for s in self.servers])
        try:
            warm_chain.send(server.channel, request)
            # A server may have been stopped.
            answers = warm_chain.receive_until(server.channel, lambda m: "members" not in m, request["seconds"] + 5)
        except (OSError, ValueError):
            answers = None
        warm_chain.kill_strays(s.pid for s in self.servers)
        return answers

    def with_output(self, answer, most=65536):
        return warm_chain.with_output(answer, self.streams, most)

    # Batches.

    def judge_batch(self, request):
        answers, merged = [], {}
        for candidate in request["batch"]:
            self.sort(candidate, answers, merged)
        for (name, number, index), candidates in sorted(merged.items()):
            if len(candidates) > 1:
                answers.extend(self.run_merged(self.files[name], number, index, candidates, request))
        return {"answers": answers}

    def sort(self, candidate, answers, merged):
        """Answers for a candidate that needs no run; puts it to those of its function else."""
        name = candidate["file"]
        file = self.files.get(name)
        if file is None or not file.units:
            return
        text = file.text.encode("utf-8")
        for begin, end, new in sorted(candidate["edits"], reverse=True):
            text = text[:begin] + new.encode("utf-8") + text[end:]
        try:
            found = file.exchange(text.decode("utf-8"))
        except UnicodeDecodeError:
            return
        index = self.server_of(name, found[0]) if found else None
        if index is None:
            return
        if index < 0:
            answers.append(dict(self.base, stage="unreached", members=[candidate["id"]], seconds=0.0, cpu=0.0))
        else:
            merged.setdefault((name, found[0].number, index), []).append((candidate["id"], found[1]))

    def run_merged(self, file, number, index, candidates, request):
        unit = file.units[number]
        base = file.base_segment(unit)
        changes, same, base_does = [], {}, []
        unchanged = warm_units.behaviour(base.code)
        for candidate, segment in candidates:
            does = warm_units.behaviour(segment.code)
            if does == unchanged:
                base_does.append(candidate)
            elif does in same:
                same[does].append(candidate)
            else:
                change = warm_groups.change_between(base.function, segment.function)
                if change is not None:
                    same[does] = [candidate]
                    changes.append((candidate, change))
        sites = warm_groups.merge(base.function, changes)
        try:
            base.compile()
        except (SyntaxError, ValueError, RecursionError):
            return []
        if not changes or not file.fits(base, unit.base) or not self.is_good(index):
            return []
        messages = self.ask(self.servers[index], dict(
            self.limits(index, request), most=request["most"], code=marshal.dumps(base.code).hex(),
            file=file.path, unit=number, sites=sites))
        if messages is None:
            raise Lost
        if "unable" in messages[-1]:
            self.bad.add(index)
            return []
        self.note_cost(index, messages)
        with_same = {members[0]: members for members in same.values()}
        last = dict(self.with_output(messages.pop(), 8192), members=list(with_same))
        answers, decided = [], set()
        if last["end"] == "timeout":  # It looked at all of them.
            last["undecided"] = "no time"
        for message in [*messages, last]:
            members = [m for m in message["members"] if m in with_same and m not in decided]
            decided.update(members)
            if members and "undecided" not in message:
                every = [one for m in members for one in with_same[m]]
                answers.append(dict(message, members=every, stage="grouped"))
        if base_does and answers and answers[-1]["members"]:
            answers.append(dict(self.base, stage="grouped", members=base_does, seconds=0.0, cpu=0.0))
        return answers


class Lost(Exception):
    """A server is gone."""


def main():
    engine = _socket.socket(fileno=int(os.environ.pop("TENLINE_CHANNEL")))
    for fd in (1, 2):
        output = os.memfd_create("output")
        os.dup2(output, fd)
        os.close(output)
        flags = fcntl.fcntl(fd, fcntl.F_GETFL)
        fcntl.fcntl(fd, fcntl.F_SETFL, flags | os.O_APPEND)
    results = os.memfd_create("results", 0)
    if "TENLINE_RESULTS" in os.environ:  # For the tests' plugin. A file could be removed by a copy of another time.
        os.environ["TENLINE_RESULTS"] = "/proc/self/fd/%d" % results
    hub = Hub(engine, [os.dup(1), os.dup(2), results])
    warm_chain.send(engine, hub.build())
    while True:
        request = warm_chain.receive(engine)
        if request is None:
            os._exit(0)
        try:
            answer = hub.judge_batch(request) if "batch" in request else hub.judge(request)
        except Lost:
            answer = {"lost": "a server is gone"}
        warm_chain.send(engine, answer)


main()
