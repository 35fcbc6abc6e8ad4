"""Variables that hold arrays of the thread's own, also while it waits for others.

Each has four elements: of a local array, of the thread's part of a shared array or of an output.
Which it is, is chosen, swapped and passed on; views, rows, fields of records and tuples of arrays
lead to them. The arrays themselves have names that no later line has, so that nothing but the
variables keeps them. A variable has the kind "array KIND" or "held record".
"""
from arith import condition, of_kind
from together import FULL, THREADS
from values import DTYPES, FLOATS

LENGTH = 4
OF_WARP = ("cuda.threadIdx.x // 32 == 0", "cuda.threadIdx.x >= 32",
           "(cuda.threadIdx.x // 32 + cuda.blockIdx.x) % 2 == 1")


def arrays(g, kind=None):
    """The variables that hold arrays, of one kind or of any."""
    return [name for name, its in g.variables.items() if its.startswith("array ") and kind in (None, its[6:])]


def several(g, count):
    """Names of some of one kind, which may be the same, and the kind; None if there are none."""
    if not g.in_kernel or not arrays(g):
        return None
    kind = g.variables[g.random.choice(arrays(g))][6:]
    names = arrays(g, kind)
    return [g.random.choice(names) for _ in range(count)], kind


def place(g):
    return g.pick(str(g.random.randrange(-LENGTH, LENGTH)), f"thread % {LENGTH}",
                  f"(thread + {g.random.randrange(4)}) & 3")


def new_value(g, kind, text):
    name = g.fresh("v")
    g.variables[name] = kind
    return f"{name} = {text}"


def waiting(g):
    """A line at which all threads of a warp or block wait."""
    return g.pick("cuda.syncthreads()", "cuda.syncwarp()", f"cuda.syncwarp({FULL})")


# ---- where they come from ----------------------------------------------------------------------

def source(g, kind):
    """Lines that make memory of the thread's own with numbers in it, and the text of an array of four."""
    name, shared = g.fresh("m"), f"4 * cuda.threadIdx.x:4 * cuda.threadIdx.x + {LENGTH}"
    aligned = g.pick("", "", ", alignment=16", f", alignment={2 ** g.random.randrange(3, 9)}")
    shape, text = g.random.choice([
        ("4", name), ("4", name), ("4", f"{name}[:]"), ("4", f"{name}[::-1]"), ("8", f"{name}[::2]"),
        ("9", f"{name}[2:6]"),
        ("(3, 4)", f"{name}[{g.random.randrange(3)}]"), ("(3, 4)", f"{name}[thread % 3]"), ("(4, 2)", f"{name}[:, 1]"),
        ("(4, 3)", f"{name}.T[thread % 3]"), ("(2, 2)", f"{name}.reshape(4)"), ("(2, 8)", f"{name}[1, 1::2]"),
        ("shared", f"{name}[{shared}]"), ("room", f"room_{kind}[4 * thread:4 * thread + {LENGTH}]")])
    lines = [] if shape == "room" else [
        f"{name} = cuda.shared.array({4 * THREADS}, {kind})" if shape == "shared" else
        f"{name} = cuda.local.array({shape}, {kind}{aligned})"]
    return lines, text


def filled(g, kind):
    """Lines that give the name `name` to an array of four numbers; its name."""
    name = g.fresh("h")
    lines, text = source(g, kind)
    return name, [*lines, f"{name} = {text}", f"fill_held({name}, thread, {g.random.randrange(9)})"]


def make(g, depth, together):
    if not g.in_kernel:
        return None
    kind = g.pick(*g.kinds)
    name, lines = filled(g, kind)
    g.variables[name] = f"array {kind}"
    return lines


def make_either(g, depth, together):
    """An array made in both branches, each its own."""
    if not g.in_kernel:
        return None
    kind = g.pick(*g.kinds)
    asked, (a, then), (b, otherwise) = condition(g, 1), filled(g, kind), filled(g, kind)
    g.variables[a] = f"array {kind}"
    return [f"if {asked}:", *("    " + line for line in then), "else:",
            *("    " + line for line in otherwise), f"    {a} = {b}"]


# ---- which array it is -------------------------------------------------------------------------

def alias(g, depth, together):
    found = several(g, 2)
    if not found:
        return None
    (a, b), kind = found
    name = g.pick(a, g.fresh("h"))
    g.variables[name] = f"array {kind}"
    return [f"{name} = {g.pick(b, f'{b}[:]', f'{b}[::-1]', f'given_held({b})')}"]


def choose(g, depth, together):
    found = several(g, 3)
    if not found:
        return None
    (a, b, c), kind = found
    name, asked = g.pick(a, g.fresh("h")), condition(g, 1)
    g.variables[name] = f"array {kind}"
    if g.chance(0.5):
        return [f"{name} = {b} if {asked} else {g.pick(c, f'{c}[::-1]')}"]
    return [f"{name} = {b}", f"if {asked}:", f"    {name} = {c}"]


def swap(g, depth, together):
    found = several(g, 2)
    if not found or found[0][0] == found[0][1]:
        return None
    a, b = found[0]
    return [f"{a}, {b} = {b}, {a}"]


def through_tuple(g, depth, together):
    """A tuple of arrays, some of other kinds, that changes as a loop turns."""
    found = several(g, 2)
    if not found:
        return None
    (a, b), kind = found
    other, t, turn, name = g.random.choice(arrays(g)), g.fresh("t"), g.fresh("i"), g.fresh("h")
    lines = [f"{t} = {a}, ({other}, {b}[::-1])" if g.chance(0.4) else f"{t} = {a}[::-1], ({other}, {b}[::-1])",
             *([waiting(g)] if together else [])]
    if lines[0].count("[::-1]") == 2:
        lines += [f"for {turn} in range({g.random.randrange(4)}):", f"    {t} = {t}[1][1], ({t}[1][0], {t}[0])",
                  f"    {t}[0][{place(g)}] = {of_kind(g, kind, 1)}", *(["    " + waiting(g)] if together else [])]
    g.variables[name] = f"array {kind}"
    return lines + [f"{name} = {t}{g.pick('[0]', '[1][1]')}"]


def perhaps(g, depth, together):
    """None or an array."""
    found = several(g, 1)
    if not found:
        return None
    (a,), kind = found
    name, value = g.fresh("o"), g.fresh("v")
    first = of_kind(g, kind, 0)
    lines = [f"{name} = None", f"if {condition(g, 1)}:", f"    {name} = {a}", *([waiting(g)] if together else []),
             f"{value} = {first}", f"if {name} is not None:", f"    {value} = {name}[{place(g)}]"]
    g.variables[value] = kind
    return lines


# ---- their elements ----------------------------------------------------------------------------

def read(g, depth, together):
    found = several(g, 1)
    return found and [new_value(g, found[1], f"{found[0][0]}[{place(g)}]")]


def write(g, depth, together):
    found = several(g, 1)
    if not found:
        return None
    (a,), kind = found
    value = of_kind(g, kind, 1)
    return g.pick([f"{a}[{place(g)}] = {value}"], [f"{a}[:] = {value}"], [f"{a}[1:3] = {value}"],
                  [f"fill_held({a}, thread, {g.random.randrange(9)})"])


# ---- records -----------------------------------------------------------------------------------

def make_records(g, depth, together):
    if not g.in_kernel:
        return None
    name, rows = g.fresh("m"), g.fresh("r")
    g.variables[rows] = "held record"
    lines = [f"{name} = cuda.local.array(3, HELD)", f"for {rows} in range(3):",
             f"    {name}[{rows}].n = {rows} + thread", f"    fill_held({name}[{rows}].v, thread, {rows})",
             f"{rows} = {name}[{g.pick('0', '-1', 'thread % 3')}]"]
    if g.record_aligned and g.chance(0.6):
        field = g.fresh("h")
        g.variables[field] = f"array {g.record_kind}"
        lines.append(f"{field} = {name}[thread % {g.random.randrange(1, 4)}].v")
    return lines


def use_record(g, depth, together):
    names = [name for name, kind in g.variables.items() if kind == "held record"]
    if not names or not g.in_kernel:
        return None
    a, b, c = (g.random.choice(names) for _ in range(3))
    if g.chance(0.3):
        field, kind = g.pick((f"v[{place(g)}]", g.record_kind), ("n", "int16"))
        return [new_value(g, kind, f"{b}.{field}")]
    return [g.pick(f"{a}, {b} = {b}, {a}", f"{a} = {b} if {condition(g, 1)} else {c}",
                   f"{a}.n += {g.random.randrange(9)}", f"{a}.v[{place(g)}] = {of_kind(g, g.record_kind, 1)}")]


# ---- while threads wait ------------------------------------------------------------------------

def wait(g, depth, together):
    return [waiting(g)]


def wait_in_function(g, depth, together):
    found = several(g, 2)
    if not found:
        return None
    (a, b), kind = found
    name = g.fresh("h")
    if g.chance(0.4):
        g.variables[name] = f"array {kind}"
        return [f"{name} = held_over({a}, {b}, thread)"]
    return [new_value(g, kind, g.pick(f"late_held({a}, {place(g)})", f"late_in_warp({a}, {place(g)})"))]


def tell(g, depth, together):
    """An element for others, in a shuffle or vote."""
    found = several(g, 1)
    if not found:
        return None
    (a,), kind = found
    lane = g.random.randrange(32)
    if g.chance(0.3):
        return [new_value(g, "int32", f"cuda.ballot_sync({FULL}, {a}[{place(g)}] > {kind}(2))")]
    form = g.pick("shfl_sync", "shfl_xor_sync", "shfl_up_sync")
    return [new_value(g, kind, f"cuda.{form}({FULL}, {a}[{place(g)}], {lane})")]


def turning(g, depth, together):
    """A loop that swaps, reverses or aliases and waits; each warp may make turns of its own."""
    found = several(g, 3)
    if not found:
        return None
    (a, b, c), kind = found
    turn, warps = g.fresh("i"), g.chance(0.4)
    times = f"{g.random.randrange(1, 4)} + cuda.threadIdx.x // 32" if warps else str(g.random.randrange(1, 5))
    change = g.pick(f"{a}, {b} = {b}, {a}", f"{a} = {a}[::-1]", f"{a}, {b}, {c} = {b}, {c}, {a}",
                    f"{a} = {b} if {turn} % 2 else {c}", f"{a} = {b}[::-1]")
    value = of_kind(g, kind, 1)
    body = [change, "cuda.syncwarp()" if warps else waiting(g),
            f"{a}[{place(g)}] = {g.pick(value, f'{b}[{turn} % 4]')}"]
    g.random.shuffle(body)
    return [f"for {turn} in range({times}):", *("    " + line for line in body)]


def walk(g, depth, together):
    """The elements one after the other, each for the others too."""
    found = several(g, 1)
    if not found:
        return None
    (a,), kind = found
    name, e = g.fresh("v"), g.fresh("e")
    first = of_kind(g, kind, 1)
    g.variables[name] = kind
    line = f"{name} = max({name}, cuda.shfl_xor_sync({FULL}, {e}, {g.random.randrange(1, 32)}))"
    return [f"{name} = {first}", f"for {e} in {g.pick(a, f'{a}[1:]', f'{a}[::-1]')}:", f"    {line}"]


def apart(g, depth, together):
    """A branch for some warps, which wait in it, or wait in either."""
    found = several(g, 3)
    if not found:
        return None
    (a, b, c), kind = found
    value = of_kind(g, kind, 1)
    then = [f"{a}[{place(g)}] = {value}", "cuda.syncwarp()",
            g.pick(f"{a} = {b}", f"{a}, {b} = {b}, {a}", f"{c} = {a}[::-1]")]
    otherwise = [g.pick(f"{b} = {c}", f"{c}[{place(g)}] = {a}[{place(g)}]"),
                 *(["cuda.syncwarp()"] if g.chance(0.5) else [])]
    g.random.shuffle(then)
    g.random.shuffle(otherwise)
    return [f"if {g.pick(*OF_WARP)}:", *("    " + line for line in then),
            *(["else:", *("    " + line for line in otherwise)] if g.chance(0.7) else [])]


# ---- the program -------------------------------------------------------------------------------

def begin(g):
    g.record_kind, g.record_aligned = g.pick(*DTYPES), g.chance(0.6)
    fields = [f'("v", np.{g.record_kind}, (4,))', '("n", np.int16)', '("b", np.int8)']
    g.random.shuffle(fields)
    g.definitions += [
        f"HELD = np.dtype([{', '.join(fields)}]{', align=True' if g.record_aligned else ''})", "", "",
        "def fill_held(a, thread, n):", "    for i in range(4):", "        a[i] = (thread + 3 * i + n) % 8", "", "",
        "def given_held(a):", "    return a", "", "",
        "def late_held(a, i):", "    cuda.syncthreads()", "    return a[i]", "", "",
        "def late_in_warp(a, i):", f"    cuda.syncwarp({FULL})", "    return a[i]", "", "",
        "def held_over(a, b, thread):", "    c = a[::-1]", "    if thread % 3 == 0:", "        c = b[::-1]",
        "    cuda.syncthreads()", "    c[1] = a[2]", "    return c", "", ""]
    g.parameters += [(f"room_{kind}", f"zeros({4 * g.threads}, dtype={kind})", True) for kind in g.kinds]
    for _ in range(3):
        kind = g.pick(*g.kinds)
        name, lines = filled(g, kind)
        g.start += lines
        g.outer[name] = f"array {kind}"
        if g.chance(0.7):
            value = f"{name}[slot] * {kind}(4)" if kind in FLOATS else f"{name}[slot]"
            g.end += ["for slot in range(4):", f"    seen[thread] = seen[thread] * 31 + int64({value})"]


EXPRESSIONS = []
STATEMENTS = [make, make_either, alias, choose, swap, through_tuple, perhaps, read, write, make_records, use_record]
NESTING = []
TOGETHER = [wait, wait_in_function, tell, turning, turning, walk, apart, through_tuple, perhaps]
