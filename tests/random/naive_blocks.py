"""Patterns with shared memory and barriers, as textbooks have them: no padding, no unrolling."""
from naive_counts import COUNTED
from naive_lines import length
from naive_places import stride, thread
from values import FLOATS

HELD = ["int32", "int64", "uint32", "uint8", "float32", "float64", "int16"]


def tree(g):
    """A block's sum, by halves."""
    kind, n, size = g.pick("int32", "int64", "float32", "float64", "uint64"), g.size(), g.block[0]
    s, t, i, gap = (g.fresh(stem) for stem in ("s", "t", "i", "gap"))
    x, out = g.array("x", kind, n, most=7), g.array("out", kind, g.grid[0], True, most=7)
    total = g.array("total", kind, 1, True, most=7)
    lines = [f"{s} = cuda.shared.array({size}, {kind})", f"{t} = cuda.threadIdx.x", f"{s}[{t}] = 0"]
    lines += g.pick([f"for {i} in range({thread(g)}, {length(g, x)}, {stride(g)}):", f"    {s}[{t}] += {x.name}[{i}]"],
                    [f"{i} = {thread(g)}", f"if {i} < {length(g, x)}:", f"    {s}[{t}] = {x.name}[{i}]"])
    lines += ["cuda.syncthreads()"]
    if size & (size - 1) == 0 and g.chance(0.7):
        lines += [f"{gap} = {size} // 2", f"while {gap} > 0:", f"    if {t} < {gap}:", f"        {s}[{t}] += {s}[{t} + {gap}]",
                  "    cuda.syncthreads()", f"    {gap} //= 2"]
    elif g.chance(0.5):
        lines += [f"{gap} = 1", f"while {gap} < {size}:", f"    if {t} % (2 * {gap}) == 0 and {t} + {gap} < {size}:",
                  f"        {s}[{t}] += {s}[{t} + {gap}]", f"    {gap} *= 2", "    cuda.syncthreads()"]
    else:
        lines += [f"if {t} == 0:", f"    for {gap} in range(1, {size}):", f"        {s}[0] += {s}[{gap}]"]
    return lines + [f"if {t} == 0:", g.pick(f"    {out.name}[cuda.blockIdx.x] = {s}[0]", f"    {out.name}[cuda.blockIdx.x] += {s}[0]",
                                            f"    cuda.atomic.add({total.name}, 0, {s}[0])")]


def turned(g):
    """A block's stretch, back to front, or moved round."""
    kind, n, size = g.pick(*HELD), g.size(), g.block[0]
    s, t, i = g.fresh("s"), g.fresh("t"), g.fresh("i")
    x, out = g.array("x", kind, n), g.array("out", kind, g.threads(), True)
    shift = g.random.randrange(size)
    return [f"{s} = cuda.shared.array({size}, {kind})", f"{t} = cuda.threadIdx.x", f"{i} = {thread(g)}",
            f"{s}[{t}] = {x.name}[{i}] if {i} < {length(g, x)} else 0", "cuda.syncthreads()",
            f"{out.name}[{i}] = " + g.pick(f"{s}[{size} - 1 - {t}]", f"{s}[({t} + {shift}) % {size}]", f"{s}[-1 - {t}]", f"{s}[{t} ^ 1 if {t} ^ 1 < {size} else {t}]")]


def running(g):
    """Sums of all before, in a block."""
    kind, n, size = g.pick("int32", "int64", "float32"), g.size(), g.block[0]
    s, t, i, gap, held = (g.fresh(stem) for stem in ("s", "t", "i", "gap", "held"))
    x, out = g.array("x", kind, n, most=7), g.array("out", kind, g.threads(), True)
    return [f"{s} = cuda.shared.array({size}, {kind})", f"{t} = cuda.threadIdx.x", f"{i} = {thread(g)}",
            f"{s}[{t}] = {x.name}[{i}] if {i} < {length(g, x)} else 0", "cuda.syncthreads()", f"{gap} = 1",
            f"while {gap} < {size}:", f"    {held} = {s}[{t} - {gap}] if {t} >= {gap} else {kind}(0)", "    cuda.syncthreads()",
            f"    {s}[{t}] += {held}", "    cuda.syncthreads()", f"    {gap} *= 2", f"{out.name}[{i}] = {s}[{t}]"]


def counts(g):
    """A histogram in shared memory, added at the end."""
    kind, n, many = g.pick(*COUNTED), g.size(), g.pick(1, 10, 64, 150)
    s, i, b = g.fresh("s"), g.fresh("i"), g.fresh("b")
    x, h = g.array("x", "int32", n, most=10000), g.array("h", kind, many, True, most=7)
    return [f"{s} = cuda.shared.array({many}, {kind})", f"for {b} in range(cuda.threadIdx.x, {many}, cuda.blockDim.x):",
            f"    {s}[{b}] = 0", "cuda.syncthreads()", f"for {i} in range({thread(g)}, {length(g, x)}, {stride(g)}):",
            f"    cuda.atomic.add({s}, {x.name}[{i}] % {many}, 1)", "cuda.syncthreads()",
            f"for {b} in range(cuda.threadIdx.x, {many}, cuda.blockDim.x):", f"    cuda.atomic.add({h.name}, {b}, {s}[{b}])"]


def halo(g):
    """Neighbours from a stretch that has one more at each end."""
    kind, n, size = g.pick(*HELD), max(1, g.size()), g.block[0]
    s, t, i = g.fresh("s"), g.fresh("t"), g.fresh("i")
    x, out = g.array("x", kind, n), g.array("out", kind, n, True)
    return [f"{s} = cuda.shared.array({size + 2}, {kind})", f"{t} = cuda.threadIdx.x + 1", f"{i} = {thread(g)}",
            f"{s}[{t}] = {x.name}[{i}] if {i} < {length(g, x)} else 0", f"if {t} == 1:",
            f"    {s}[0] = {x.name}[{i} - 1] if 0 < {i} <= {x.name}.size else 0",
            f"    {s}[{size + 1}] = {x.name}[{i} + {size}] if {i} + {size} < {x.name}.size else 0", "cuda.syncthreads()",
            f"if {i} < {length(g, out)}:", f"    {out.name}[{i}] = " + g.value(kind, [f"{s}[{t} - 1]", f"{s}[{t}]", f"{s}[{t} + 1]"])]


def counted_before(g):
    """Atomics on global memory on both sides of a barrier, old values from behind it."""
    n, i, old = g.size(), g.fresh("i"), g.fresh("held")
    x, h = g.array("x", "int32", n, most=1000), g.array("h", "int32", g.pick(3, 40), True, most=7)
    s = g.fresh("s")
    return [f"{s} = cuda.shared.array(1, int32)", "if cuda.threadIdx.x == 0:", f"    {s}[0] = 0", "cuda.syncthreads()",
            f"{i} = {thread(g)}", f"if {i} < {length(g, x)}:", f"    cuda.atomic.add({h.name}, {x.name}[{i}] % {h.shape[0]}, 1)",
            f"    cuda.atomic.add({s}, 0, 1)", "cuda.syncthreads()", f"{old} = {s}[0]", f"if {i} < {x.name}.size:",
            f"    cuda.atomic.max({h.name}, {i} % {h.shape[0]}, {old})" if h.shape[0] == 0 else
            f"    cuda.atomic.add({h.name}, {i} % {h.shape[0]}, {old})"]


def shares(g):
    """A stretch longer than the block: its threads take turns, mostly each as many as the others."""
    kind, n, size = g.pick(*HELD), g.size(), g.block[0]
    many = size * g.pick(1, 2, 3, 8) + g.pick(0, 0, 0, 1, size // 2)
    s, t, b, at, last = (g.fresh(stem) for stem in ("s", "t", "b", "at", "last"))
    x, out = g.array("x", kind, n), g.array("out", kind, many * g.grid[0], True)
    step = g.pick(f"{size}", "cuda.blockDim.x")
    early = g.pick([], [], [f"    if {b} > {many // 2}:", f"        {g.pick('break', 'continue')}"])
    return [f"{s} = cuda.shared.array({many}, {kind})", f"{t} = cuda.threadIdx.x", f"{last} = 0",
            f"for {b} in range({t}, {many}, {step}):", f"    {at} = cuda.blockIdx.x * {many} + {b}",
            f"    {s}[{b}] = {x.name}[{at}] if {at} < {length(g, x)} else 0", "cuda.syncthreads()",
            f"for {b} in range({t}{g.pick('', '', ' - 1', ' + 1')}, {many - 1}, {step}):", *early,
            f"    {last} = {b}", f"    if {b} >= 0:",
            f"        {out.name}[cuda.blockIdx.x * {many} + {b}] = {s}[{many} - 1 - {b}]",
            f"if {t} == 0:", f"    {out.name}[cuda.blockIdx.x * {many} + {many} - 1] = {last}"]


def rows_of_tile(g):
    """Rows of a tile, shared among a block's threads, and sums that loop over it."""
    kind, (bx, by) = g.pick("float32", "float64", "int32", "int64"), g.block[:2]
    rows, h, w = by * g.pick(1, 2, 4), g.side(0), g.side(1)
    if bx * rows > 2048:
        return None
    s, x, y, r, k, acc = (g.fresh(stem) for stem in ("s", "x", "y", "r", "k", "acc"))
    a, out = g.array("a", kind, (h, w), most=7), g.array("out", kind, (h, w), True, most=7)
    return [f"{s} = cuda.shared.array(({rows}, {bx}), {kind})", f"{x} = cuda.blockIdx.x * {bx} + cuda.threadIdx.x",
            f"for {r} in range(cuda.threadIdx.y, {rows}, {g.pick(by, 'cuda.blockDim.y')}):",
            f"    {y} = cuda.blockIdx.y * {rows} + {r}",
            f"    {s}[{r}, cuda.threadIdx.x] = {a.name}[{y}, {x}] if {y} < {length(g, a)} and {x} < {length(g, a, 1)} else 0",
            "cuda.syncthreads()", f"for {r} in range(cuda.threadIdx.y, {rows}, {by}):", f"    {acc} = {g.zero(kind)}",
            f"    for {k} in range({bx}):", f"        {acc} += {s}[{r}, {k}] * {s}[{rows} - 1 - {r}, cuda.threadIdx.x]",
            f"    {y} = cuda.blockIdx.y * {rows} + {r}", f"    if {y} < {length(g, out)} and {x} < {length(g, out, 1)}:",
            f"        {out.name}[{y}, {x}] = {acc}"]


def square(g):
    """Only for blocks that are squares: the side, or None."""
    return g.block[0] if g.block[0] == g.block[1] else None


def tile(g):
    """A transpose by tiles that have no padding."""
    side = square(g)
    if not side:
        return None
    kind, h, w = g.pick(*HELD), g.side(0), g.side(1)
    s, x0, y0 = g.fresh("s"), g.fresh("x"), g.fresh("y")
    a, out = g.array("a", kind, (h, w)), g.array("out", kind, (w, h), True)
    T = f"cuda.threadIdx"
    return [f"{s} = cuda.shared.array(({side}, {side}), {kind})", f"{x0}, {y0} = cuda.grid(2)",
            f"if {y0} < {length(g, a)} and {x0} < {length(g, a, 1)}:", f"    {s}[{T}.y, {T}.x] = {a.name}[{y0}, {x0}]", "cuda.syncthreads()",
            f"{x0} = cuda.blockIdx.y * {side} + {T}.x", f"{y0} = cuda.blockIdx.x * {side} + {T}.y",
            f"if {y0} < {out.name}.shape[0] and {x0} < {out.name}.shape[1]:", f"    {out.name}[{y0}, {x0}] = {s}[{T}.x, {T}.y]"]


def tiled_product(g):
    """The product of the documentation, both ways round, for any sizes."""
    side = square(g)
    if not side:
        return None
    kind = g.pick("float32", "float64", "int32", "int64", "float32")
    h, w, m = g.side(0), g.side(1), g.pick(0, 1, 5, 16, 17, 31, 33)
    sa, sb, x, y, k, acc, turn = (g.fresh(stem) for stem in ("sa", "sb", "x", "y", "k", "acc", "turn"))
    a, b = g.array("a", kind, (h, m), most=7), g.array("b", kind, (m, w), most=7)
    out = g.array("out", kind, (h, w), True, most=7)
    tx, ty = g.pick(("cuda.threadIdx.x", "cuda.threadIdx.y"), ("tx", "ty"))
    swap = g.chance(0.5)              # which axis goes along rows
    start = [f"{tx} = cuda.threadIdx.x", f"{ty} = cuda.threadIdx.y"] if tx == "tx" else []
    r, c, tr, tc = (x, y, tx, ty) if swap else (y, x, ty, tx)
    return [f"{sa} = cuda.shared.array(({side}, {side}), {kind})", f"{sb} = cuda.shared.array(({side}, {side}), {kind})", *start,
            f"{x}, {y} = cuda.grid(2)", f"{acc} = {g.zero(kind)}", f"for {turn} in range(({a.name}.shape[1] + {side} - 1) // {side}):",
            f"    {sa}[{tr}, {tc}] = 0", f"    {sb}[{tr}, {tc}] = 0",
            f"    if {r} < {a.name}.shape[0] and {turn} * {side} + {tc} < {a.name}.shape[1]:",
            f"        {sa}[{tr}, {tc}] = {a.name}[{r}, {turn} * {side} + {tc}]",
            f"    if {c} < {b.name}.shape[1] and {turn} * {side} + {tr} < {b.name}.shape[0]:",
            f"        {sb}[{tr}, {tc}] = {b.name}[{turn} * {side} + {tr}, {c}]", "    cuda.syncthreads()",
            f"    for {k} in range({side}):", f"        {acc} += {sa}[{tr}, {k}] * {sb}[{k}, {tc}]", "    cuda.syncthreads()",
            f"if {r} < {length(g, out)} and {c} < {length(g, out, 1)}:", f"    {out.name}[{r}, {c}] = {acc}"]


AXES_1 = [tree, tree, turned, running, counts, halo, counted_before, shares, shares]
AXES_2 = [tile, tiled_product, tiled_product, rows_of_tile, rows_of_tile]
