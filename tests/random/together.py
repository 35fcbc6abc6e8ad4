"""What the threads of a block or a warp do together, where all of them are.

`pool_KIND` is shared memory with an element for each thread.
"""
from arith import condition, of_kind
from values import DTYPES, FLOATS, SIGNED, UNSIGNED

THREADS = 64
FULL = "0xffffffff"


def named(g, kind, value):
    """A statement that gives a new name to a value."""
    name = g.fresh("v")
    g.variables[name] = kind
    return f"{name} = {value}"


def exchange(g, depth, together):
    """Through shared memory."""
    kind = g.pick(*g.kinds)
    value, shift = of_kind(g, kind, 2), g.random.randrange(THREADS)
    return ["cuda.syncthreads()", f"pool_{kind}[cuda.threadIdx.x] = {value}", "cuda.syncthreads()",
            named(g, kind, f"pool_{kind}[(cuda.threadIdx.x + {shift}) % {THREADS}]")]


def through_function(g, depth, together):
    """A device function that waits, on shared memory of its own and on what it is given."""
    kind = g.pick(*g.kinds)
    value, shift = of_kind(g, kind, 2), g.random.randrange(THREADS)
    form = g.pick(f"exchanged(pool_{kind}, {value}, {shift})", f"turned_round({value}, {kind})")
    return [named(g, kind, form)]


def tile(g, depth, together):
    """A matrix in shared memory, written by rows and read by columns."""
    kind, name = g.pick(*DTYPES), g.fresh("s")
    value = of_kind(g, kind, 2)
    return [f"{name} = cuda.shared.array((8, 9), {kind})",
            f"{name}[cuda.threadIdx.x // 8, cuda.threadIdx.x % 8] = {value}", "cuda.syncthreads()",
            named(g, kind, f"{name}[cuda.threadIdx.x % 8, cuda.threadIdx.x // 8]")]


def shuffle(g, depth, together):
    kind = g.pick("int8", "uint8", "int16", "uint16", "int32", "int64", "uint32", "uint64", "float16",
                  "float32", "float64")
    form = g.pick("shfl_sync", "shfl_up_sync", "shfl_down_sync", "shfl_xor_sync")
    value = of_kind(g, kind, 2)
    return [named(g, kind, f"cuda.{form}({FULL}, {value}, {g.random.randrange(32)})")]


def vote(g, depth, together):
    asked, kind = condition(g, 2), g.pick("int32", "int64", "float32", "float64")
    value = of_kind(g, kind, 1)
    form = g.pick(f"cuda.ballot_sync({FULL}, {asked})", f"int32(cuda.any_sync({FULL}, {asked}))",
                  f"int32(cuda.all_sync({FULL}, {asked}))", f"int32(cuda.eq_sync({FULL}, {asked}))",
                  f"cuda.syncthreads_count(int32({asked}))", f"cuda.syncthreads_and(int32({asked}))",
                  f"cuda.syncthreads_or(int32({asked}))", f"cuda.match_any_sync({FULL}, {value})",
                  f"cuda.match_all_sync({FULL}, {value})[0]")
    return [named(g, "int32", form)]


def reduced(g, depth, together):
    """The library's block and warp functions, on integers."""
    kind = g.pick("int32", "int64", "uint32", "uint64")
    value = of_kind(g, kind, 2)
    form = g.pick("block_sum({})", "block_min({})", "block_max({})", "warp_sum({})", "warp_max({})",
                  "block_inclusive_sum({})", "block_exclusive_sum({})", "warp_reduce({}, max)",
                  "block_reduce({}, lambda a, b: a ^ b)")
    name = g.fresh("v")
    g.variables[name] = kind
    return [f"{name} = {kind}({form.format(value)})"]


def begin(g):
    g.definitions += [
        "def exchanged(pool, value, shift):",
        "    cuda.syncthreads()",
        "    pool[cuda.threadIdx.x] = value",
        "    cuda.syncthreads()",
        f"    return pool[(cuda.threadIdx.x + shift) % {THREADS}]",
        "", "",
        "def turned_round(value, dtype):",
        f"    mine = cuda.shared.array({THREADS}, dtype)",
        f"    mine[{THREADS - 1} - cuda.threadIdx.x] = value",
        "    cuda.syncthreads()",
        "    value = mine[cuda.threadIdx.x]",
        "    cuda.syncthreads()",
        "    return value",
        "", ""]
    g.imports += ["from reduce import block_max, block_min, block_reduce, block_sum, warp_max, warp_reduce, warp_sum",
                  "from scan import block_exclusive_sum, block_inclusive_sum"]
    g.start += [f"pool_{kind} = cuda.shared.array({THREADS}, {kind})" for kind in g.kinds]


EXPRESSIONS = []
STATEMENTS = []
NESTING = []
TOGETHER = [exchange, shuffle, vote, tile, through_function, reduced]
