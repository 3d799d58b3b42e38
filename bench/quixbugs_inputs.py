"""Does a patched QuixBugs program do what its reference does? Asked on generated inputs.

usage: quixbugs_inputs.py NAME REFERENCE.py PATCHED.py [COUNT]

Inputs keep the preconditions that the programs state. Exit 0: equal on all; 1: a difference, which is printed.
"""
import copy
import importlib.util
import math
import random
import signal
import string
import sys
import types

LIMIT_SECONDS = 2


class Node:
    def __init__(self, value):
        self.value = value
        self.successor = None
        self.successors = []
        self.predecessors = []
        self.incoming_nodes = []
        self.outgoing_nodes = []

    def __lt__(self, other):  # shortest_path_length puts nodes on a heap
        return self.value < other.value


def ints(rng, low=-20, high=20, least=0, most=9):
    return [rng.randint(low, high) for _ in range(rng.randint(least, most))]


def word(rng, most=7, alphabet="abc"):
    return "".join(rng.choice(alphabet) for _ in range(rng.randint(0, most)))


def graph(rng, acyclic=False):
    nodes = [Node(value) for value in range(rng.randint(1, 7))]
    for a in nodes:
        for b in nodes:
            if a is not b and rng.random() < 0.3 and (not acyclic or a.value < b.value):
                a.successors.append(b)
                a.outgoing_nodes.append(b)
                b.predecessors.append(a)
                b.incoming_nodes.append(a)
    rng.shuffle(nodes)
    return nodes


def two_of_a_graph(rng):
    nodes = graph(rng)
    return rng.choice(nodes), rng.choice(nodes)


def chain(rng, may_loop):
    nodes = [Node(value) for value in range(rng.randint(1 if may_loop else 0, 7))]
    for a, b in zip(nodes, nodes[1:]):
        a.successor = b
    if may_loop and rng.random() < 0.5:
        nodes[-1].successor = rng.choice(nodes)
    return (nodes[0] if nodes else None,)


def values_of_chain(node):
    values = []
    while node is not None and len(values) < 100:
        values.append(node.value)
        node = node.successor
    return values


def path_input(rng):
    nodes = graph(rng)
    lengths = {(a, b): rng.randint(1, 20) for a in nodes for b in a.successors}
    return lengths, rng.choice(nodes), rng.choice(nodes)


def lengths_by_edge(rng):
    n = rng.randint(1, 6)
    return n, {(i, j): rng.randint(1, 20) for i in range(n) for j in range(n) if i != j and rng.random() < 0.4}


def weights_without_negative_cycle(rng):
    nodes = string.ascii_uppercase[: rng.randint(2, 6)]
    height = {node: rng.randint(-5, 5) for node in nodes}
    weights = {(u, v): rng.randint(0, 9) + height[v] - height[u] for u in nodes for v in nodes if u != v and rng.random() < 0.5}
    return nodes[0], weights


def weights_of_a_connected_graph(rng):
    n = rng.randint(2, 7)
    edges = [(rng.randrange(v), v) for v in range(1, n)]
    edges += [(u, v) for u in range(n) for v in range(u + 1, n) if (u, v) not in edges and rng.random() < 0.4]
    return (dict(zip(edges, rng.sample(range(1, 100), len(edges)))),)


def nested(rng, depth=3):
    return [nested(rng, depth - 1) if depth and rng.random() < 0.3 else rng.randint(0, 9) for _ in range(rng.randint(0, 4))]


def nearly_sorted(rng):
    k = rng.randint(0, 4)
    values = sorted(ints(rng))
    for start in range(0, len(values), k + 1):  # within k of its place
        part = values[start : start + k + 1]
        rng.shuffle(part)
        values[start : start + k + 1] = part
    return values, k


def polish(rng, depth=3):
    if depth == 0 or rng.random() < 0.3:
        return [float(rng.randint(1, 9))]
    return polish(rng, depth - 1) + polish(rng, depth - 1) + [rng.choice("+-*/")]


def infix(rng):
    tokens = [rng.randint(1, 9)]
    for _ in range(rng.randint(0, 6)):
        tokens += [rng.choice("+-*/"), rng.randint(1, 9)]
    return (tokens,)


def palindrome(rng):
    half = [rng.randint(0, 9) if rng.random() < 0.5 else 9 for _ in range(rng.randint(1, 4))]
    half[0] = half[0] or 9
    return (half + half[::-1] if rng.random() < 0.5 else half + half[-2::-1],)


def not_last_permutation(rng):
    values = rng.sample(range(10), rng.randint(2, 6))
    return (values if values != sorted(values, reverse=True) else values[::-1],)


def sought(rng):
    values = sorted(ints(rng, 0, 15))
    return values, rng.choice(values) if values and rng.random() < 0.6 else rng.randint(-2, 18)


def text_to_wrap(rng):
    cols = rng.randint(3, 20)
    # The reference loops where a line holds no blank but its first letter.
    words = [word(rng, cols - 3, string.ascii_lowercase) + "x" for _ in range(rng.randint(1, 12))]
    return " ".join(words), cols


def is_topological(result, nodes):
    place = {node: index for index, node in enumerate(result)}
    return len(result) == len(nodes) == len(place) and all(place[a] < place[b] for a in nodes for b in a.outgoing_nodes)


SAME = lambda got, want, arguments: got == want
AS_SETS = lambda got, want, arguments: sorted(map(sorted, got)) == sorted(map(sorted, want))
NEAR = lambda got, want, arguments: got == want or (
    isinstance(got, float) and isinstance(want, float) and math.isclose(got, want, rel_tol=1e-9)
)

# Name: (generator of arguments, comparison); absent comparison: equal.
PROGRAMS = {
    "bitcount": (lambda r: (r.randrange(2 ** r.randint(1, 40)),),),
    "breadth_first_search": (two_of_a_graph,),
    "bucketsort": (lambda r: (ints(r, 0, 9), 10),),
    "depth_first_search": (two_of_a_graph,),
    "detect_cycle": (lambda r: chain(r, True),),
    "find_first_in_sorted": (sought,),
    "find_in_sorted": (
        sought,
        lambda got, want, arguments: got == want or (want >= 0 and got >= 0 and arguments[0][got] == arguments[1]),
    ),
    "flatten": (lambda r: (nested(r),),),
    "gcd": (lambda r: (r.randint(0, 300), r.randint(1, 300)),),
    "get_factors": (lambda r: (r.randint(1, 2000),),),
    "hanoi": (lambda r: (r.randint(0, 6), *r.sample([1, 2, 3], 2)),),
    "is_valid_parenthesization": (lambda r: (word(r, 8, "()"),),),
    "kheapsort": (nearly_sorted,),
    "knapsack": (lambda r: (r.randint(0, 40), [(r.randint(1, 20), r.randint(1, 30)) for _ in range(r.randint(0, 6))]),),
    "kth": (lambda r: (lambda a: (a, r.randrange(len(a))))(ints(r, 0, 9, 1)),),
    "lcs_length": (lambda r: (word(r), word(r)),),
    "levenshtein": (lambda r: (word(r, 5), word(r, 5)),),
    "lis": (lambda r: (r.sample(range(30), r.randint(0, 9)),),),
    "longest_common_subsequence": (lambda r: (word(r, 6), word(r, 6)),
                                   lambda got, want, arguments: isinstance(got, str) and len(got) == len(want) and
                                   all(is_subsequence(got, text) for text in arguments)),
    "max_sublist_sum": (lambda r: (ints(r),),),
    "mergesort": (lambda r: (ints(r),),),
    "minimum_spanning_tree": (weights_of_a_connected_graph,),
    "next_palindrome": (palindrome,),
    "next_permutation": (not_last_permutation,),
    "pascal": (lambda r: (r.randint(1, 9),),),
    "possible_change": (lambda r: (r.sample(range(1, 20), r.randint(0, 4)), r.randint(0, 40)),),
    "powerset": (lambda r: (r.sample(range(20), r.randint(0, 6)),), AS_SETS),
    "quicksort": (lambda r: (ints(r),),),
    "reverse_linked_list": (lambda r: chain(r, False),),
    "rpn_eval": (lambda r: (polish(r),), NEAR),
    "shortest_path_length": (path_input,),
    "shortest_path_lengths": (lengths_by_edge,),
    "shortest_paths": (weights_without_negative_cycle,),
    "shunting_yard": (infix,),
    "sieve": (lambda r: (r.randint(2, 200),),),
    "sqrt": (
        lambda r: (r.randint(1, 1000) + r.random(), 10.0 ** -r.randint(1, 6)),
        lambda got, want, arguments: abs(arguments[0] - got**2) <= arguments[1],
    ),
    "subsequences": (lambda r: (r.randint(0, 4), r.randint(4, 8), r.randint(0, 4)),),
    "to_base": (lambda r: (r.randint(1, 10000), r.randint(2, 36)),),
    "topological_ordering": (lambda r: (graph(r, True),), lambda got, want, arguments: is_topological(got, arguments[0])),
    "wrap": (text_to_wrap,),
}


def is_subsequence(part, text):
    rest = iter(text)
    return all(letter in rest for letter in part)


def load(path):
    module = types.ModuleType("program")
    with open(path, encoding="utf-8") as file:
        exec(compile(file.read(), path, "exec"), module.__dict__)
    return module


def call(function, arguments):
    """What a call gives, with what it yields written out; an exception by its type."""
    signal.alarm(LIMIT_SECONDS)
    try:
        value = function(*arguments)
        if isinstance(value, types.GeneratorType):
            value = list(value)
        if type(value).__name__ == "Node":
            value = values_of_chain(value)
        return value
    except Exception as error:  # noqa: BLE001  the program is what is asked
        return ("raised", type(error).__name__)
    finally:
        signal.alarm(0)


def out_of_time(*_):
    raise TimeoutError


def main():
    name, reference, patched = sys.argv[1:4]
    count = int(sys.argv[4]) if len(sys.argv) > 4 else 500
    make, same = (PROGRAMS[name] + (SAME,))[:2]
    want_of, got_of = getattr(load(reference), name), getattr(load(patched), name)
    signal.signal(signal.SIGALRM, out_of_time)
    rng = random.Random(1)
    for _ in range(count):
        arguments = make(rng)
        mine, theirs = copy.deepcopy((arguments, arguments))  # one memo: nodes are the same objects in both
        if name not in ("breadth_first_search", "depth_first_search", "topological_ordering", "shortest_path_length"):
            theirs = copy.deepcopy(arguments)
        want, got = call(want_of, theirs), call(got_of, mine)
        try:
            equal = same(got, want, mine)
        except Exception:  # noqa: BLE001  a value of another kind
            equal = False
        if not equal:
            print("%s%r: %r, and not %r" % (name, arguments, got, want))
            return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
