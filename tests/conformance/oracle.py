#!/usr/bin/env python3
"""Regenerate the conformance tables in this directory from the real numba-cuda.

Made with:  numba 0.68.1, numba-cuda 0.30.4, numpy 2.4.6, CPython 3.11, libNVVM of
            CUDA 13.0, target sm_90.  (Each run prints the versions it used.)

Needs:      a Python environment with numba and numba-cuda, and libNVVM
            (`pip install 'numba-cuda[cu13]'` or a CUDA toolkit).  No GPU is used.

Re-run:     python oracle.py [binary|ufunc|unary|unify|math|minmax|inplace|casts|setitem|
            atomics|index|intrinsics|forms|conversions|
            overloads|probes ...]
            (no argument: all tables; files are written beside this script)

What a cell means.  Each row is one tiny device function such as
`def f(a, b): return a // b`, type-inferred and compiled for the given argument
types.  The last column is the *inferred return type*, or `error`.
`error` covers every stage: typing, lowering, NVVM, and PTX that would not link
(calls an undefined external function).  Rows where typing accepts but a later
stage fails are also listed in `late_errors.tsv` with the type that inference
gave and the stage.  `intlit` is the literal 2 and `floatlit` the literal 2.0 (as
written in source, i.e. numba's `Literal[int](2)` and `float64`).
Type names are numba's own; tuples are written `(t1, t2)`.

probes.txt is the input of `probes`: `args => variables to show => body`, one
snippet per line (`\\n` is a line break, text before `@@` is module level);
probes.tsv is its output and the evidence for NOTES.md.
"""
import itertools
import os
import re
import sys
import warnings

warnings.simplefilter("ignore")
os.environ.setdefault("NUMBA_CUDA_LOW_OCCUPANCY_WARNINGS", "0")

import numpy
import numba
import numba_cuda
from numba.cuda import types
from numba.cuda.compiler import compile_cuda

import numba.cuda.dispatcher as _dispatcher


class _Device:
    """Overloads (e.g. max(bool, bool)) ask the current device's capability."""
    compute_capability = (9, 0)


_dispatcher.get_current_device = lambda: _Device

HERE = os.path.dirname(os.path.abspath(__file__))
CC = (9, 0)

T = {
    "bool": types.boolean,
    "int8": types.int8, "int16": types.int16,
    "int32": types.int32, "int64": types.int64,
    "uint8": types.uint8, "uint16": types.uint16,
    "uint32": types.uint32, "uint64": types.uint64,
    "float16": types.float16, "float32": types.float32, "float64": types.float64,
    "complex64": types.complex64, "complex128": types.complex128,
}
DTYPES = list(T)
LIT = {"intlit": "2", "floatlit": "2.0"}
OPERANDS = DTYPES + list(LIT)
LINKABLE = {"vprintf", "malloc", "free", "__assertfail"}
LATE = []


def tname(t):
    t = types.unliteral(t)
    if isinstance(t, (types.UniTuple, types.Tuple)):
        ts = [tname(x) for x in t.types]
        return "(" + ", ".join(ts) + ("," if len(ts) == 1 else "") + ")"
    return re.sub(r" at 0x[0-9a-f]+", "", str(t)).replace("__nv_bfloat16", "bfloat16")


PRELUDE = """import math, operator
import numpy as np
import numba
from numba import cuda
from numba.cuda import types
from numba import (int8, int16, int32, int64, uint8, uint16, uint32, uint64,
                   float32, float64, complex64, complex128)
"""


def infer(src, argtypes, show=()):
    """Compile function `f` of `src`; return (type or None, stage or None, text).

    With `show`, the type is that of those local variables, every SSA version
    (`x=int64 x.1=float64`), instead of the return type.
    """
    ns = {}
    exec(PRELUDE + src, ns)
    try:
        cres = compile_cuda(ns["f"], None, tuple(argtypes), cc=CC)
    except Exception as e:
        name = type(e).__name__
        stage = "typing" if name == "TypingError" else "lowering"
        # A TypingError raised while lowering carries the lowering pass's name.
        if "lower" in str(e).lower() and "nopython frontend" not in str(e):
            stage = "lowering"
        return None, stage, "%s: %s" % (name, e)
    ret = tname(cres.signature.return_type)
    if show:
        tm = cres.type_annotation.typemap
        found = sorted((k, tname(v)) for k, v in tm.items()
                       if k.split(".")[0] in show)
        ret = " ".join(f"{k}={v}" for k, v in found)
    try:
        ptx = cres.library.get_asm_str(cc=CC)
    except Exception as e:
        return ret, "nvvm", "%s: %s" % (type(e).__name__, e)
    ext = set(re.findall(r"\.extern \.func\s+(?:\(.*?\)\s*)?([\w$]+)", ptx, re.S))
    # float16 operators and reshape call CUDA C++ shims that numba-cuda compiles
    # and links in by itself.
    ext = {e for e in ext - LINKABLE
           if "6__half" not in e and "nv_bfloat16" not in e
           and e != "numba_attempt_nocopy_reshape"}
    if ext:
        return ret, "link", "undefined: " + ", ".join(sorted(ext))
    return ret, None, ""


def typed_only(src, argtypes):
    """Inference alone, for rows where a later stage failed."""
    from numba.cuda.core import typed_passes as tp
    from numba.cuda.compiler import run_frontend
    from numba.cuda.descriptor import cuda_target
    ns = {}
    exec(PRELUDE + src, ns)
    ir = run_frontend(ns["f"])
    tgt = cuda_target.target_context
    try:
        r = tp.type_inference_stage(
            cuda_target.typing_context, tgt, ir, tuple(argtypes), None)
        return tname(r.return_type)
    except Exception:
        return None


def cell(table, key, src, argtypes):
    ret, stage, text = infer(src, argtypes)
    if stage is None:
        return ret
    if stage != "typing":
        t = ret or typed_only(src, argtypes)
        LATE.append((table, key, t or "?", stage,
                     " ".join(text.split())[:160]))
    return "error"


def call(expr, names):
    """Function returning `expr` of {0}, {1}.. where literals are locals."""
    params, pre, out = [], [], []
    for i, n in enumerate(names):
        v = "ab"[i]
        if n in LIT:
            pre.append("    %s = %s\n" % (v, LIT[n]))
        else:
            params.append(v)
        out.append(v)
    return "def f(%s):\n%s    return %s\n" % (
        ", ".join(params), "".join(pre), expr.format(*out))


def sig(names):
    return [T[n] for n in names if n not in LIT]


def write(fname, header, rows):
    with open(os.path.join(HERE, fname), "w") as fh:
        fh.write("\t".join(header) + "\n")
        for r in rows:
            fh.write("\t".join(r) + "\n")
    print(fname, len(rows))


BINOPS = "+ - * / // % ** & | ^ << >> == <".split()


def binary():
    rows = []
    for l, r in itertools.product(OPERANDS, OPERANDS):
        for op in BINOPS:
            k = (l, r)
            rows.append((l, r, op, cell("binary", f"{l} {op} {r}",
                         call("{0} %s {1}" % op, k), sig(k))))
    write("binary.tsv", ("left", "right", "op", "result"), rows)


def unary():
    rows = []
    ops = [("-", "-{0}"), ("+", "+{0}"), ("~", "~{0}"), ("not", "not {0}")]
    ops += [(n, n + "({0})") for n in "abs round int float bool".split()]
    ops += [("round2", "round({0}, 2)")]
    for op, e in ops:
        for n in OPERANDS:
            rows.append((op, n, cell("unary", f"{op} {n}",
                         call(e, (n,)), sig((n,)))))
    write("unary.tsv", ("op", "operand", "result"), rows)


def join_src(l, r):
    ps = ["c"] + [v for v, n in (("a", l), ("b", r)) if n not in LIT]
    return ("def f(%s):\n    if c:\n        x = %s\n    else:\n        x = %s\n"
            "    return x\n" % (", ".join(ps), LIT.get(l, "a"), LIT.get(r, "b")))


TUPLE_JOINS = [
    ("(int32, int32)", "(int32, int32)"), ("(int32, int32)", "(int64, int64)"),
    ("(int32, float32)", "(int64, float64)"), ("(int32, int64)", "(int64, int32)"),
    ("(float32, float32)", "(float64, float64)"),
    ("(int32, int32)", "(float64, float64)"),
    ("(int64, uint64)", "(uint64, int64)"),
    ("(int32,)", "(int64,)"), ("(int32, int32)", "(int32, int32, int32)"),
    ("(int32, int32)", "int32"), ("()", "()"), ("(int32,)", "()"),
    ("((int32, int32), float32)", "((int64, int64), float64)"),
]


def ttype(s):
    return eval(re.sub(r"\b([a-z]+\d*)\b", r"T['\1']", s))


def as_type(v):
    return types.BaseTuple.from_types([as_type(x) for x in v]) \
        if isinstance(v, tuple) else v


def unify():
    rows = []
    for l, r in itertools.product(OPERANDS, OPERANDS):
        rows.append((l, r, cell("unify", f"{l} | {r}", join_src(l, r),
                                [types.int32] + sig((l, r)))))
    for l, r in TUPLE_JOINS:
        rows.append((l, r, cell("unify", f"{l} | {r}", join_src("", ""),
                    [types.int32, as_type(ttype(l)), as_type(ttype(r))])))
    none = "def f(c, a):\n    if c:\n        x = None\n    else:\n        x = a\n    return x\n"
    for n in ("int32", "float32"):
        rows.append(("None", n, cell("unify", f"None | {n}", none,
                                     [types.int32, T[n]])))
    write("unify.tsv", ("left", "right", "result"), rows)


MATH1 = """acos acosh asin asinh atan atanh cos cosh sin sinh tan tanh exp exp2 expm1
log log2 log10 log1p sqrt fabs erf erfc gamma lgamma degrees radians ceil floor trunc
isnan isinf isfinite frexp modf""".split()
MATH2 = "atan2 hypot fmod copysign nextafter remainder pow ldexp".split()
REALS = [n for n in OPERANDS if not n.startswith("complex")]


def math_():
    import numba.cuda.bf16  # registers math's functions of bfloat16
    T["bfloat16"] = types.bfloat16
    rows = []
    for fn in MATH1:
        for n in OPERANDS + ["bfloat16"]:
            rows.append((fn, n, "", cell("math", f"{fn}({n})",
                         call("math.%s({0})" % fn, (n,)), sig((n,)))))
    for fn in MATH2:
        for k in itertools.product(REALS + ["bfloat16"], repeat=2):
            rows.append((fn,) + k + (cell("math", f"{fn}({k[0]}, {k[1]})",
                         call("math.%s({0}, {1})" % fn, k), sig(k)),))
    write("math.tsv", ("function", "arg1", "arg2", "result"), rows)


def minmax():
    rows = []
    for fn in ("min", "max"):
        for k in itertools.product(OPERANDS, OPERANDS):
            rows.append((fn,) + k + (cell("minmax", f"{fn}({k[0]}, {k[1]})",
                         call(fn + "({0}, {1})", k), sig(k)),))
    write("minmax.tsv", ("function", "arg1", "arg2", "result"), rows)


def inplace():
    """`x op= y; return x`, only the rows that differ from `x op y`."""
    rows = []
    for l, r in itertools.product(OPERANDS, OPERANDS):
        for op in BINOPS[:-2]:
            k = (l, r)
            plain = infer(call("{0} %s {1}" % op, k), sig(k))
            src = call("{0}", k).replace("    return", "    a %s= b\n    return" % op)
            got = cell("inplace", f"{l} {op}= {r}", src, sig(k))
            want = "error" if plain[1] else plain[0]
            if got != want:
                rows.append((l, r, op + "=", got, want))
    write("inplace.tsv", ("left", "right", "op", "result", "binary_result"), rows)


def casts():
    """The types both operands are converted to before the operation."""
    rows = []
    for l, r in itertools.product(OPERANDS, OPERANDS):
        for op in BINOPS + ["!=", ">="]:
            k = (l, r)
            ns = {}
            exec(PRELUDE + call("{0} %s {1}" % op, k), ns)
            try:
                cres = compile_cuda(ns["f"], None, tuple(sig(k)), cc=CC)
            except Exception:
                continue
            for e, s in cres.type_annotation.calltypes.items():
                if getattr(e, "op", None) in ("binop",) and len(s.args) == 2:
                    rows.append((l, r, op, tname(s.args[0]), tname(s.args[1]),
                                 tname(s.return_type)))
    write("operand_casts.tsv", ("left", "right", "op", "left_as", "right_as",
                                "result"), rows)


# --- tables over arrays -----------------------------------------------------

def arr(dt, nd=1):
    return types.Array(T[dt], nd, "C")


def value(n):
    return LIT.get(n, "v")


def setitem():
    rows = []
    for a, v in itertools.product(DTYPES, OPERANDS):
        src = "def f(a%s):\n    a[0] = %s\n" % ("" if v in LIT else ", v", value(v))
        t = cell("setitem", f"{a}[] = {v}", src, [arr(a)] + sig((v,)))
        rows.append((a, v, "ok" if t == "none" else t))
    write("setitem.tsv", ("array", "value", "result"), rows)


ATOMIC_A = """bool int8 int16 int32 int64 uint8 uint16 uint32 uint64 float16 float32
float64 complex64""".split()
ATOMIC_V = """bool int8 int32 int64 uint8 uint32 uint64 float16 float32 float64
complex64 intlit floatlit""".split()
ATOMICS = "add sub max min nanmax nanmin and_ or_ xor inc dec exch".split()


def atomics():
    rows = []
    for op, a, v in itertools.product(ATOMICS, ATOMIC_A, ATOMIC_V):
        src = "def f(a%s):\n    return cuda.atomic.%s(a, 0, %s)\n" % (
            "" if v in LIT else ", v", op, value(v))
        rows.append((op, a, v, cell("atomics", f"{op}({a}[], 0, {v})", src,
                                    [arr(a)] + sig((v,)))))
    for a, v in itertools.product(ATOMIC_A, ATOMIC_V):
        if v in LIT:
            continue
        src = "def f(a, v):\n    return cuda.atomic.cas(a, 0, v, v)\n"
        rows.append(("cas", a, v, cell("atomics", f"cas({a}[], 0, {v}, {v})",
                                       src, [arr(a), T[v]])))
        src = "def f(a, v):\n    return cuda.atomic.compare_and_swap(a, v, v)\n"
        rows.append(("compare_and_swap", a, v, cell(
            "atomics", f"compare_and_swap({a}[], {v}, {v})", src, [arr(a), T[v]])))
    write("atomics.tsv", ("op", "array", "value", "result"), rows)


def index():
    """How each index type fares: plain load, plain store, atomic.add."""
    rows = []
    for i in OPERANDS:
        p = "" if i in LIT else ", i"
        e = LIT.get(i, "i")
        for what, body in (("load", f"return a[{e}]"), ("store", f"a[{e}] = 1"),
                           ("atomic.add", f"return cuda.atomic.add(a, {e}, 1)"),
                           ("load2", f"return b[{e}, {e}]"),
                           ("atomic.add2", f"return cuda.atomic.add(b, ({e}, {e}), 1)")):
            src = f"def f(a, b{p}):\n    {body}\n"
            t = cell("index", f"{what} [{i}]", src,
                     [arr("int32"), arr("int32", 2)] + sig((i,)))
            rows.append((what, i, "ok" if t in ("none", "int32") else t))
    write("index.tsv", ("access", "index", "result"), rows)


def intrinsics():
    """One value argument `v` of each dtype; `m` is int32, `f` float32."""
    exprs = """cuda.shfl_sync(-1, v, 0)|cuda.shfl_up_sync(-1, v, 1)
cuda.shfl_down_sync(-1, v, 1)|cuda.shfl_xor_sync(-1, v, 1)
cuda.shfl_sync(v, 1, 0)|cuda.shfl_sync(-1, 1, v)
cuda.all_sync(-1, v)|cuda.any_sync(-1, v)|cuda.eq_sync(-1, v)|cuda.ballot_sync(-1, v)
cuda.ballot_sync(v, True)|cuda.match_any_sync(-1, v)|cuda.match_all_sync(-1, v)
cuda.popc(v)|cuda.brev(v)|cuda.clz(v)|cuda.ffs(v)|cuda.cbrt(v)|cuda.fma(v, v, v)
cuda.selp(True, v, v)|cuda.selp(v, 1, 2)
cuda.syncthreads_count(v)|cuda.syncthreads_and(v)|cuda.syncthreads_or(v)
cuda.syncwarp(v)|cuda.nanosleep(v)|cuda.fp16.hadd(v, v)|cuda.fp16.hsqrt(v)
int8(v)|int32(v)|uint32(v)|int64(v)|uint64(v)|np.float16(v)|float32(v)|float64(v)|complex64(v)
np.int32(v)|np.bool_(v)|complex(v)|v.real|v.imag|(v, v)
divmod(v, v)|pow(v, v)|pow(v, 2)|sum((v, v))|min(v, v, v)|max((v, v))""".replace("\n", "|").split("|")
    rows = []
    for e in exprs:
        for n in DTYPES:
            rows.append((e, n, cell("intrinsics", f"{e} {n}",
                         f"def f(v):\n    return {e}\n", [T[n]])))
    write("intrinsics.tsv", ("expression", "v", "result"), rows)


# --- probes: the snippets behind NOTES.md ----------------------------------

def parse_args(s):
    if not s:
        return [], []
    names, tys = [], []
    for part in s.split("; "):
        n, t = part.split(": ")
        m = re.fullmatch(r"(\w+)\[(\d)d(\w?)\]", t)
        names.append(n)
        if m:
            tys.append(types.Array(T[m[1]], int(m[2]), m[3] or "C"))
        elif t.startswith("("):
            tys.append(as_type(ttype(t)))
        else:
            tys.append(T[t])
    return names, tys


def short(text):
    """The first telling line of a numba error."""
    lines = [x.strip() for x in text.splitlines() if x.strip()]
    drop = ("Failed in cuda mode", "<source missing", 'File "<string>"',
            "During: Pass", "Overload", "There are")
    lines = [x for x in lines if x != "None" and not any(d in x for d in drop)]
    out = re.sub(r" at 0x[0-9a-f]+", "", " | ".join(lines[:4]))
    out = re.sub(r" from '/[^']*'?", "", out)
    return " ".join(out.split())[:200]


def probes():
    """Read PROBES.txt: `# section`, then `args => show => body` lines; body
    lines are separated by `\\n`, and a body before `@@` is module level."""
    rows, section = [], ""
    with open(os.path.join(HERE, "probes.txt")) as fh:
        for line in fh:
            line = line.rstrip("\n")
            if not line:
                continue
            if line.startswith("# "):
                section = line[2:].split()[0]
                continue
            a, show, body = (x.strip() for x in line.split("=>", 2))
            pre, _, main_ = body.rpartition("@@")
            names, tys = parse_args(a)
            src = pre.replace("\\n", "\n") + "\n" + "def f(%s):\n    %s\n" % (
                ", ".join(names), main_.strip().replace("\\n", "\n    "))
            ret, stage, text = infer(src, tys, tuple(show.split()))
            if stage:
                rows.append((section, a, body, "error", stage + ": " + short(text)))
            else:
                rows.append((section, a, body, ret, ""))
    write("probes.tsv", ("section", "args", "body", "result", "message"), rows)


UFUNCS = """absolute arccos arccosh arcsin arcsinh arctan arctanh cbrt ceil conjugate cos cosh deg2rad
    degrees exp exp2 expm1 fabs floor invert isfinite isinf isnan log log10 log1p log2 logical_not
    negative positive rad2deg radians reciprocal rint sign signbit sin sinh spacing sqrt square tan
    tanh trunc add arctan2 bitwise_and bitwise_or bitwise_xor copysign divide divmod equal
    float_power floor_divide fmax fmin fmod gcd greater greater_equal hypot lcm ldexp left_shift less
    less_equal logaddexp logaddexp2 logical_and logical_or logical_xor maximum minimum multiply
    nextafter not_equal power remainder right_shift subtract true_divide""".split()
UFUNC_TYPES = ["bool", *(f"{sign}int{bits}" for sign in ("", "u") for bits in (8, 16, 32, 64)),
               "float16", "float32", "float64", "complex64", "complex128"]


def ufunc():
    """What typing gives NumPy's functions of scalars; a column for each type of the last one."""
    from numba.cuda.descriptor import cuda_target
    context = cuda_target.typing_context
    context.refresh()

    def ask(function, *names):
        try:
            args = tuple(T[name] for name in names)
            return tname(context.resolve_function_type(function, args, {}).return_type)
        except Exception:
            return "error"

    rows = []
    for name in UFUNCS:
        function = getattr(numpy, name)
        for first in UFUNC_TYPES if function.nin == 2 else [""]:
            known = [first] if first else []
            rows.append((name, first, *(ask(function, *known, last) for last in UFUNC_TYPES)))
    write("ufunc.tsv", ("function", "arg1", *UFUNC_TYPES), rows)


def nep50():
    """NumPy 2's own results: literals are Python's numbers, all else NumPy's scalars."""
    import operator
    literals = {"intlit": 2, "floatlit": 2.0}
    ops = {"+": operator.add, "-": operator.sub, "*": operator.mul, "/": operator.truediv,
           "//": operator.floordiv, "%": operator.mod, "**": operator.pow, "&": operator.and_,
           "|": operator.or_, "^": operator.xor, "<<": operator.lshift, ">>": operator.rshift,
           "==": operator.eq, "<": operator.lt}

    def operand(name):
        return literals[name] if name in literals else numpy.dtype(name).type(2)

    def result(op, left, right):
        try:
            with numpy.errstate(all="ignore"):
                return numpy.asarray(op(operand(left), operand(right))).dtype.name
        except Exception:
            return "error"

    names = [*UFUNC_TYPES, *literals]
    write("nep50.tsv", ("left", "right", "op", "result"),
          [(left, right, symbol, result(op, left, right)) for symbol, op in ops.items()
           for left in names for right in names if not (left in literals and right in literals)])


CONSTRUCTORS = """bool int float complex int8 int16 int32 int64 uint8 uint16 uint32 uint64 float16 float32
float64 complex64 complex128""".split()
FORMS1 = ["abs({0})", "round({0})", "sum(({0}, {0}, {0}))", "sum(({0},))", "min(({0}, {0}))",
          "max(({0}, {0}))", "pow({0}, 2)", "pow({0}, -1)", "pow({0}, 0.5)", "{0} ** 3",
          "{0} is None", "{0} is not None",
          *(f"{name}({{0}})" for name in CONSTRUCTORS if name != "float16"),
          *(f"np.{name}{'_' if name == 'bool' else ''}({{0}})" for name in CONSTRUCTORS
            if name not in ("int", "float", "complex"))]
FORMS2 = ["{0} != {1}", "{0} > {1}", "{0} <= {1}", "{0} >= {1}", "{0} if c else {1}", "{0} and {1}",
          "{0} or {1}", "pow({0}, {1})", "divmod({0}, {1})", "sum(({0}, {1}))", "round({0}, {1})",
          "complex({0}, {1})", "({0}, {1}) == ({1}, {0})", "({0}, {1}) < ({1}, {0})",
          "{0} in ({1}, {1})"]
RANGES = ["range({0})", "range({0}, {1})", "range({0}, 9, {1})"]


def forms():
    """Expressions of every type, and of every pair of types; range gives its loop's variable."""
    rows = []

    def row(form, names):
        source = call(form, names)
        if form.startswith("range"):
            source = source.replace("    return range", "    for x in range").replace(
                ")\n", "):\n        pass\n    return x\n")
        source = source.replace("def f(", "def f(c, ").replace("c, )", "c)")
        result = cell("forms", form.format(*names), source, [types.int32] + sig(names))
        rows.append((form, *names, *[""] * (2 - len(names)), result))

    for form in FORMS1 + FORMS2 + RANGES:
        for names in itertools.product(OPERANDS, repeat=2 if "{1}" in form else 1):
            row(form, names)
    write("forms.tsv", ("form", "arg1", "arg2", "result"), rows)


def conversions():
    """How typing rates an argument of one type for a parameter of another."""
    from numba.cuda.descriptor import cuda_target
    context = cuda_target.typing_context
    context.refresh()

    def kind(left, right):
        found = context.can_convert(T[left], T[right])
        return "none" if found is None else found.name

    write("conversions.tsv", ("from", "to", "conversion"),
          [(left, right, kind(left, right)) for left in DTYPES for right in DTYPES])


# Signatures of a device function, which the arguments are tried on.
OVERLOADS = """int32(int32)|int32(int32) float32(float32)|float32(float32) int32(int32)
int64(int64) float64(float64)|uint8(uint8) int16(int16) float32(float32)
complex128(complex128) float32(float32)|int32(int8) float64(int64)|bool(bool) uint64(uint64)
int64(uint32) uint64(int64)|float16(float16) float64(float64) complex64(complex64)""".replace(
    "\n", "|").split("|")


def overloads():
    """Which of a device function's signatures a call takes: their results tell."""
    rows = []
    for declared in OVERLOADS:
        listed = ", ".join(f'"{one}"' for one in declared.replace("bool", "boolean").split())
        source = f"@cuda.jit([{listed}], device=True)\ndef g(x):\n    return x\n"
        for n in OPERANDS:
            k = (n,)
            rows.append((declared, n, cell("overloads", f"{declared} {n}",
                                           source + call("g({0})", k), sig(k))))
    write("overloads.tsv", ("signatures", "argument", "result"), rows)


TABLES = {"forms": forms, "conversions": conversions, "overloads": overloads, "binary": binary, "nep50": nep50, "ufunc": ufunc, "unary": unary, "unify": unify, "math": math_,
          "minmax": minmax, "inplace": inplace, "casts": casts,
          "setitem": setitem, "atomics": atomics, "index": index,
          "intrinsics": intrinsics, "probes": probes}


def main(argv):
    print("python %s numba %s numba-cuda %s numpy %s" % (
        sys.version.split()[0], numba.__version__, numba_cuda.__version__,
        numpy.__version__))
    names = argv or list(TABLES)
    old = []
    late = os.path.join(HERE, "late_errors.tsv")
    if os.path.exists(late):
        with open(late) as fh:
            old = [tuple(x.rstrip("\n").split("\t")) for x in fh][1:]
        old = [x for x in old if x[0] not in names]
    for n in names:
        TABLES[n]()
    write("late_errors.tsv", ("table", "case", "inferred", "stage", "message"),
          sorted(set(old + LATE)))


if __name__ == "__main__":
    main(sys.argv[1:])
