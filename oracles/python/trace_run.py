"""Records what a failing run does in the repository's code, as JSON.

Put on PYTHONPATH as `sitecustomize.py`, so that the traced run is the same command as the cold one
and child processes are traced too. Reads TENLINE_TRACE_ROOT (the worktree), TENLINE_TRACE_OUT (a
writable folder), TENLINE_TRACE_ENTRY (test files that count as the reproduction) and
TENLINE_TRACE_SECONDS (a run that goes on for longer may have to be killed: where its main thread is
then, is kept like an exception there, until it does end). Only frames of
files below the root get a local trace function; everything else costs one lookup per call. Nothing of
the repository is called while values are described. What is kept is bounded. One file, although it
is long: Python loads it alone, before anything else.
"""
import atexit
import collections
import itertools
import json
import opcode
import os
import sys
import _thread
import threading
import time

MAX_FUNCTIONS = 20000
MAX_LINES = 4000
MAX_EXCEPTIONS = 200
MAX_FRAMES = 40
MAX_VALUES = 80
MAX_MESSAGE = 2000
LINES_OFF_AFTER = 50000  # Line events of one function; its calls and exceptions are still seen.
VALUES_OFF_AFTER = 50  # Exceptions at one place; later ones come without values.
FLUSH_SECONDS = 3.0

_CO_OPTIMIZED = 1
_RETURNS = {opcode.opmap[n] for n in ("RETURN_VALUE", "RETURN_CONST", "YIELD_VALUE", "RETURN_GENERATOR")
            if n in opcode.opmap}
_UNNAMED = ("<listcomp>", "<dictcomp>", "<setcomp>", "<genexpr>", "<lambda>")
_CONTROL = (StopIteration, StopAsyncIteration, GeneratorExit)
_OUR_ERRORS = (RecursionError, ArithmeticError, LookupError, AttributeError, TypeError, ValueError)
_type_name = type.__dict__["__name__"].__get__
_type_mro = type.__dict__["__mro__"].__get__
_type_dict = type.__dict__["__dict__"].__get__
_getset = type(type.__dict__["__dict__"])
_slot_wrapper = type(object.__str__)
_function = type(lambda: None)
_open, _write, _close, _rename, _exit, _getpid = os.open, os.write, os.close, os.rename, os._exit, os.getpid
_realpath = os.path.realpath
_monotonic = time.monotonic
_dumps = json.dumps
_sys_exit = sys.exit
_exc_info = sys.exc_info


class _Function:
    __slots__ = ("code", "file", "name", "first_line", "depth", "calls", "last_event", "lines", "events", "local")


class _Exception:
    __slots__ = ("kind", "type", "message", "frames", "count", "escaped")


class _Tracer:
    def __init__(self, root, out, entry):
        self.roots = tuple({root.rstrip("/") + "/", _realpath(root).rstrip("/") + "/"})
        self.real_root = _realpath(root).rstrip("/") + "/"
        self.out = out
        self.entry = entry
        self.name = "trace-main.json"
        self.files = {}
        self.functions = {}
        self.active = {}  # id(frame) -> depth, while it runs.
        self.raised = {}  # id(frame) -> the exception that it saw last.
        self.open = {}  # id(exception) -> _Exception, while it may still travel.
        self.exceptions = collections.deque(maxlen=MAX_EXCEPTIONS)
        self.sites = collections.Counter()
        self.clock = itertools.count(1)
        self.next_flush = _monotonic() + FLUSH_SECONDS
        self.calls = 0
        self.hang = None
        self.main_thread = _thread.get_ident()

    # Events.

    def call(self, frame, event, arg):
        try:
            code = frame.f_code
            name = code.co_filename
            file = self.files[name] if name in self.files else self.place(name)
            if file is None or event != "call":
                return None
            return self.enter(frame, code, file)
        except _OUR_ERRORS:
            return None

    def enter(self, frame, code, file):
        record = self.functions.get(id(code))
        if record is None:
            if len(self.functions) >= 4 * MAX_FUNCTIONS:
                return None
            record = self.functions[id(code)] = self.describe(frame, code, file)
        depth = self.depth_of_caller(frame)
        if file not in self.entry:
            depth += 1
        self.active[id(frame)] = depth
        if depth < record.depth or not record.calls:
            record.depth = depth
        record.calls += 1
        record.last_event = next(self.clock)
        if record.events > LINES_OFF_AFTER:
            frame.f_trace_lines = False
        self.calls += 1
        if not self.calls % 512 and _monotonic() > self.next_flush:
            self.flush()
        return record.local

    def depth_of_caller(self, frame):
        back = frame.f_back
        while back is not None:
            depth = self.active.get(id(back))
            if depth is not None and self.files.get(back.f_code.co_filename) is not None:
                return depth
            back = back.f_back
        return 0

    def local_of(self, record):
        lines = record.lines
        clock = self.clock

        def local(frame, event, arg):
            if event == "line":
                lines.add(frame.f_lineno)
                record.last_event = next(clock)
                record.events += 1
                if record.events > LINES_OFF_AFTER:
                    frame.f_trace_lines = False
                return local
            try:
                if event == "exception":
                    self.exception(frame, record, arg)
                elif event == "return":
                    self.leave(frame)
            except _OUR_ERRORS:
                pass
            return local

        return local

    def exception(self, frame, record, arg):
        kind, value, tb = arg
        if issubclass(kind, _CONTROL):
            return
        record.lines.add(frame.f_lineno)
        record.last_event = next(self.clock)
        self.raised[id(frame)] = self.note(kind, value, tb)

    def leave(self, frame):
        self.active.pop(id(frame), None)
        seen = self.raised.pop(id(frame), None)
        if seen is None or frame.f_code.co_code[frame.f_lasti] in _RETURNS:
            return
        back = frame.f_back
        if back is None or self.files.get(back.f_code.co_filename) is None:
            seen.escaped = True  # Until it is seen in another frame of the repository.

    def note(self, kind, value, tb):
        """The record of an exception; its frames follow the traceback as it travels outwards."""
        inside = []
        while tb is not None and len(inside) < 5000:
            name = tb.tb_frame.f_code.co_filename
            if (self.files[name] if name in self.files else self.place(name)) is not None:
                inside.append(tb)
            tb = tb.tb_next
        seen = self.open.get(id(value))
        if seen is not None and seen.kind is kind and seen.count in (len(inside) - 1, len(inside)):
            new = inside[:len(inside) - seen.count]
            seen.escaped = False
        else:
            seen = _Exception()
            seen.kind, seen.type, seen.escaped = kind, _qualified_type(kind), False
            seen.message, seen.frames, seen.count = self.message(kind, value), [], 0
            if len(self.open) > 1000:
                self.open.clear()
            self.open[id(value)] = seen
            self.exceptions.append(seen)
            new = inside
        for part in reversed(new):
            if len(seen.frames) == MAX_FRAMES:
                seen.frames.pop()  # Of a deep recursion, the inner frames and the outermost one.
            seen.frames.append(self.frame(part.tb_frame, part.tb_lineno, kind))
        seen.count = len(inside)
        return seen

    def note_handled(self, value):
        """The exception that ends the check: it comes last, however the run got here."""
        if value is None or isinstance(value, SystemExit):
            return
        seen = self.open.get(id(value))
        if seen is None or seen.kind is not type(value):
            seen = self.note(type(value), value, value.__traceback__)
        if seen in self.exceptions:
            self.exceptions.remove(seen)
        if seen.frames:
            seen.escaped = True
            self.exceptions.append(seen)

    def watch(self, seconds):
        """On a thread of its own: notes where the main thread is when the time is over."""
        time.sleep(seconds)
        hang = _Exception()
        hang.type, hang.message, hang.escaped, hang.frames = "TimeoutError", "the check does not end", True, []
        frame = sys._current_frames().get(self.main_thread)
        while frame is not None:
            if self.place(frame.f_code.co_filename) is not None:
                if len(hang.frames) == MAX_FRAMES:
                    hang.frames.pop()
                hang.frames.append(self.frame(frame, frame.f_lineno, None))
            frame = frame.f_back
        self.hang = hang
        self.flush()

    # Descriptions.

    def place(self, name):
        """The path in the repository of a file name of a code object, or None."""
        file = None
        if name.startswith(self.roots):
            real = _realpath(name)
            if real.startswith(self.real_root) and len(real) < 4096:
                file = real[len(self.real_root):]
        if len(self.files) < 200000:
            self.files[name] = file
        return file

    def describe(self, frame, code, file):
        record = _Function()
        record.code, record.file = code, file  # The code is kept, so that its id stays its own.
        record.name = _qualified_name(frame, code)
        record.first_line = max(1, code.co_firstlineno)
        record.depth = record.calls = record.last_event = record.events = 0
        record.lines = set()
        record.local = self.local_of(record)
        return record

    def frame(self, frame, line, kind):
        values = {}
        site = (frame.f_code.co_filename, line, kind)
        if len(self.sites) < 20000 or site in self.sites:
            self.sites[site] += 1
        if self.sites[site] <= VALUES_OFF_AFTER and frame.f_code.co_flags & _CO_OPTIMIZED:
            values = _values(frame.f_locals)
        return {"file": self.files.get(frame.f_code.co_filename), "line": line or 0,
                "function": _named_part(_qualified_name(frame, frame.f_code)), "values": values}

    def message(self, kind, value):
        try:
            for base in _type_mro(kind):
                text = _type_dict(base).get("__str__")
                if type(text) is _function and self.place(text.__code__.co_filename) is not None:
                    continue  # Never the repository's own.
                if text is not None and text is not object.__str__:
                    return str(text(value))[:MAX_MESSAGE]
        except Exception:
            pass
        return ""

    # Output.

    def document(self):
        functions = {}
        by_place = sorted(list(self.functions.values()), key=lambda r: (r.code.co_name in _UNNAMED, r.first_line))
        for record in by_place:
            key = self.key_of(record, functions)
            kept = functions.get(key)
            if kept is None:
                kept = functions[key] = {"file": key[0], "name": key[1], "first_line": key[2], "depth": record.depth,
                                         "calls": 0, "last_event": 0, "lines": set()}
            if record.name == kept["name"]:
                kept["calls"] += record.calls
            kept["depth"] = min(kept["depth"], record.depth)
            kept["last_event"] = max(kept["last_event"], record.last_event)
            kept["lines"].update(list(record.lines))
        kept = sorted(functions.values(), key=lambda f: -f["last_event"])[:MAX_FUNCTIONS]
        for function in kept:
            function["lines"] = sorted(line for line in function["lines"] if line > 0)[:MAX_LINES]
        exceptions = [{"type": e.type, "message": e.message, "escaped": e.escaped, "frames": e.frames[::-1]}
                      for e in list(self.exceptions) + [self.hang] * (self.hang is not None)]
        return {"functions": kept, "exceptions": exceptions, "files": self.imported()}

    @staticmethod
    def key_of(record, functions):
        """Class bodies belong to the module; comprehensions and lambdas to the function around them."""
        if not record.code.co_flags & _CO_OPTIMIZED:
            return (record.file, "<module>", 1)
        name = record.name
        if record.code.co_name in _UNNAMED:
            around = _named_part(name)
            places = [k for k in functions if k[0] == record.file and k[1] == around and k[2] <= record.first_line]
            if places:
                return max(places)
        return (record.file, name, record.first_line)

    def imported(self):
        files = {record.file for record in list(self.functions.values())}
        for module in list(sys.modules.values()):
            if type(module) is type(sys):
                name = module.__dict__.get("__file__")
                if type(name) is str and name.endswith(".py"):
                    files.add(self.place(name))
        files.discard(None)
        return sorted(files)[:MAX_FUNCTIONS]

    def flush(self):
        trace = sys.gettrace()
        sys.settrace(None)
        try:
            text = _dumps(self.document()).encode("ascii", "replace")
            path = self.out + "/" + self.name
            file = _open(path + ".new", os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o644)
            while text:
                text = text[_write(file, text):]
            _close(file)
            _rename(path + ".new", path)
        except (Exception, RecursionError):
            pass
        finally:
            self.next_flush = _monotonic() + FLUSH_SECONDS
            sys.settrace(trace)

    def end(self):
        self.hang = None
        self.flush()

    def in_child(self):
        self.name = "trace-%d.json" % _getpid()
        self.functions.clear()
        self.exceptions.clear()
        self.open.clear()

    # Ends of a process.

    def exit(self, status=None):
        self.note_handled(_exc_info()[1])
        _sys_exit(status)

    def exit_now(self, status):
        self.note_handled(_exc_info()[1])
        self.end()
        _exit(status)

    def excepthook(self, kind, value, tb):
        self.note_handled(value)
        sys.__excepthook__(kind, value, tb)


def _qualified_type(kind):
    name = _type_name(kind)
    module = _type_dict(kind).get("__module__")
    if type(module) is str and module not in ("builtins", "__main__"):
        name = module + "." + name
    return name[:300]


def _qualified_name(frame, code):
    if not code.co_flags & _CO_OPTIMIZED:
        return "<module>"
    name = getattr(code, "co_qualname", None)  # Since Python 3.11.
    if name is None:
        name = code.co_name
        first = frame.f_locals.get(code.co_varnames[0]) if code.co_argcount else None
        owner = first if issubclass(type(first), type) else type(first)
        for base in _type_mro(owner):
            member = _type_dict(base).get(name)
            member = getattr(member, "__func__", member) if type(member) in (classmethod, staticmethod) else member
            if type(member) is _function and member.__code__ is code:
                name = _type_name(base) + "." + name
                break
    return name[:500]


def _named_part(name):
    """The function around comprehensions and lambdas."""
    while name.rpartition(".")[2] in _UNNAMED or name.endswith("<locals>"):
        name = name.rpartition(".")[0]
    return name or "<module>"


def _attributes(value):
    """The instance's own dict, without running a `__dict__` of its class."""
    for base in _type_mro(type(value)):
        member = _type_dict(base).get("__dict__")
        if member is not None:
            own = member.__get__(value) if type(member) is _getset else None
            return own if type(own) is dict else {}
    return {}


def _values(variables):
    values = {}
    for name, value in list(variables.items()):
        if len(values) >= MAX_VALUES:
            return values
        if type(name) is str and not name.startswith("__") and len(name) < 200:
            values[name] = _value(value)
    if "self" in variables:
        attributes = _attributes(variables["self"])
        inner = [attributes.get(k) for k in ("_parameters", "_buffers", "_modules")]
        for group in [attributes] + [d for d in inner if type(d) in (dict, collections.OrderedDict)]:
            for name, value in list(group.items()):
                if len(values) >= 2 * MAX_VALUES:
                    return values
                if type(name) is str and len(name) < 200:
                    values["self." + name] = _value(value)
    return values


def _value(value):
    kind = type(value)
    described = {"type": _type_name(kind)[:200]}
    for base in (list, tuple, dict, set, frozenset, str, bytes, bytearray):
        if issubclass(kind, base):
            described["length"] = base.__len__(value)
    if kind is str:
        described["repr"] = repr(value[:80])
    elif kind is int:
        described["repr"] = repr(value) if value.bit_length() <= 256 else ""
    elif value is None or kind in (bool, float):
        described["repr"] = repr(value)
    return described


def _start():
    here = os.path.dirname(os.path.abspath(__file__))
    sys.path[:] = [p for p in sys.path if p != here]
    sys.modules.pop("sitecustomize", None)
    try:
        import sitecustomize  # noqa: F401  The environment's own one.
    except ImportError:
        pass
    root, out = os.environ.get("TENLINE_TRACE_ROOT"), os.environ.get("TENLINE_TRACE_OUT")
    if not root or not out:
        return
    entry = {p for p in os.environ.get("TENLINE_TRACE_ENTRY", "").split(":") if p}
    tracer = _Tracer(root, out, entry)
    if os.environ.get("TENLINE_TRACE_CHILD"):
        tracer.in_child()
    os.environ["TENLINE_TRACE_CHILD"] = "1"
    os.register_at_fork(after_in_child=tracer.in_child)
    atexit.register(tracer.end)
    sys.exit, os._exit, sys.excepthook = tracer.exit, tracer.exit_now, tracer.excepthook
    sys.tenline_note = tracer.note_handled  # For the pytest plugin, which sees what pytest caught.
    seconds = float(os.environ.get("TENLINE_TRACE_SECONDS") or 0)
    if seconds > 0:
        _thread.start_new_thread(tracer.watch, (seconds,))
    threading.settrace(tracer.call)
    sys.settrace(tracer.call)


_start()
