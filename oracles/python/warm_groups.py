"""Many candidates of one function in one run.

The function's code holds the base and all variants. Where they differ, the process asks which of its
candidates say what: an expression that has no effect is evaluated for each, and those with the base's
value go on with the base. For each other value, or each other statement, the process forks once. So a
candidate costs a run only if it makes a difference, and that run begins where it does. After AccMut and
f1x, which group mutants and patches by the value at the changed place.
"""
import ast
import hashlib
import operator
import sys

PICK = "__tenline_pick__"
BELOW = "__tenline_below__"
MOST_LOOKS = 2000  # At one place in one process; then its candidates are left to runs of their own.
_SCOPES = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Lambda, ast.ListComp, ast.SetComp, ast.DictComp,
           ast.GeneratorExp)
_SIMPLE = (bool, int, float, str, bytes, complex, type(None))
_CONTAINERS = (list, tuple, dict, set, frozenset, str, bytes)


# Where a candidate differs from the base.

class Change:
    """An expression in place of another, or a statement in place of another or before one."""

    def __init__(self, base, field, at, count, new, boolean=False):
        self.base = base  # An expression; or the owner of a list of statements.
        self.field = field  # None for an expression; else the owner's field that holds the list.
        self.at = at
        self.count = count  # Statements that are replaced: 0 or 1.
        self.new = new  # An expression, or a list of statements.
        self.boolean = boolean  # Only whether the expression is true counts.

    def place(self):
        return (id(self.base), self.field, self.at, self.count)


def same(a, b):
    if type(a) is not type(b):
        return False
    if isinstance(a, ast.AST):
        return all(same(getattr(a, f, None), getattr(b, f, None)) for f in a._fields)
    if type(a) is list:
        return len(a) == len(b) and all(map(same, a, b))
    return a == b and repr(a) == repr(b)


def change_between(base, new):
    """The Change that makes `new` of the function `base`; None where there is no such one."""
    if not all(same(getattr(base, f, None), getattr(new, f, None)) for f in base._fields if f != "body"):
        return None
    return _in_statements(base, "body", base.body, new.body)


def _in_statements(owner, field, base, new):
    start = 0
    while start < min(len(base), len(new)) and same(base[start], new[start]):
        start += 1
    end = 0
    while end < min(len(base), len(new)) - start and same(base[-1 - end], new[-1 - end]):
        end += 1
    removed, added = base[start:len(base) - end], new[start:len(new) - end]
    if len(removed) == 1 and len(added) == 1:
        inner = _in_node(removed[0], added[0])
        if inner is not None:
            return inner
    if len(removed) > 1 or any(isinstance(s, (ast.Global, ast.Nonlocal)) for s in removed + added):
        return None
    return Change(owner, field, start, len(removed), added)


def _in_node(base, new, boolean=False):
    if _is_value(base) and _is_value(new) and _may_be_pure(base) and _may_be_pure(new):
        return Change(base, None, 0, 0, new, boolean)  # The more is compared, the more is the same.
    if type(base) is type(new) and not isinstance(base, _SCOPES):
        fields = [f for f in base._fields if not same(getattr(base, f, None), getattr(new, f, None))]
        if len(fields) == 1:
            old, changed = getattr(base, fields[0]), getattr(new, fields[0])
            if type(old) is list and type(changed) is list:
                if (old or changed) and isinstance((old or changed)[0], ast.stmt):
                    return _in_statements(base, fields[0], old, changed) if old else None
                pairs = [(a, b) for a, b in zip(old, changed) if not same(a, b)]
                if len(old) == len(changed) and len(pairs) == 1 and isinstance(pairs[0][0], ast.AST):
                    inner = _in_node(*pairs[0])
                    if inner is not None:
                        return inner
            elif isinstance(old, ast.AST) and isinstance(changed, ast.AST):
                inner = _in_node(old, changed, fields[0] == "test")
                if inner is not None:
                    return inner
    if _is_value(base) and _is_value(new):
        return Change(base, None, 0, 0, new, boolean)
    return None


def _is_value(node):
    if not isinstance(node, ast.expr) or isinstance(node, (ast.Slice, ast.Starred, ast.FormattedValue, ast.JoinedStr)):
        return False
    if isinstance(node, ast.Tuple) and any(isinstance(e, ast.Slice) for e in node.elts):
        return False
    if not isinstance(getattr(node, "ctx", ast.Load()), ast.Load):
        return False
    # A walrus, an await or a yield is bound to where it stands.
    return not any(isinstance(n, (ast.NamedExpr, ast.Await, ast.Yield, ast.YieldFrom)) for n in ast.walk(node))


# The function with all variants.

class Site:
    def __init__(self, number, change):
        self.number = number
        self.change = change
        self.variants = []  # (candidate, Change)


def merge(function, changes):
    """Puts all variants into `function`, whose nodes the changes name. Gives what the program must know of
    each place: [{"base": TEXT or None, "boolean": .., "variants": [[candidate, TEXT or None, key if true, if false]]}]."""
    sites = {}
    for candidate, change in changes:
        site = sites.setdefault(change.place(), Site(len(sites), change))
        site.variants.append((candidate, change))
    expressions = {id(s.change.base): s for s in sites.values() if s.change.field is None}
    statements = {}
    for site in sites.values():
        if site.change.field is not None:
            statements.setdefault((id(site.change.base), site.change.field), []).append(site)
    told = [None] * len(sites)
    for site in sites.values():
        told[site.number] = _tell(site)
    # Lists from their ends, so that places keep their numbers; the nodes of the base stay the same ones.
    for here in statements.values():
        owner, field = here[0].change.base, here[0].change.field
        body = getattr(owner, field)
        for site in sorted(here, key=lambda s: (-s.change.at, -s.change.count)):
            at, count = site.change.at, site.change.count
            chosen = _choose([v.new for _, v in site.variants], 1)
            where = body[at] if at < len(body) else body[-1]
            choice = ast.If(_call(PICK, site.number), body[at:at + count] or [ast.Pass()], chosen)
            body[at:at + count] = [_at(choice, where)]
    _Expressions(expressions).visit(function)
    return told


class _Expressions(ast.NodeTransformer):
    def __init__(self, sites):
        self.sites = sites

    def visit(self, node):
        site = self.sites.get(id(node))
        self.generic_visit(node)
        if site is None:
            return node
        chosen = _choose([v.new for _, v in site.variants], 1)
        return _at(ast.IfExp(_call(PICK, site.number), node, chosen), node)


def _choose(variants, first):
    """A tree of choices: many variants must not be nested deep."""
    if len(variants) == 1:
        return variants[0] if type(variants[0]) is not list else (variants[0] or [ast.Pass()])
    half = len(variants) // 2
    left, right = _choose(variants[:half], first), _choose(variants[half:], first + half)
    test = _call(BELOW, first + half)
    return [ast.If(test, left, right)] if type(left) is list else ast.IfExp(test, left, right)


def _call(name, number):
    return ast.Call(ast.Name(name, ast.Load()), [ast.Constant(number)], [])


def _at(node, where):
    """Gives new nodes a place; those of the program keep theirs."""
    for inner in ast.walk(node):
        if isinstance(inner, (ast.expr, ast.stmt)) and not hasattr(inner, "lineno"):
            inner.lineno = inner.end_lineno = where.lineno
            inner.col_offset = inner.end_col_offset = where.col_offset
    return node


def _tell(site):
    """For each variant what to evaluate, and what a true and a false value come to: a key, or "" for what
    the base does. An expression is its own value; a statement that is an `if` is told by its branches."""
    change = site.change
    if change.field is None:
        return {"base": _text(change.base), "boolean": change.boolean,
                "variants": [[c, _text(v.new), None, None] for c, v in site.variants]}
    base = getattr(change.base, change.field)[change.at:change.at + change.count]
    variants = []
    for candidate, variant in site.variants:
        new = variant.new
        if len(new) == 1 and isinstance(new[0], ast.If) and _text(new[0].test) is not None:
            keys = [_key(branch, base) for branch in (new[0].body, new[0].orelse)]
            variants.append([candidate, _text(new[0].test), keys[0], keys[1]])
        else:
            key = _key(new, base)
            variants.append([candidate, None, key, key])
    return {"base": None, "boolean": False, "variants": variants}


def _key(statements, base):
    kept = [s for s in statements if not isinstance(s, ast.Pass)]
    if same(kept, [s for s in base if not isinstance(s, ast.Pass)]):
        return ""
    return hashlib.sha1("".join(map(ast.dump, kept)).encode("utf-8", "surrogatepass")).hexdigest()


def _text(node):
    """The source of an expression whose evaluation may have no effect; None where it may."""
    return ast.unparse(node) if _may_be_pure(node) else None


_PURE_CALLS = {"isinstance": isinstance, "len": len, "hasattr": hasattr, "getattr": getattr, "callable": callable,
               "bool": bool, "int": int, "float": float, "str": str, "min": min, "max": max, "abs": abs, "type": type}


def _may_be_pure(node):
    if isinstance(node, ast.Call):
        return isinstance(node.func, ast.Name) and node.func.id in _PURE_CALLS and not node.keywords and \
            all(_may_be_pure(a) for a in node.args)
    if isinstance(node, (ast.Name, ast.Constant)):
        return True
    if isinstance(node, (ast.Attribute, ast.Subscript, ast.BoolOp, ast.UnaryOp, ast.BinOp, ast.Compare, ast.IfExp, ast.Tuple)):
        return all(_may_be_pure(c) for c in ast.iter_child_nodes(node) if isinstance(c, ast.expr))
    return False


# Values, without running code of the program.

class Effect(Exception):
    """It could run code of the program."""


class Pure:
    """Evaluates expressions in a frame. What was evaluated once is not again."""

    def __init__(self, frame):
        self.locals = frame.f_locals
        self.globals = frame.f_globals
        self.builtins = frame.f_builtins
        self.code = frame.f_code
        self.known = {}
        self.values = []  # Kept, or the next one could have its identity.

    def key(self, text, tree, boolean):
        """What tells values apart: equal keys are the same value, or an exception of the same type; "" where
        it cannot be told."""
        if text not in self.known:
            try:
                value = self.decide(tree) if boolean else self.value(tree)
                self.values.append(value)
                self.known[text] = "value %r" % (_identity(value),)
            except (Effect, RecursionError):
                self.known[text] = ""
            except Exception as problem:
                self.known[text] = "raises " + type(problem).__name__
        return self.known[text]

    def value(self, node):
        return getattr(self, type(node).__name__)(node)

    def Constant(self, node):
        return node.value

    def Name(self, node):
        for scope in (self.locals, self.globals, self.builtins):
            if node.id in scope:
                return scope[node.id]
        if node.id in self.code.co_varnames or node.id in self.code.co_cellvars:
            raise UnboundLocalError
        raise NameError

    def Attribute(self, node):
        return _attribute(self.value(node.value), node.attr)

    def Subscript(self, node):
        if not isinstance(node.slice, ast.expr) or isinstance(node.slice, ast.Slice):
            raise Effect
        holder, index = self.value(node.value), self.value(node.slice)
        if not isinstance(holder, (list, tuple, dict, str, bytes)) or not _is_plain(index) or \
                any(_is_of_program(holder, name) for name in ("__getitem__", "__missing__")):
            raise Effect
        return holder[index]

    def Tuple(self, node):
        if any(isinstance(e, ast.Starred) for e in node.elts):
            raise Effect
        return tuple(self.value(e) for e in node.elts)

    def IfExp(self, node):
        return self.value(node.body if self.decide(node.test) else node.orelse)

    def decide(self, node):
        return self.is_true(self.value(node))

    @staticmethod
    def is_true(value):
        if not _is_plain(value) and type(value) not in _CONTAINERS:
            raise Effect
        return bool(value)

    def BoolOp(self, node):
        stops = isinstance(node.op, ast.Or)
        value = None
        for part in node.values:
            value = self.value(part)
            if part is not node.values[-1] and self.is_true(value) is stops:
                return value
        return value

    def UnaryOp(self, node):
        value = self.value(node.operand)
        if not _is_plain(value) and not (isinstance(node.op, ast.Not) and type(value) in _CONTAINERS):
            raise Effect
        return _UNARY[type(node.op)](value)

    def BinOp(self, node):
        left, right = self.value(node.left), self.value(node.right)
        if not _is_plain(left) or not _is_plain(right) or isinstance(node.op, (ast.Pow, ast.LShift, ast.MatMult)):
            raise Effect
        if isinstance(node.op, ast.Mult) and not all(isinstance(v, (bool, int, float, complex)) for v in (left, right)):
            raise Effect
        return _BINARY[type(node.op)](left, right)

    def Compare(self, node):
        left = self.value(node.left)
        for compare, other in zip(node.ops, node.comparators):
            right = self.value(other)
            by_identity = isinstance(compare, (ast.Eq, ast.NotEq)) and _is_itself_only(left) and _is_itself_only(right)
            if not by_identity and not isinstance(compare, (ast.Is, ast.IsNot)):
                holders = _CONTAINERS if isinstance(compare, (ast.In, ast.NotIn)) else ()
                if not _is_plain(left) or not (_is_plain(right) or (type(right) in holders and len(right) < 1000 and
                                                                      all(map(_is_plain, right)))):
                    raise Effect
            if not _COMPARE[type(compare)](left, right):
                return False
            left = right
        return True

    def Call(self, node):
        name = node.func.id
        if self.value(node.func) is not _PURE_CALLS[name]:
            raise Effect
        arguments = [self.value(a) for a in node.args]
        if name in ("getattr", "hasattr"):
            if not 2 <= len(arguments) <= 3 or type(arguments[1]) is not str:
                raise Effect
            try:
                found = _attribute(arguments[0], arguments[1])
            except AttributeError:
                if name == "hasattr":
                    return False
                if len(arguments) == 3:
                    return arguments[2]
                raise
            return True if name == "hasattr" else found
        if name == "isinstance":
            kinds = arguments[1] if type(arguments[1]) is tuple else (arguments[1],)
            if len(arguments) != 2 or any(type(k) is not type for k in kinds):
                raise Effect
            return issubclass(type(arguments[0]), kinds)
        if name in ("type", "callable") and len(arguments) == 1:
            return _PURE_CALLS[name](arguments[0])
        if not all(_is_plain(a) or (name == "len" and type(a) in _CONTAINERS) for a in arguments):
            raise Effect
        return _PURE_CALLS[name](*arguments)


def _is_plain(value):
    return type(value) in _SIMPLE or (type(value) is tuple and len(value) < 100 and all(map(_is_plain, value)))


def _identity(value):
    return (type(value), repr(value)) if _is_plain(value) else ("object", id(value))


def _is_itself_only(value):
    """Is it equal to itself and, by its own word, to nothing else?"""
    kind = type(value)
    return all("__eq__" not in _type_dict(base) for base in _type_mro(kind)[:-1]) and kind is not object


def _is_of_program(value, name):
    """Is this special method written in Python?"""
    return any(type(_type_dict(base).get(name)) is type(_is_of_program) for base in _type_mro(type(value)))


_type_mro = type.__dict__["__mro__"].__get__
_type_dict = type.__dict__["__dict__"].__get__
_PLAIN_MEMBERS = (type(int.real), type(type(sys._getframe()).f_code), type(list.append), type(object.__init__))


def _attribute(value, name):
    """An attribute that is found without code of the program: in the instance, or a function, method or
    constant of its classes."""
    kind = type(value)
    if isinstance(value, type) or kind is type(sys):
        if kind not in (type, type(sys)) or (kind is type(sys) and name not in value.__dict__):
            raise Effect
        return getattr(value, name) if kind is type(sys) else _of_class(value, name, value)
    for base in _type_mro(kind):
        if base is not object and type(_type_dict(base).get("__getattribute__")) is type(_attribute):
            raise Effect
    return _of_class(kind, name, value)


def _of_class(kind, name, value):
    member, found = None, False
    for base in _type_mro(kind):
        if name in _type_dict(base):
            member, found = _type_dict(base)[name], True
            break
    own = getattr(value, "__dict__", None) if not isinstance(value, type) else None
    if found and isinstance(member, _PLAIN_MEMBERS):
        return getattr(value, name)
    if found and (isinstance(member, property) or hasattr(type(member), "__set__")):
        raise Effect
    if type(own) is dict and name in own:
        return own[name]
    if not found and any("__getattr__" in _type_dict(base) for base in _type_mro(kind)):
        raise Effect
    if not found:
        raise AttributeError("no %s" % name)
    if hasattr(type(member), "__get__") or isinstance(value, type):
        raise Effect
    return member


_UNARY = {ast.Not: operator.not_, ast.USub: operator.neg, ast.UAdd: operator.pos, ast.Invert: operator.invert}
_BINARY = {ast.Add: operator.add, ast.Sub: operator.sub, ast.Mult: operator.mul, ast.Div: operator.truediv,
           ast.FloorDiv: operator.floordiv, ast.Mod: operator.mod, ast.BitAnd: operator.and_, ast.BitOr: operator.or_,
           ast.BitXor: operator.xor, ast.RShift: operator.rshift}
_COMPARE = {ast.Eq: operator.eq, ast.NotEq: operator.ne, ast.Lt: operator.lt, ast.LtE: operator.le, ast.Gt: operator.gt,
            ast.GtE: operator.ge, ast.Is: operator.is_, ast.IsNot: operator.is_not,
            ast.In: lambda a, b: a in b, ast.NotIn: lambda a, b: a not in b}


# In the program.

class Group:
    """The candidates that this process is the run of, and who is told of its splits."""

    def __init__(self, sites, runner):
        self.sites = []
        for site in sites:
            variants = [(c, t, t and ast.parse(t, mode="eval").body, yes, no) for c, t, yes, no in site["variants"]]
            base = site["base"]
            tree = base and ast.parse(base, mode="eval").body
            self.sites.append((base, tree, site["boolean"], variants))
        self.runner = runner  # fork(members) -> True in the child; see warm_chain.
        self.alive = {v[0] for site in self.sites for v in site[3]}
        self.looks = [0] * len(sites)
        self.picked = 0
        self.refresh()

    def refresh(self):
        self.here = [[(k + 1, v) for k, v in enumerate(site[3]) if v[0] in self.alive] for site in self.sites]

    def pick(self, number):
        """True where this process goes on with the base; else `below` tells which variant it takes."""
        here = self.here[number]
        if not here:
            return True
        self.looks[number] += 1
        if len(here) == len(self.alive) == 1:
            self.picked = here[0][0]
            return False
        if self.looks[number] > MOST_LOOKS:
            self.runner.give_up([v[0] for _, v in here], "looked at too often")
            self.alive -= {v[0] for _, v in here}
            self.refresh()
            return True
        classes = self.classes(number, here, sys._getframe(1))
        rest = self.alive - {v[0] for _, v in here}
        base = classes.pop("", [])
        if rest or base or not classes:
            stay = None
        else:
            stay = max(classes, key=lambda k: len(classes[k]))
        others = [k for k in classes if k != stay]
        for key in self.runner.split([[v[0] for _, v in classes[k]] for k in others]):
            # A child, with the candidates of one class.
            members = classes[others[key]]
            self.alive = {v[0] for _, v in members}
            self.refresh()
            self.picked = members[0][0]
            return False
        gone = {v[0] for k in others for _, v in classes[k]}
        if gone:
            self.alive -= gone
            self.refresh()
        if stay is None:
            return True
        self.picked = classes[stay][0][0]
        return False

    def below(self, number):
        return self.picked < number

    def classes(self, number, here, frame):
        """Variants by what they come to here; those under "" do what the base does."""
        base_text, base_tree, boolean, _ = self.sites[number]
        pure = Pure(frame)
        base = pure.key(base_text, base_tree, boolean) if base_text else ""
        classes = {}
        for variant in here:
            candidate, text, tree, yes, no = variant[1]
            key = pure.key(text, tree, boolean or yes is not None) if text else ""
            if yes is not None and (text is None or key.startswith("value")):  # A statement.
                key = yes if text is None or "True" in key else no
            elif not key:
                key = "candidate %d" % candidate
            elif key == base:
                key = ""
            classes.setdefault(key, []).append(variant)
        return classes
