"""Arrays of records: a dtype made at random, its fields in every spelling, copies, references.

One dtype is shared by `recs` (an input), `out_recs` (an element for each thread) and `own_recs` (of
the thread alone). Fields hold what variables of their kind hold.
"""
from arith import index, leaf, of_kind, whole
from values import DTYPES, kept

COUNT = 4                                         # of a field that is an array


class Layout:
    """The fields of a dtype: names with a kind, names of fields that are arrays, a nested record."""

    def __init__(self, g):
        self.plain = {f"f{i}": g.pick(*DTYPES) for i in range(g.random.randrange(1, 5))}
        self.arrays = {f"g{i}": g.pick(*DTYPES) for i in range(g.random.randrange(0, 3))}
        self.inner = {f"h{i}": g.pick(*DTYPES) for i in range(2)} if g.chance(0.5) else {}

    def definitions(self, g):
        """Two constants of the module."""
        fields = [f'("{name}", np.{kind})' for name, kind in self.plain.items()]
        fields += [f'("{name}", np.{kind}, ({COUNT},))' for name, kind in self.arrays.items()]
        g.random.shuffle(fields)
        lines = []
        if self.inner:
            inner = ", ".join(f'("{name}", np.{kind})' for name, kind in self.inner.items())
            lines.append(f"INNER = np.dtype([{inner}])")
            fields.append('("inner", INNER)')
        aligned = ", align=True" if g.chance(0.5) else ""
        return lines + [f"RECORD = np.dtype([{', '.join(fields)}]{aligned})", "", ""]

    def field(self, g):
        """How a field is written behind a record, in one of its spellings, and its kind."""
        forms = [(spelt(g, name), kind) for name, kind in self.plain.items()]
        forms += [(f"{spelt(g, name)}[{index(g, 0, COUNT)}]", kind) for name, kind in self.arrays.items()]
        forms += [(spelt(g, "inner") + spelt(g, name), kind) for name, kind in self.inner.items()]
        return g.random.choice(forms)


def spelt(g, name):
    return g.pick(f".{name}", f'["{name}"]')


def record(g):
    """A record that may be read and written."""
    names = [name for name, kind in g.variables.items() if kind == "record"]
    if names and g.chance(0.4):
        return g.random.choice(names)
    return g.pick(f"own_recs[{index(g, 0, COUNT)}]", "out_recs[thread]")


def read(g, depth):
    if not g.in_kernel:
        return None
    field, kind = g.layout.field(g)
    if g.chance(0.2):                             # the field of all records, then one of them
        name = g.random.choice(list(g.layout.plain))
        array = g.pick("recs", "own_recs")
        return kept(f"{array}{spelt(g, name)}[{index(g, 0, COUNT)}]", g.layout.plain[name])
    source = g.pick(record(g), f"recs[{index(g, 0, COUNT)}]")
    return kept(source + field, kind)


def write(g, depth, together):
    if not g.in_kernel:
        return None
    field, kind = g.layout.field(g)
    if g.chance(0.2) and "stores into fields" not in g.without:
        name = g.random.choice(list(g.layout.plain))
        kind = g.layout.plain[name]
        return [f"own_recs{spelt(g, name)}[{index(g, 0, COUNT)}] = {of_kind(g, kind, 1)}"]
    return [f"{record(g)}{field} = {of_kind(g, kind, 2)}"]


def copy(g, depth, together):
    if not g.in_kernel:
        return None
    source = g.pick(record(g), f"recs[{index(g, 0, COUNT)}]")
    target = g.pick(f"own_recs[{index(g, 0, COUNT)}]", "out_recs[thread]")
    return [f"{target} = {source}"]


def refer(g, depth, together):
    """A name for a record of its array, to which writes go."""
    if not g.in_kernel:
        return None
    name = g.fresh("r")
    source = g.pick(f"own_recs[{index(g, 0, COUNT)}]", "out_recs[thread]")
    g.variables[name] = "record"
    return [f"{name} = {source}"]


def copy_field(g, depth, together):
    """A field that is an array: all of it, or one number into all of it."""
    if not g.in_kernel or not g.layout.arrays:
        return None
    name = g.random.choice(list(g.layout.arrays))
    kind = g.layout.arrays[name]
    target = f"{record(g)}{spelt(g, name)}"
    return [g.pick(f"{target}[:] = recs[{index(g, 0, COUNT)}]{spelt(g, name)}",
                   f"{target}[1:3] = {of_kind(g, kind, 1)}")]


def update(g, depth, together):
    """By a function that is given the record."""
    return [f"touched({record(g)}, {whole(g, 0).text})"] if g.in_kernel else None


def begin(g):
    g.layout = Layout(g)
    g.definitions += g.layout.definitions(g)
    field, kind = g.layout.field(g)
    while "in_" in field or "cuda." in field:
        field, kind = g.layout.field(g)
    g.definitions += ["def touched(r, n):", "    if n & 1:", f"        r{field} = {kind}(n & 7)",
                      "    return r", "", ""]
    seed = g.random.randrange(10 ** 6)
    g.parameters += [("recs", f"zeros({COUNT}, dtype=RECORD)", False),
                     ("out_recs", f"zeros({g.threads}, dtype=RECORD)", True)]
    g.start += [f"own_recs = cuda.local.array({COUNT}, RECORD)", f"for slot in range({COUNT}):",
                "    own_recs[slot] = recs[slot]"]
    for name, its in g.layout.plain.items():
        g.start += [f"    own_recs[slot].{name} = {its}((slot + {seed % 7}) & 7)"]
    if "stores into fields" not in g.without:
        for name in g.layout.arrays:
            g.start += [f"    own_recs[slot].{name}[slot] = slot"]
    g.end += ["touched(own_recs[1], thread)"]
    for name, its in g.layout.plain.items():
        g.end += [f"for slot in range({COUNT}):", f"    seen[thread] = seen[thread] * 31 + int64(own_recs[slot].{name})"
                  if its not in ("float16", "float32", "float64") else
                  f"    seen[thread] = seen[thread] * 31 + int64(own_recs[slot].{name} * {its}(4))"]


EXPRESSIONS = [read, read]
STATEMENTS = [write, write, copy, refer, copy_field, update]
NESTING = []
TOGETHER = []
