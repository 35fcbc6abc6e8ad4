"""Statements that assign, branch, turn and leave.

A statement takes the generator, a depth, and whether all threads of the block are here together;
it gives its lines, or None if it cannot this time.
"""
from arith import condition, index, leaf, literal, of_kind, whole
from values import DTYPES, FLOATS, SIGNED, UNSIGNED


def assignable(g):
    return [name for name, kind in g.variables.items() if name[0] == "v" and kind in DTYPES]


def assign(g, depth, together):
    names = assignable(g)
    if not names or g.chance(0.2):
        kind = g.pick(*DTYPES)
        value = of_kind(g, kind, 2)
        name = g.fresh("v")
        g.variables[name] = kind
        return [f"{name} = {value}"]
    name = g.random.choice(names)
    return [f"{name} = {of_kind(g, g.variables[name], 3)}"]


def chained(g, depth, together):
    kind, value = g.pick(*DTYPES), None
    value = of_kind(g, kind, 2)
    a, b = g.fresh("v"), g.fresh("v")
    g.variables[a] = g.variables[b] = kind
    return [f"{a} = {b} = {value}"]


def augment(g, depth, together):
    """Only 64-bit integers keep their type."""
    names = [name for name in assignable(g) if g.variables[name] in ("int64", "uint64")]
    if not names:
        return None
    name = g.random.choice(names)
    if g.variables[name] == "uint64":
        return [f"{name} {g.pick('+', '-', '*', '^', '|', '&')}= uint64({whole(g, 1).text})"]
    return [f"{name} = int64(int32({name}))",
            f"{name} {g.pick('+', '-', '*', '^', '|', '&')}= int32({whole(g, 1).text})"]


def unpack(g, depth, together):
    names = assignable(g)
    if len(names) < 2:
        return None
    a, b = g.random.sample(names, 2)
    return [f"{a}, {b} = {of_kind(g, g.variables[a], 2)}, {of_kind(g, g.variables[b], 2)}"]


def walrus(g, depth, together):
    kind = g.pick(*SIGNED, *UNSIGNED)
    name = g.fresh("v")
    value = of_kind(g, kind, 1)
    lines = [f"if ({name} := {value}) > {leaf(g, g.pick(*SIGNED)).text}:"]
    g.variables[name] = kind
    return lines + g.block(depth - 1, False)


def store(g, depth, together):
    if not g.in_kernel:
        return None
    kind = g.pick(*g.kinds)
    if kind not in FLOATS and g.chance(0.3):
        return [f"own_{kind}[{index(g, 1)}] {g.pick('+', '-', '^')}= {whole(g, 2).text}"]
    return [f"own_{kind}[{index(g, 1)}] = {of_kind(g, kind, 2)}"]


def hinted_store(g, depth, together):
    """Past a cache, where the thread alone writes."""
    if not g.in_kernel:
        return None
    kind = g.pick(*g.kinds)
    return [f"cuda.{g.pick('stcg', 'stcs', 'stwb', 'stwt')}(out_{kind}, thread, "
            f"{of_kind(g, kind, 2)})"]


# ---- branches ----------------------------------------------------------------------------------

def branch(g, depth, together):
    same = together and g.chance(0.3)
    lines = [f"if {uniform_condition(g) if same else condition(g, 2)}:", *g.block(depth - 1, same)]
    if g.chance(0.3):
        lines += [f"elif {condition(g, 1)}:", *g.block(depth - 1, False)]
        same = False
    if g.chance(0.5):
        lines += ["else:", *g.block(depth - 1, same)]
    return lines


def uniform_condition(g):
    return g.pick("cuda.blockIdx.x == 0", "cuda.blockIdx.x > 0", "cuda.gridDim.x > 1",
                  "cuda.blockDim.x == 64",
                  f"in_{g.kinds[0]}[{g.random.randrange(16)}] > 0")


def match(g, depth, together):
    subject = f"{whole(g, 1).text} % 5"
    lines = [f"match {subject}:"]
    numbers = g.random.sample(range(5), 3)
    cases = [str(numbers[0]), f"{numbers[1]} | {numbers[2]}",
             g.pick("_", f"{g.fresh('n')} if {condition(g, 1)}")]
    for case in cases:
        lines += [f"    case {case}:", *("    " + line for line in g.block(depth - 1, False))]
    return lines


# ---- loops -------------------------------------------------------------------------------------

def count_loop(g, depth, together):
    name = g.fresh("i")
    low, high, step = g.pick((0, 3, 1), (5, 0, -2), (1, 2, 1), (2, 2, 1), (-2, 3, 2))
    same = together and g.chance(0.5)
    stop = str(high) if same else g.pick(str(high), f"{whole(g, 1).text} % 4")
    bounds = f"{low}, {stop}, {step}" if g.chance(0.6) else stop
    return turned(g, f"for {name} in range({bounds}):", name, depth, same)


def unrolled(g, depth, together):
    name, times = g.fresh("i"), g.random.randrange(1, 4)
    wish = g.pick("True", "2", "4")
    return turned(g, f"for {name} in range({times}, unroll={wish}):", name, depth, together)


def range_object(g, depth, together):
    """A range that has a name: its length, its elements, what is in it."""
    a, step, q = g.random.randrange(-3, 4), g.pick(1, 2, 3, -1, -2), g.fresh("q")
    end = a + step * g.random.randrange(1, 4)
    name, place = g.fresh("i"), g.fresh("v")
    lines = [f"{q} = range({a}, {end}, {step})", f"{place} = len({q}) * 100 + {q}[-1] * 10 + {q}.step"]
    g.variables[place] = "int64"
    lines += turned(g, f"for {name} in {q}:", name, depth, together)
    return lines + [f"{place} += 7 if {whole(g, 1).text} in {q} else 0"]


def walk(g, depth, together):
    name, position, other = g.fresh("e"), g.fresh("i"), g.fresh("e")
    parts = ", ".join(leaf(g, "int32").text for _ in range(3))
    headers = [(f"for {position}, {name} in enumerate(({parts})):", "int32"),
               (f"for {position}, {name} in enumerate(({parts}), {g.random.randrange(4)}):", "int32"),
               (f"for {position}, {name} in zip(range(4), ({parts})):", "int32"),
               (f"for {position}, ({name}, {other}) in enumerate(zip(({parts}), range(3))):", "int32")]
    if g.in_kernel:
        kind = g.pick(*g.kinds)
        headers += [(f"for {position}, {name} in zip(range(4), own_{kind}):", kind),
                    (f"for {position}, {name} in enumerate(own_{kind}[1:8:3]):", kind)]
    header, kind = g.pick(*headers)
    return turned(g, header, {position: "int64", name: kind}, depth, False)


def while_loop(g, depth, together):
    name = g.fresh("w")
    header, *lines = turned(g, f"while {name} > 0:", {}, depth, False)
    return [f"{name} = {g.random.randrange(4)}", header, f"    {name} -= 1", *lines]


def endless(g, depth, together):
    """A loop that only a break ends."""
    name = g.fresh("w")
    same = together and g.chance(0.5)
    header, *lines = turned(g, "while True:", {}, depth, same, otherwise=False)
    return [f"{name} = {g.random.randrange(3)}", header, f"    if {name} == 0:", "        break",
            f"    {name} -= 1", *lines]


def turned(g, header, names, depth, together, otherwise=True):
    """A loop whose body sees `names`, a name of an int64 or several with their kinds."""
    names = {names: "int64"} if isinstance(names, str) else names
    before = dict(g.variables)
    g.variables.update(names)
    g.loops.append(together)
    lines = [header, *g.block(depth - 1, together)]
    g.loops.pop()
    g.variables = before
    if otherwise and g.chance(0.25):
        lines += ["else:", *g.block(depth - 1, together)]
    return lines


def leave(g, depth, together):
    """Out of a loop, which the threads turn one by one, or all at once."""
    if not g.loops or g.loops[-1] and not together:
        return None
    asked = uniform_condition(g) if g.loops[-1] else condition(g, 1)
    return [f"if {asked}:", f"    {g.pick('break', 'continue')}"]


def local_names(g, depth, together):
    """A name of several types, one after another."""
    name, kind = g.fresh("v"), g.pick(*DTYPES)
    lines = [f"{name} = {literal(g).text}", f"{name} = ({name}, {leaf(g, g.pick(*DTYPES)).text})",
             f"{name} = {of_kind(g, kind, 1)} if {name}[0] == {name}[1] else {of_kind(g, kind, 0)}"]
    g.variables[name] = kind
    return lines


def begin(g):
    pass


EXPRESSIONS = []
STATEMENTS = 4 * [assign] + 2 * [store] + [unpack, chained, augment, leave, local_names, hinted_store]
NESTING = 3 * [branch] + 2 * [count_loop] + [while_loop, endless, walk, match, walrus, unrolled,
                                            range_object]
TOGETHER = []
