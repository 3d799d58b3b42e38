"""Functions of a file that can be exchanged in a running program.

A unit is a function at module level or a method of a class there, with all that is nested in it. The
program gets a file whose units announce their first call; then a unit's code can be replaced by that of
another text of the file, as long as nothing but the unit's own code differs.
"""
import ast

FUTURE_FLAGS = 0x1FF0000  # Those of `from __future__ import`, in a code object.
ANNOUNCE = "__tenline_announce__"
REGISTER = "__tenline_register__"
_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
_CODE = type((lambda: None).__code__)


class Unit:
    def __init__(self, name, node, classes, number):
        self.name = name
        self.node = node
        self.classes = classes  # Of the classes around it, outermost first.
        self.number = number
        self.first = min([node.lineno] + [d.lineno for d in node.decorator_list])
        self.last = node.end_lineno
        self.base = None  # Its Segment.


class Segment:
    """A unit's text by itself, in classes of the same names."""

    def __init__(self, unit, lines, file):
        text = "".join("%sclass %s:\n" % (" " * i, name) for i, (name, _) in enumerate(unit.classes))
        text += "".join(lines)
        self.classes = len(unit.classes)
        self.file = file
        self.tree = ast.parse(text)
        ast.increment_lineno(self.tree, unit.first - 1 - self.classes)
        body = self.tree.body
        for _ in unit.classes:
            body = self.only(body).body
        self.function = self.only(body)
        if type(self.function) not in _FUNCTIONS or self.function.name != unit.node.name:
            raise ValueError("another function")
        self.compile()

    def compile(self):
        module = code = compile(self.tree, self.file.path, "exec", self.file.flags, True)
        for _ in range(self.classes):
            code = self.only([c for c in code.co_consts if type(c) is _CODE])
        name = self.function.name
        self.code = self.only([c for c in code.co_consts if type(c) is _CODE and c.co_name == name])
        self.around = _without(module, self.code)

    @staticmethod
    def only(items):
        if len(items) != 1:
            raise ValueError("not one function")
        return items[0]


def _without(code, hole=None):
    """A code object as a value that tells what it does, without its place; `hole` is left out."""
    if code is hole:
        return "hole"
    inner = tuple(_without(c, hole) if type(c) is _CODE else _constant(c) for c in code.co_consts)
    return (code.co_code, inner, code.co_names, code.co_varnames, code.co_freevars, code.co_cellvars,
            code.co_flags, code.co_argcount, code.co_posonlyargcount, code.co_kwonlyargcount, code.co_name,
            getattr(code, "co_exceptiontable", b""))


def _constant(value):
    if type(value) in (tuple, frozenset):
        return (type(value), tuple(sorted(map(repr, value))) if type(value) is frozenset
                else tuple(map(_constant, value)))
    return (type(value), repr(value))  # 0.0 is not -0.0, 1 is not True.


def _docstring(code):
    first = code.co_consts[0] if code.co_consts else None
    return first if type(first) is str else None


def behaviour(code):
    return repr(_without(code))


class File:
    """The base text of a file, and those of its functions whose names are given."""

    def __init__(self, path, text, names):
        self.path = path
        self.text = text
        self.lines = text.splitlines(True)
        self.units = []
        if any("\f" in line or "\v" in line for line in self.lines):
            return  # splitlines and Python count lines differently.
        self.tree = ast.parse(text)
        self.flags = compile(text, path, "exec", dont_inherit=True).co_flags & FUTURE_FLAGS
        wanted = set(names)
        self.find(self.tree.body, [], wanted)

    def find(self, body, classes, wanted):
        for node in body:
            if type(node) in _FUNCTIONS:
                name = ".".join([c for c, _ in classes] + [node.name])
                if name in wanted or any(w.startswith(name + ".") for w in wanted):
                    self.add(name, node, list(classes))
            elif type(node) is ast.ClassDef:
                self.find(node.body, classes + [(node.name, node.col_offset)], wanted)
            elif type(node) in (ast.If, ast.Try):
                inner = node.body + node.orelse + getattr(node, "finalbody", [])
                for handler in getattr(node, "handlers", []):
                    inner = inner + handler.body
                self.find(inner, classes, wanted)

    def add(self, name, node, classes):
        unit = Unit(name, node, classes, len(self.units))
        indent = len(self.lines[unit.first - 1]) - len(self.lines[unit.first - 1].lstrip())
        if (indent > 0) != bool(classes) or indent < len(classes) or "\t" in self.lines[unit.first - 1][:indent]:
            return  # In a block of the module, where its text does not stand by itself.
        try:
            unit.base = self.base_segment(unit)
        except (SyntaxError, ValueError):
            return
        if unit.base.code.co_flags & 0x200:  # An asynchronous generator cannot be delegated to.
            return
        self.units.append(unit)

    def announcing_code(self):
        """The module's code, in which the units announce their first call."""
        tree = ast.parse(self.text)
        places = {(u.node.lineno, u.node.col_offset): u for u in self.units}
        for node in ast.walk(tree):
            unit = places.get((getattr(node, "lineno", 0), getattr(node, "col_offset", 0)))
            if unit is not None and type(node) in _FUNCTIONS:
                self.instrument(node, unit)
        return compile(tree, self.path, "exec", dont_inherit=True)

    def instrument(self, node, unit):
        def at(new):
            for inner in ast.walk(new):
                inner.lineno = inner.end_lineno = node.lineno
                inner.col_offset = inner.end_col_offset = node.col_offset
            return new

        def call(name, *arguments, keywords=()):
            function = ast.Name(name, ast.Load()) if type(name) is str else name
            return ast.Call(function, list(arguments), list(keywords))

        key = ast.Constant((self.path, unit.number))
        arguments = node.args
        given = [ast.Name(a.arg, ast.Load()) for a in getattr(arguments, "posonlyargs", []) + arguments.args]
        if arguments.vararg:
            given.append(ast.Starred(ast.Name(arguments.vararg.arg, ast.Load()), ast.Load()))
        keywords = [ast.keyword(a.arg, ast.Name(a.arg, ast.Load())) for a in arguments.kwonlyargs]
        if arguments.kwarg:
            keywords.append(ast.keyword(None, ast.Name(arguments.kwarg.arg, ast.Load())))
        value = call(call(ANNOUNCE, key), *given, keywords=keywords)
        if type(node) is ast.AsyncFunctionDef:
            value = ast.Await(value)
        elif unit.base.code.co_flags & 0x20:
            value = ast.YieldFrom(value)
        has_docstring = ast.get_docstring(node, clean=False) is not None
        # What follows is never reached; it keeps the variables that the real code has.
        node.body.insert(1 if has_docstring else 0, at(ast.Return(value)))
        node.decorator_list.append(at(call(REGISTER, key)))

    def base_segment(self, unit):
        return Segment(unit, self.lines[unit.first - 1:unit.last], self)

    def exchange(self, text):
        """The unit that alone differs in `text`, and what it is there; None where there is no such unit."""
        lines = text.splitlines(True)
        added = len(lines) - len(self.lines)
        for unit in self.units:
            head, rest = self.lines[:unit.first - 1], self.lines[unit.last:]
            if lines[:len(head)] != head or (rest and lines[-len(rest):] != rest) or \
                    unit.last + added < unit.first:
                continue
            try:
                segment = Segment(unit, lines[len(head):unit.last + added], self)
            except (SyntaxError, ValueError):
                return None
            return (unit, segment) if self.fits(segment, unit.base) else None
        return None

    @staticmethod
    def fits(segment, base_segment):
        """Is all the same but the function's code, and what was taken from it when the function was made?"""
        code, base = segment.code, base_segment.code
        named = ("co_freevars", "co_argcount", "co_posonlyargcount", "co_kwonlyargcount", "co_flags")
        count = base.co_argcount + base.co_kwonlyargcount + bool(base.co_flags & 4) + bool(base.co_flags & 8)
        return segment.around == base_segment.around and \
            all(getattr(code, n) == getattr(base, n) for n in named) and \
            code.co_varnames[:count] == base.co_varnames[:count] and _docstring(code) == _docstring(base)
