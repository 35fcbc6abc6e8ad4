"""Tuples: made, indexed, cut, joined, compared, summed, walked."""
from arith import leaf, of_kind, whole
from flow import turned
from values import DTYPES, SIGNED, UNSIGNED, Expr, kept, range_of


def same(g, kind, count):
    return [leaf(g, kind) for _ in range(count)]


def text_of(parts):
    return "(" + ", ".join(part.text for part in parts) + ("," if len(parts) == 1 else "") + ")"


def picked(g, depth):
    """An element of a tuple of one type, by a number that is not known."""
    kind, count = g.pick(*DTYPES), g.random.randrange(1, 5)
    parts = same(g, kind, count)
    place = g.pick(f"{whole(g, 0).text} % {count}", str(g.random.randrange(-count, count)))
    return Expr(f"{text_of(parts)}[{place}]", kind, max(part.most for part in parts),
                max(part.grain for part in parts))


def cut(g, depth):
    """An element of tuples of any types that are joined and cut."""
    kind = g.pick(*DTYPES)
    wanted, others = leaf(g, kind), [leaf(g, g.pick(*DTYPES)) for _ in range(3)]
    text = g.pick(f"({text_of(others[:2])} + {text_of([wanted])})[2]",
                  f"{text_of([others[0], wanted, others[1]])}[1:][0]",
                  f"{text_of([others[0], wanted, others[1]])}[::-1][1]",
                  f"({text_of(others)}, {text_of([wanted, others[0]])})[1][0]",
                  f"tuple({text_of([wanted, others[0]])})[-2]")
    return Expr(text, kind, wanted.most, wanted.grain)


def told(g, depth):
    """What is known of a tuple: whether it holds a number, its order, its length."""
    kind = g.pick(*SIGNED, *UNSIGNED)
    a, b = same(g, kind, 2), same(g, kind, 2)
    op = g.pick("<", "<=", ">", ">=", "==", "!=")
    return Expr(g.pick(f"({leaf(g, kind).text} in {text_of(a + b)})",
                       f"({leaf(g, kind).text} not in {text_of(a)})",
                       f"({text_of(a)} {op} {text_of(b)})"), "bool", 1)


def summed(g, depth):
    kind = g.pick("int8", "int16", "int32", "uint8", "uint16", "uint32")
    parts = same(g, kind, g.random.randrange(1, 5))
    return Expr(f"int64(sum({text_of(parts)}))", "int64", len(parts) * range_of(kind))


def extremes(g, depth):
    kind = g.pick(*DTYPES)
    parts = same(g, kind, g.random.randrange(2, 4))
    return Expr(f"{g.pick('min', 'max')}({text_of(parts)})", kind,
                max(part.most for part in parts), max(part.grain for part in parts))


def unpacked(g, depth, together):
    """Names for the parts of a nested tuple."""
    kinds = [g.pick(*DTYPES) for _ in range(3)]
    values = [of_kind(g, kind, 1) for kind in kinds]
    names = [g.fresh("v") for _ in kinds]
    g.variables.update(zip(names, kinds))
    return [f"{names[0]}, ({names[1]}, {names[2]}) = {values[0]}, ({values[1]}, {values[2]})"]


def each(g, depth, together):
    """literal_unroll, whose body is typed for each element."""
    name, place = g.fresh("e"), g.fresh("v")
    parts = [leaf(g, g.pick(*SIGNED, *UNSIGNED)) for _ in range(g.random.randrange(1, 4))]
    body = [f"    {place} ^= int64({name})"]
    if g.chance(0.4):
        body += [f"    if isinstance({name}, {g.pick('int32', 'int64', 'uint8')}):",
                 f"        {place} += 3"]
    g.variables[place] = "int64"
    return [f"{place} = int64({g.random.randrange(9)})", f"for {name} in literal_unroll({text_of(parts)}):",
            *body]


def kept_tuple(g, depth, together):
    """A tuple that has a name, and changes as a loop turns."""
    name, place, kinds = g.fresh("t"), g.fresh("v"), g.random.sample(DTYPES, 2)
    wanted, turn = g.random.randrange(2), g.fresh("i")
    values = [of_kind(g, kind, 1) for kind in kinds]
    before = dict(g.variables)
    g.variables[turn] = "int64"
    later = [of_kind(g, kind, 1) for kind in kinds]
    g.variables = before
    g.variables[place] = kinds[wanted]
    return [f"{name} = {values[0]}, {values[1]}", f"for {turn} in range({g.random.randrange(3)}):",
            f"    {name} = {later[0]}, {name}[1]" if g.chance(0.5) else
            f"    {name} = {name}[0], {later[1]}", f"{place} = {name}[{wanted}]"]


def begin(g):
    pass


EXPRESSIONS = [picked, cut, told, summed, extremes]
STATEMENTS = [unpacked, each, kept_tuple]
NESTING = []
TOGETHER = []
