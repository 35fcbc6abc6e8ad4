"""Views of arrays: slices read, walked and assigned, other shapes, and what goes over all elements.

`own_KIND` are SLOTS elements that the thread alone uses.
"""
from arith import SLOTS, index, leaf, of_kind, whole
from flow import turned
from values import FLOATS, KEPT_GRAIN, KEPT_MOST, Expr, kept, range_of


def span(g):
    """A slice, and how many of SLOTS elements it takes."""
    start, stop = sorted(g.random.sample(range(SLOTS + 1), 2))
    step = g.pick(1, 1, 2, 3, -1, -2)
    text = g.pick(f"{start}:{stop}:{step}", f"{start - SLOTS}:{stop}:{step}") if step > 0 else \
        f"{stop - 1}:{start - 1 if start else ''}:{step}"
    return text, len(range(start, stop, abs(step)))


def view(g):
    """A view of own elements, its kind and length, at least 1."""
    kind = g.pick(*g.kinds)
    text, count = span(g)
    if g.chance(0.2):
        return f"own_{kind}[{g.random.randrange(1, 5)}:][::2]", kind, 6
    return f"own_{kind}[{text}]", kind, count


def viewed(g, depth):
    """One element, by way of a view."""
    if not g.in_kernel:
        return None
    text, kind, count = view(g)
    place = g.pick(str(g.random.randrange(-count, count)), f"{whole(g, 0).text} % {count}")
    if g.chance(0.3):
        text, place = g.pick((f"own_{kind}.reshape(4, 4)", f"{whole(g, 0).text} % 4, -1"),
                             (f"own_{kind}.reshape((2, -1)).T", f"{whole(g, 0).text} & 7, 1"),
                             (f"in_{kind}.reshape(4, 2, 2)", f"3, {whole(g, 0).text} % 2, 0"),
                             (f"in_{kind}.flat", str(g.random.randrange(SLOTS))))
    return kept(f"{text}[{place}]", kind)


def over_all(g, depth):
    """What a method gives of a view of integers; the least and the greatest of floats too."""
    if not g.in_kernel:
        return None
    text, kind, count = view(g)
    if g.chance(0.3):
        return kept(f"{text}.{g.pick('max', 'min')}()", kind)
    if g.chance(0.5):
        return Expr(f"int64({text}.{g.pick('argmax', 'argmin')}())", "int64", count)
    if kind in FLOATS or kind in ("int64", "uint64"):
        return Expr(f"int64(len({text}) + {text}.size * {text}.ndim)", "int64", 99)
    return Expr(f"int64({g.pick(f'np.sum({text})', f'{text}.sum()')})", "int64", count * range_of(kind))


def any_all(g, depth):
    if not g.in_kernel:
        return None
    return Expr(f"{view(g)[0]}.{g.pick('any', 'all')}()", "bool", 1)


# ---- assignment ----------------------------------------------------------------------------------

def fill(g, depth, together):
    """A number, an array or a tuple into a view."""
    if not g.in_kernel:
        return None
    text, kind, count = view(g)
    if "::2]" in text:
        text, count = f"own_{kind}[:]", SLOTS
    roll = g.random.random()
    if roll < 0.3 or count > 4:
        value = of_kind(g, kind, 1)
    elif roll < 0.6:
        value = "(" + "".join(f"{of_kind(g, kind, 0)}, " for _ in range(count)) + ")"
    else:
        first = g.random.randrange(SLOTS - count + 1)
        value = f"{g.pick('in', 'own')}_{kind}[{first}:{first + count}]"
        if value.startswith("own") and "-" in text:
            value = f"in_{kind}[{first}:{first + count}]"       # overlaps run the same way
        elif value.startswith("own") and text.count(":") == 2 and not text.endswith(":1]"):
            value = f"in_{kind}[{first}:{first + count}]"
    return [f"{text} = {value}"]


def change(g, depth, together):
    """view op= integers, or a fill of all."""
    if not g.in_kernel:
        return None
    text, kind, count = view(g)
    if kind in FLOATS:
        return [f"own_{kind}.fill({of_kind(g, kind, 1)})"]
    return [f"{text} {g.pick('+', '-', '^', '|')}= {of_kind(g, kind, 1)}"]


def square(g, depth, together):
    """Rows and columns of the elements seen as a matrix."""
    if not g.in_kernel:
        return None
    name, kind = g.fresh("m"), g.pick(*g.kinds)
    row, column = g.random.randrange(4), g.random.randrange(-4, 4)
    return [f"{name} = own_{kind}.reshape(4, 4)",
            g.pick(f"{name}[{row}] = {of_kind(g, kind, 1)}",
                   f"{name}[:, {column}] = in_{kind}[4:8]",
                   f"{name}[1:3, ::2] = {of_kind(g, kind, 1)}",
                   f"{name}[{row}] = {name}[{(row + 1) % 4}, ::-1]",
                   f"{name}[...] = in_{kind}[:4]",
                   f"{name}.T[{row}, 1:] = in_{kind}[5:8]")]


def shifted(g, depth, together):
    """Parts of one array assigned to others of it, which overlap, straight or by names."""
    if not g.in_kernel:
        return None
    name, kind = g.fresh("m"), g.pick(*g.kinds)
    rows, columns = (g.pick(("1:", ":-1"), (":-1", "1:"), (":", ":"), ("::-1", "::-1"), ("2:", ":2")) for _ in range(2))
    to, source = (f"{name}[{row}, {column}]" for row, column in zip(rows, columns))
    lines = [f"{name} = own_{kind}.reshape(4, 4){g.pick('', '.T', '[::-1]', '[:, ::-1].T')}"]
    if g.chance(0.3):
        first, last = g.fresh("a"), g.fresh("a")
        return [*lines, f"{first} = {to}", f"{last} = {source}", f"{first}[:] = {last}"]
    if g.chance(0.3) and kind not in FLOATS:
        at = g.random.randrange(4)
        return [*lines, f"{name}[:] {g.pick('-', '+', '^')}= {name}[{g.pick(at, f'{at}:{at + 1}', f':, {at}:{at + 1}')}]"]
    op = "" if kind in FLOATS else g.pick("", "", "+", "^")
    return [*lines, f"{to} {op}= {source}"]


# ---- walks ---------------------------------------------------------------------------------------

def walked(g, depth, together):
    if not g.in_kernel:
        return None
    text, kind, _ = view(g)
    value, i, j = g.fresh("e"), g.fresh("i"), g.fresh("i")
    both = {value: kind, i: "int64", j: "int64"}
    header, names = g.pick(
        (f"for {value} in {text}:", {value: kind}),
        (f"for {value} in own_{kind}.reshape(4, 4)[1:3, ::2].flat:", {value: kind}),
        (f"for {i}, {j} in np.ndindex(2, 2):", {i: "int64", j: "int64"}),
        (f"for ({i}, {j}), {value} in np.ndenumerate(in_{kind}.reshape(8, 2)[:2]):", both),
        (f"for {value} in own_{kind}.reshape(4, 4)[{g.random.randrange(4)}]:", {value: kind}),
        (f"for {i}, {value} in enumerate(reversed(in_{kind}[:3])):", {i: "int64", value: kind})
        if g.chance(0) else (f"for {i}, {value} in enumerate(in_{kind}[:3]):", {i: "int64", value: kind}))
    return turned(g, header, names, depth, False)


def chosen(g, depth, together):
    """A name that is one view or another."""
    if not g.in_kernel:
        return None
    name, kind, place = g.fresh("a"), g.pick(*g.kinds), g.fresh("v")
    lines = [f"{name} = own_{kind}[::2]", f"if {whole(g, 1).text} > 3:", f"    {name} = own_{kind}[1::3]",
             f"{name}[{whole(g, 0).text} % 5] = {of_kind(g, kind, 1)}", f"{place} = {name}[{whole(g, 0).text} % 5]"]
    g.variables[place] = kind
    return lines


def begin(g):
    pass


EXPRESSIONS = [viewed, over_all, any_all]
STATEMENTS = [fill, change, square, shifted, chosen]
NESTING = [walked]
TOGETHER = []
