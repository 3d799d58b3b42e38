"""Runs the program once on the base revision and leaves copies of the process on the way.

Before the program first reads a file that candidates change, and at the first call of a function that
they change, the process forks: one copy goes on, the other stays and can go on from there as often as
it is asked, each time in a child of its own. The copies that stay are the servers of a chain.
"""
import _socket
import array
import atexit
import builtins
import json
import marshal
import os
import select
import signal
import sys
import time

import warm_groups
import warm_state
import warm_units

_external = sys.modules["_frozen_importlib_external"]
_OURS = {warm_state.__file__, warm_units.__file__, warm_groups.__file__, __file__}
_PROCESS_EVENTS = ("os.fork", "os.forkpty", "os.posix_spawn", "os.exec", "os.spawn", "os.system", "pty.spawn")
# What has threads, sockets or pipes after its first call: the last moment for a copy that can go on.
_MARKERS = {"threading": ["Thread.start"],
            "multiprocessing.process": ["BaseProcess.start"],
            "multiprocessing.context": ["BaseContext.Lock", "BaseContext.RLock", "BaseContext.Queue", "BaseContext.SimpleQueue",
                                        "BaseContext.Event", "BaseContext.Manager", "BaseContext.Pipe", "BaseContext.Value"],
            "torch.distributed.distributed_c10d": ["init_process_group"]}
_MARKER_EVENTS = ("_thread.start_new_thread", "socket.__new__")
_LAUNCHERS = ("sh", "bash", "dash", "zsh", "env", "nohup", "timeout", "nice", "xargs", "make", "mpirun", "mpiexec", "srun",
              "sudo", "ssh")
_SECONDS_A_MEMBER = 0.005  # To evaluate one more candidate and to split it off.
_PROCESS_CLOCK = 2  # In the lowest bits of a clock id, above them the process: CPUCLOCK_SCHED of Linux.
_exit, _fork, _getpid, _monotonic = os._exit, os.fork, os.getpid, time.monotonic


class Target:
    """A file that candidates change."""

    def __init__(self, name, file):
        self.name = name
        self.file = file
        self.touched = False
        self.announces = False
        self.functions = {}  # Unit number -> function objects that have its code.


class Chain:
    """The process that runs the program; after a fork, a server or a child of one."""

    def __init__(self, config, files, hub, most_servers):
        self.root = config["root"].rstrip("/") + "/"
        self.hub = hub  # To the process that knows all servers.
        self.left = most_servers
        self.pid = _getpid()  # Of the process that makes the chain; 0 in the children of servers.
        self.targets = {}  # By path, and by the path of the byte code.
        self.markers = {}
        for name, file in files.items():
            target = Target(name, file)
            self.targets[file.path] = target
            cache = _external.cache_from_source(file.path) if file.path.endswith(".py") else None
            if cache:
                self.targets[cache] = target
        self.busy = False
        self.splitter = None  # Of a child that is the run of several candidates.
        self.get_code = _external.SourceLoader.get_code
        self.fork_exec = self.popen = None
        self.replaced = []  # (object, name, what was there, what we put there)

    @property
    def going_on(self):
        """Is this the process that makes the chain, and not one that the program forked?"""
        return self.pid == _getpid()

    def start(self):
        """Watches this process from here on."""
        chain = self

        def get_code(loader, name):
            target = chain.targets.get(loader.get_filename(name)) if chain.going_on else None
            if name in _MARKERS and target is None and chain.left > 0:
                return chain.marked_code(loader, name)
            if target is None or target.touched:
                return chain.get_code(loader, name)
            chain.touch(target)
            if not chain.going_on or not target.file.units or chain.left <= 0:
                return chain.get_code(loader, name)
            target.announces = True
            chain.tell(event="announces", file=target.name)
            return target.file.announcing_code()

        self.replace(_external.SourceLoader, "get_code", get_code)
        setattr(builtins, warm_units.REGISTER, self.register)
        setattr(builtins, warm_units.ANNOUNCE, self.announce)
        import _posixsubprocess  # Multiprocessing uses it without an event.
        import subprocess
        self.fork_exec, self.popen = _posixsubprocess.fork_exec, subprocess.Popen.__init__

        def fork_exec(arguments, *rest):
            chain.process_starts("fork_exec", [arguments])
            return chain.fork_exec(arguments, *rest)

        def popen(process, *arguments, **options):
            command = arguments[0] if arguments else options.get("args", ())
            chain.process_starts("popen", [command])  # Before it opens pipes.
            return chain.popen(process, *arguments, **options)

        self.replace(_posixsubprocess, "fork_exec", fork_exec)
        self.replace(subprocess.Popen, "__init__", popen)
        self.replace(os, "_exit", self.exit_now)
        sys.addaudithook(self.event)

    def replace(self, owner, name, new):
        self.replaced.append((owner, name, getattr(owner, name), new))
        setattr(owner, name, new)

    def tell(self, fd=None, **message):
        data = json.dumps(message).encode("ascii")
        rights = [(_socket.SOL_SOCKET, _socket.SCM_RIGHTS, array.array("i", [fd]))] if fd is not None else []
        self.hub.sendmsg([data], rights)

    # What happens in the program.

    def event(self, name, arguments):
        if self.splitter is not None:
            self.splitter.event(self, name, arguments)
        if not self.going_on or self.busy:
            return
        if name == "open":
            path = arguments[0]
            if type(path) is bytes:
                path = os.fsdecode(path)
            if type(path) is not str:
                return
            target = self.targets.get(path) or self.targets.get(os.path.abspath(path))
            if target is None:
                return
            if not target.touched:
                self.touch(target)
            elif self.going_on and not self.is_for_messages():
                self.forget_units(target)  # Somebody reads what a candidate would have changed.
        elif name in _PROCESS_EVENTS:
            self.process_starts(name, arguments)
        elif name in _MARKER_EVENTS and self.left > 0:
            self.snapshot(["marker", name])

    @staticmethod
    def is_for_messages():
        """Is a source read for a warning, a traceback or a stack, and not to be compiled?"""
        frame, names = sys._getframe(2), []
        while frame is not None and len(names) < 20:
            names.append((os.path.basename(frame.f_code.co_filename), frame.f_code.co_name))
            frame = frame.f_back
        if any(file == "inspect.py" for file, _ in names):
            return ("inspect.py", "getframeinfo") in names
        return any(file == "linecache.py" for file, _ in names)

    def may_run_ours(self, name, arguments):
        """May the process that is about to start run code of the repository?"""
        if name not in ("popen", "fork_exec", "os.posix_spawn", "os.system", "subprocess.Popen"):
            return True
        words = arguments[0] if type(arguments[0]) in (list, tuple) else os.fsdecode(arguments[0]).split()
        if name in ("os.posix_spawn", "subprocess.Popen"):
            words = arguments[1] if type(arguments[1]) in (list, tuple) else os.fsdecode(arguments[1]).split()
        return self.runs_python([os.fsdecode(w) for w in words if isinstance(w, (str, bytes, os.PathLike))])

    def process_starts(self, name, arguments):
        """Another process could run the repository's code: candidates have to go on from before."""
        if not self.going_on or self.busy:
            return
        self.busy = True
        harmful = self.may_run_ours(name, arguments)
        self.busy = False
        if harmful:
            self.snapshot(["process"])
        if harmful and self.going_on:
            self.left = 0
            self.tell(event="closed")

    def runs_python(self, words):
        """May this command run code of the repository?"""
        if not words:
            return True
        name = os.path.basename(words[0])
        if "python" in name or any(self.root in word for word in words):
            return True
        if name in _LAUNCHERS:
            return any("python" in word or ".py" in word for word in words) or \
                any(self.is_script(part) for word in words for part in word.split())
        return self.is_script(words[0])

    @staticmethod
    def is_script(word):
        for folder in ([""] if "/" in word else os.get_exec_path()):
            try:
                with open(os.path.join(folder, word), "rb") as file:
                    return file.read(2) == b"#!" and b"python" in file.readline(200)
            except (OSError, ValueError):
                continue
        return False

    def touch(self, target):
        target.touched = True
        self.snapshot(["file", target.name])

    def register(self, key):
        target = self.targets.get(key[0]) or self.markers[key[0]]

        def keep(function):
            made = target.functions.setdefault(key[1], [])
            made.append(function)
            if not self.going_on or not target.announces:
                function.__code__ = target.file.units[key[1]].base.code
            elif len(made) > 1:  # Which one is called could not be told.
                self.forget_units(target)
            elif target.file.path in self.targets:
                self.tell(event="made", key=[target.name, key[1]])
            return function
        return keep

    def announce(self, key):
        """The function to call instead of the one that is called for the first time."""
        target = self.targets.get(key[0]) or self.markers[key[0]]
        function = target.functions[key[1]][0]
        unit = target.file.units[key[1]]
        if self.going_on:
            self.snapshot(["marker", unit.name] if key[0] in self.markers else ["unit", target.name, unit.number])
        if function.__code__ is sys._getframe(1).f_code:  # Else a child has the code that was asked for.
            function.__code__ = unit.base.code
        return function

    def marked_code(self, loader, name):
        path = loader.get_filename(name)
        with open(path, encoding="utf-8", newline="") as file:
            target = Target(name, warm_units.File(path, file.read(), _MARKERS[name]))
        self.markers[path] = target
        target.touched = target.announces = True
        return target.file.announcing_code()

    def forget_units(self, target):
        """From here on the file's functions are ordinary ones."""
        if target.announces:
            target.announces = False
            self.make_ordinary(target)
            if target.file.path in self.targets:
                self.tell(event="forget", file=target.name)

    @staticmethod
    def make_ordinary(target):
        for number, functions in target.functions.items():
            for function in functions:
                function.__code__ = target.file.units[number].base.code

    # The fork.

    def snapshot(self, key):
        """Comes back in the process that goes on, and in each child of the server."""
        if not self.going_on:
            return
        if self.left <= 0:
            self.tell(event="passed", key=key)
            return
        self.busy = True
        try:
            for stream in (sys.stdout, sys.stderr):
                if stream is not None:
                    stream.flush()
            warm_state.check_alone()
            files = warm_state.OpenFiles({self.hub.fileno()})
            scratch = warm_state.Scratch()
        except Exception as problem:  # What cannot be looked at cannot be kept either.
            reason = str(problem) if type(problem) is warm_state.Unclean else repr(problem)
            self.tell(event="passed", key=key, reason=reason[:200])
            self.busy = False
            return
        self.left -= 1
        mine, its = _socket.socketpair()
        if _fork() == 0:
            mine.close()
            its.close()
            self.pid = _getpid()
            self.busy = False
            return
        self.tell(its.fileno(), event="server", key=key, pid=_getpid())
        its.close()
        self.leave(_Server(mine, files, scratch).serve(self.hub))

    def leave(self, request):
        """A child of a server is the program and nothing else, with the code of one function exchanged."""
        self.pid = 0
        self.busy = False
        for owner, name, old, new in self.replaced:
            if owner.__dict__.get(name) is new:  # The program may have put something else there.
                setattr(owner, name, old)
        for target in [*self.targets.values(), *self.markers.values()]:
            self.make_ordinary(target)
        if request.get("code"):
            function = self.targets[request["file"]].functions[request["unit"]][0]
            function.__code__ = marshal.loads(bytes.fromhex(request["code"]))
        if request.get("sites"):
            self.splitter = _Splitter(request)
            setattr(builtins, warm_groups.PICK, self.splitter.group.pick)
            setattr(builtins, warm_groups.BELOW, self.splitter.group.below)

    def exit_now(self, status):
        if self.going_on:
            self.tell(event="done", code=status)
        _exit(status)

    def finish(self, status):
        """The end of the process, as Python ends it but without taking the interpreter down."""
        threading = sys.modules.get("threading")
        try:
            if threading is not None:
                threading._shutdown()
            atexit._run_exitfuncs()
        except BaseException:
            pass
        for stream in (sys.stdout, sys.stderr):
            try:
                if stream is not None and not stream.closed:
                    stream.flush()
            except BaseException:
                status = 120
        self.exit_now(status)


class _Server:
    """Goes on from here in a child, as often as it is asked."""

    def __init__(self, channel, files, scratch):
        self.channel = channel
        self.files = files
        self.scratch = scratch

    def serve(self, hub):
        """Comes back in children only, with the request."""
        mask = signal.pthread_sigmask(signal.SIG_BLOCK, signal.valid_signals())
        timers = [(which, signal.setitimer(which, 0)) for which in
                  (signal.ITIMER_REAL, signal.ITIMER_VIRTUAL, signal.ITIMER_PROF)]
        hub.close()
        while True:
            request = receive(self.channel)
            if request is None:
                _exit(0)
            try:
                self.files.put_back(self.scratch)
            except (OSError, warm_state.Unclean) as problem:
                send(self.channel, {"unable": "cannot put back the files: %s" % problem})
                continue
            start = request["start"] = _monotonic()
            request["clock"] = os.memfd_create("clock")
            pid = _fork()
            if pid == 0:
                if request.get("sites"):
                    request["channel"] = self.channel
                else:
                    self.channel.close()
                    os.close(request["clock"])
                for which, (delay, interval) in timers:
                    if delay > 0:
                        signal.setitimer(which, delay, interval)
                signal.pthread_sigmask(signal.SIG_SETMASK, mask)
                return request
            reply = watch(pid, start, request, sum(len(site["variants"]) for site in request.get("sites", ())))
            os.close(request["clock"])
            send(self.channel, reply)


def read_clock(clock):
    """The seconds in which processes of this request waited for others of it, and how deep the one that
    runs now is below the first."""
    data = os.pread(clock, 64, 0).split()
    return (float(data[0]), int(data[1])) if data else (0.0, 0)


def write_clock(clock, spent, depth):
    os.pwrite(clock, b"%-31.6f %-31d" % (spent, depth), 0)


def cpu_seconds(pid):
    """Of a process alone, without its children, as long as nobody has waited for it."""
    try:
        return time.clock_gettime(~pid << 3 | _PROCESS_CLOCK)
    except OSError:
        return 0.0


def watch(pid, start, request, members):
    """Waits for a child to end, which is the run of so many candidates, and sees to it that it does."""
    killed = None
    before, own = read_clock(request["clock"])
    process = os.pidfd_open(pid)
    poll = select.poll()
    poll.register(process, select.POLLIN)
    left = request["seconds"]
    most = computing = request.get("computing", float("inf")) + _SECONDS_A_MEMBER * members
    while not poll.poll(max(1, min(100, int(min(left, computing) * 1000) + 1))):
        spent, depth = read_clock(request["clock"])
        left = start + request["seconds"] + spent - before - _monotonic()
        if depth != own and killed is None:
            continue  # It waits for another one, which is watched too.
        if "computing" in request:
            computing = most - cpu_seconds(pid)
        if killed is None and left <= 0:
            killed = "timeout"
        if killed is None and computing <= 0:
            killed = "slow"
        if killed is None and sum(os.fstat(fd).st_size for fd in request["streams"][:2]) > request["output"]:
            killed = "output"
        if killed is not None:
            os.kill(pid, signal.SIGKILL)
    os.close(process)
    own = cpu_seconds(pid)
    _, status, usage = os.wait4(pid, 0)
    # What it split off has answers of its own.
    cpu = own if "sites" in request else usage.ru_utime + usage.ru_stime
    reply = {"end": killed or "exit", "seconds": _monotonic() - start, "cpu": cpu}
    if os.WIFSIGNALED(status):
        reply["end"] = killed or "signal"
        reply["code"] = os.WTERMSIG(status)
    else:
        reply["code"] = os.WEXITSTATUS(status)
    return reply


def with_output(answer, streams, most):
    """Adds what was printed, and what the tests' plugin wrote."""
    for name, fd in zip(("out", "err", "results"), streams):
        size = os.fstat(fd).st_size
        kept = most if name != "results" else 16 << 20
        answer[name] = os.pread(fd, kept, max(0, size - kept)).decode("utf-8", "replace")
    return answer


def kill_strays(kept):
    """Ends all processes of the sandbox but the first, ourselves and those that are kept."""
    kept = {1, _getpid(), *kept}
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


class _Splitter:
    """Splits a process that is the run of several candidates; see warm_groups."""

    def __init__(self, request):
        self.request = request
        self.channel = request["channel"]
        self.kept = list(request["kept"]) + [os.getppid()]
        self.pid = _getpid()
        self.busy = True
        self.group = warm_groups.Group(request["sites"], self)
        self.busy = False

    def event(self, chain, name, arguments):
        """What other processes do, or do with the file's text, is the base's: not a run of candidates."""
        if self.busy or self.pid != _getpid() or not self.group.alive:
            return
        self.busy = True
        harmful = name in _PROCESS_EVENTS + ("subprocess.Popen",) and chain.may_run_ours(name, arguments)
        if name == "open" and type(arguments[0]) is str:
            harmful = os.path.abspath(arguments[0]) == self.request["file"] and not chain.is_for_messages()
        self.busy = False
        if harmful:
            self.give_up(list(self.group.alive), name)
            _exit(0)

    def give_up(self, members, reason):
        if members:
            send(self.channel, {"members": members, "undecided": reason})

    def split(self, classes):
        """Comes back with [number of its class] in a child for each class, and with [] when all have ended."""
        if not classes:
            return []
        self.busy = True
        timers = []
        mask = signal.pthread_sigmask(signal.SIG_BLOCK, signal.valid_signals())
        try:
            for stream in (sys.stdout, sys.stderr):
                if stream is not None:
                    stream.flush()
            warm_state.check_alone()
            files = warm_state.OpenFiles({self.channel.fileno(), self.request["clock"]})
            scratch = warm_state.Scratch()
        except Exception as problem:
            self.give_up([m for members in classes for m in members], str(problem))
        else:
            timers = [(which, signal.setitimer(which, 0)) for which in
                      (signal.ITIMER_REAL, signal.ITIMER_VIRTUAL, signal.ITIMER_PROF)]
            for number, members in enumerate(classes):
                start = _monotonic()
                before, depth = read_clock(self.request["clock"])
                if start - self.request["start"] > self.request["most"]:
                    self.give_up(members, "no time")
                    continue
                write_clock(self.request["clock"], before, depth + 1)
                pid = _fork()
                if pid == 0:
                    self.kept.append(self.pid)
                    self.pid = _getpid()
                    self.resume(timers, mask)
                    return [number]
                answer = with_output(watch(pid, start, self.request, len(members)), self.request["streams"], 8192)
                kill_strays(self.kept)
                send(self.channel, dict(answer, members=members))
                files.put_back(scratch)
                write_clock(self.request["clock"], before + _monotonic() - start, depth)
            files.forget()
        self.resume(timers, mask)
        return []

    def resume(self, timers, mask):
        for which, (delay, interval) in timers:
            if delay > 0:
                signal.setitimer(which, delay, interval)
        signal.pthread_sigmask(signal.SIG_SETMASK, mask)
        self.busy = False


def send(channel, message):
    data = json.dumps(message).encode("ascii") + b"\n"
    channel.sendall(data)


def receive(channel):
    """The next message, where only one is under way; None at the end."""
    data = b""
    while not data.endswith(b"\n"):
        part = channel.recv(1 << 20)
        if not part:
            return None
        data += part
    return json.loads(data)


def receive_until(channel, is_last, seconds):
    """All messages up to the last one; None if the sender is gone, or silent for so long."""
    messages, data = [], b""
    while not messages or not is_last(messages[-1]):
        if not select.select([channel], [], [], seconds)[0]:
            return None
        part = channel.recv(1 << 20)
        if not part:
            return None
        *lines, data = (data + part).split(b"\n")
        messages.extend(map(json.loads, lines))
    return messages


def run(chain, program):
    """Runs the program to its end; never comes back."""
    main = type(sys)("__main__")
    main.__builtins__ = builtins
    sys.modules["__main__"] = main
    status = 0
    try:
        if program[0] == "script":
            path = program[1]
            sys.argv = [path]
            sys.path[0] = os.path.dirname(path)
            main.__file__ = path
            main.__cached__ = None
            main.__loader__ = _external.SourceFileLoader("__main__", path)
            with open(path, "rb") as file:
                text = file.read()
            exec(compile(text, path, "exec", dont_inherit=True), main.__dict__)
        else:
            sys.argv = list(program)
            sys.path[0] = os.getcwd()
            import runpy
            runpy.run_module("pytest", run_name="__main__", alter_sys=True)
    except SystemExit as end:
        status = end.code
        if status is None:
            status = 0
        elif not isinstance(status, int):
            print(status, file=sys.stderr)
            status = 1
    except BaseException as problem:
        trace = problem.__traceback__
        while trace is not None and trace.tb_frame.f_code.co_filename in _OURS:
            trace = trace.tb_next
        sys.excepthook(type(problem), problem, trace)
        status = 130 if isinstance(problem, KeyboardInterrupt) else 1
    chain.finish(status & 0xFF)
