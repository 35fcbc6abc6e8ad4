"""Indices that rise or fall by more than one with a number that only the launch knows, between elements
that constants name: what was stored to one of these must not be taken for what lies there afterwards.

`n` below is a number from 0 to 3.
"""
from arith import SLOTS, leaf, of_kind, whole
from values import SIGNED


def number(g):
    """A text for n, in several ways that show a compiler that it is not negative."""
    return g.pick("(thread & 3)", "thread % 4", "(cuda.laneid & 3)",
                  f"({leaf(g, g.pick(*SIGNED)).text} & 3)", f"max(min(int64({whole(g, 1).text}), 3), 0)",
                  f"(uint8({whole(g, 1).text}) & uint8(3))")


def line_of(g):
    """A factor, and a start with which it stays within the array."""
    factor = g.random.choice([-5, -4, -3, -3, -2, -2, -1, 1, 2, 3, 5])
    low, high = min(0, 3 * factor), max(0, 3 * factor)
    return factor, g.random.randrange(-low, SLOTS - high)


def index(g, n, factor, start):
    """Lines that come first, and a text of start + factor * n."""
    size, name, i = abs(factor), g.fresh("d"), g.fresh("i")
    if factor > 0:
        return [], g.pick(f"{start} + {n} * {size}", f"{n} * {size} + {start}",
                          f"{start + 3 * size} - (3 - {n}) * {size}")
    few = min(size, 3)
    kept = g.pick(f"min({n} * {size}, 90)", f"({n} * {size}) % 64", f"({n} * {2 * size}) // 2")
    step = g.pick(f"min({factor}, 5)", f"-1 * {size}", f"({factor} if thread >= 0 else {factor})")
    return g.pick(([], str(start) + f" - {n}" * size), ([f"{name} = {factor}"], f"{start} + {n} * {name}"),
                  ([], f"({start} - {n} * {size}) {g.pick('// 1', '& -1', '>> 0', '^ 0')}"),
                  ([], f"{start} - {kept}"), ([f"{name} = {step}"], f"{start} + {n} * {name}"),
                  ([f"{name} = {start}", f"for {i} in range({n}):",
                    *[f"    {name} -= 1"] * (few - 1), f"    {name} -= {size - few + 1}"], name),
                  ([], f"{start} - {n} * {size}"), ([], f"{start} - {size} * {n}"), ([], f"{n} * {factor} + {start}"),
                  ([], f"-({n} * {size}) + {start}"), ([], f"(3 - {n}) * {size} + {start - 3 * size}"),
                  ([f"{name} = {n} * {size}"], f"{start} - {name}"),
                  ([f"{name} = {start}", f"{name} -= {size} * {n}"], name))


def around(g, kind, array, lines):
    """These lines, with an element stored in front of them and read behind."""
    at, name, value = g.random.randrange(SLOTS), g.fresh("v"), of_kind(g, kind, 0)
    g.variables[name] = kind
    return [f"{array}[{at}] = {value}", *lines, f"{name} = {array}[{at}]"]


def stored(g, depth, together):
    if not g.in_kernel:
        return None
    kind = g.pick(*g.kinds)
    first, text = index(g, number(g), *line_of(g))
    value = of_kind(g, kind, 1)
    return around(g, kind, f"own_{kind}", [*first, f"own_{kind}[{text}] = {value}"])


def stored_in_turn(g, depth, together):
    """In a loop that compilers unroll."""
    if not g.in_kernel:
        return None
    kind, n = g.pick(*g.kinds), g.fresh("i")
    first, text = index(g, n, *line_of(g))
    value = of_kind(g, kind, 1)
    return around(g, kind, f"own_{kind}", [f"for {n} in range({g.pick('4', '1 + (thread & 3)')}):",
                                           *("    " + line for line in first),
                                           f"    own_{kind}[{text}] = {value}"])


def stored_in_view(g, depth, together):
    """In a view that goes by several elements, forwards or backwards, and is kept."""
    if not g.in_kernel:
        return None
    kind, view = g.pick(*g.kinds), g.fresh("w")
    factor, start = line_of(g)
    value, name, by = of_kind(g, kind, 1), f"own_{kind}", g.fresh("b")
    kept = g.pick(f"{view} = {name}[{start}::{factor}]",
                  f"{view} = {name}[{start}::{factor}] if {number(g)} > 1 else {name}[{start}::{factor}]",
                  f"{view} = ({name}, {name}[{start}::{factor}])[1]", f"{view} = {name}[{start}::{by}]")
    return around(g, kind, name, [f"{by} = {factor}", kept, f"{view}[{number(g)}] = {value}"])


def begin(g):
    pass


EXPRESSIONS = []
STATEMENTS = [stored, stored, stored_in_turn, stored_in_view, stored_in_view]
NESTING = []
TOGETHER = []
