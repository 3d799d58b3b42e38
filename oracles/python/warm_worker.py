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
    def __init__(self, engine):
        self.engine = engine
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
        self.problems = []
        self.finished = False
        self.known = {}  # Digest of what a unit does -> answer.
        self.results = self.config.get("results")
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
        self.kill_strays()
        base = {"end": end, "code": code if code is not None else 9, "seconds": time.monotonic() - start, "cpu": 0.0}
        self.finished = end == "exit" and not self.closed
        self.base = self.with_output(base)
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
        if index < 0:
            return {"lost": "a changed file was read before the program started"}
        return self.run(self.servers[index], "load" if index > 0 else "start", request)

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
        unit, code = found
        place = (name, unit.number)
        if name not in self.announcing or place not in self.made:
            return None
        index = self.units.get(place, self.passed.get(place))
        if index is None and self.finished:
            return dict(self.base, stage="unreached", seconds=0.0, cpu=0.0)
        if index is None:
            index = len(self.servers) - 1
        if index < self.made[place]:
            return None
        told = "%s %d %s" % (name, unit.number, warm_units.behaviour(code))
        digest = hashlib.sha256(told.encode("utf-8", "surrogatepass")).digest()
        known = self.known.get(digest)
        if known is not None:
            return dict(known, seconds=0.0, cpu=0.0)
        answer = self.run(self.servers[index], "late", request, code=marshal.dumps(code).hex(), file=file.path, unit=unit.number)
        answer["group"] = digest.hex()[:24]
        if answer.get("end") == "exit":
            self.known[digest] = answer
        return answer

    def run(self, server, stage, request, **exchange):
        try:
            warm_chain.send(server.channel, dict(exchange, seconds=request["seconds"], output=self.config["output"]))
            ready = select.select([server.channel], [], [], request["seconds"] + 2)[0]  # It may have been stopped.
            answer = warm_chain.receive(server.channel) if ready else None
        except OSError:
            answer = None
        self.kill_strays()
        if answer is None:
            return {"lost": "a server is gone"}
        if "lost" in answer:
            return answer
        return dict(self.with_output(answer), stage=stage)

    def with_output(self, answer):
        for name, fd in (("out", 1), ("err", 2)):
            size = os.fstat(fd).st_size
            kept = os.pread(fd, 65536, max(0, size - 65536))
            answer[name] = kept.decode("utf-8", "replace")
        answer["results"] = ""
        if self.results:
            try:
                with open(self.results, "rb") as file:
                    answer["results"] = file.read(16 << 20).decode("ascii", "replace")
            except OSError:
                pass
        return answer

    def kill_strays(self):
        """Ends all that a run left behind: everything in the sandbox but us and the servers."""
        kept = {1, os.getpid()} | {server.pid for server in self.servers}
        for _ in range(200):
            found = False
            for name in os.listdir("/proc"):
                if not name.isdigit() or int(name) in kept:
                    continue
                try:
                    with open("/proc/%s/stat" % name) as file:
                        state = file.read().rpartition(")")[2].split()[0]
                    if state in "ZX":
                        continue
                    os.kill(int(name), signal.SIGKILL)
                    found = True
                except OSError:
                    continue
            if not found:
                return
            time.sleep(0.001)


def main():
    engine = _socket.socket(fileno=int(os.environ.pop("TENLINE_CHANNEL")))
    for fd in (1, 2):
        output = os.memfd_create("output")
        os.dup2(output, fd)
        os.close(output)
        flags = fcntl.fcntl(fd, fcntl.F_GETFL)
        fcntl.fcntl(fd, fcntl.F_SETFL, flags | os.O_APPEND)
    hub = Hub(engine)
    warm_chain.send(engine, hub.build())
    while True:
        request = warm_chain.receive(engine)
        if request is None:
            os._exit(0)
        warm_chain.send(engine, hub.judge(request))


main()
