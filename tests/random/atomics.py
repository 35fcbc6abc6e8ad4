"""Atomics whose final values no order shows in, and old values where a thread is alone.

`all_OP_KIND` are what all threads meet in; `alone` has elements of each thread's own.
"""
from arith import SLOTS, index, of_kind
from values import FLOATS, SIGNED, UNSIGNED

INTEGERS = ["int32", "int64", "uint32", "uint64", "int8", "uint16"]
SHARED = [("add", INTEGERS + ["float32", "float64"]), ("max", INTEGERS + FLOATS),
          ("min", INTEGERS + FLOATS), ("xor", INTEGERS), ("or_", INTEGERS), ("and_", INTEGERS),
          ("sub", INTEGERS), ("nanmax", FLOATS), ("nanmin", FLOATS)]


def met(g, depth, together):
    if not g.in_kernel:
        return None
    op, kind = g.random.choice(g.meetings)
    return [f"cuda.atomic.{op}(all_{op}_{kind}, {index(g, 1)}, {of_kind(g, kind, 1)})"]


def alone(g, depth, together):
    """The old value, of an element that no other thread uses."""
    if not g.in_kernel:
        return None
    kind, name = g.alone_kind, g.fresh("v")
    value = of_kind(g, kind, 1)
    form = g.pick(f"add(alone, thread, {kind}(1))", f"max(alone, thread, {value})",
                  f"exch(alone, thread, {value})", f"cas(alone, thread, {kind}(0), {value})",
                  f"xor(alone, thread, {value})", f"compare_and_swap(alone[thread:], {kind}(0), {value})")
    g.variables[name] = kind
    return [f"{name} = cuda.atomic.{form}"]


def begin(g):
    pairs = [(op, kind) for op, kinds in SHARED for kind in kinds]
    g.meetings = g.random.sample(pairs, 6)
    for op, kind in g.meetings:
        value = f"full({SLOTS}, 100, dtype={kind})" if op == "and_" else f"zeros({SLOTS}, dtype={kind})"
        g.parameters.append((f"all_{op}_{kind}", value, True))
    g.alone_kind = g.pick("int32", "int64", "uint32", "uint64")
    g.parameters.append(("alone", f"zeros({g.threads}, dtype={g.alone_kind})", True))


EXPRESSIONS = []
STATEMENTS = [met, met, alone]
NESTING = []
TOGETHER = []
