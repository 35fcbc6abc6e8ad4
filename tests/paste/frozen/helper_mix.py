"""Beside a module of helpers in a .k file, and one in a .py file."""
import mathtools
import mathtools as mt
from mathtools import lerp, PHI as GOLDEN, __all__ as names
from numba import cuda


@cuda.jit
def blend(a, b, w, out):
    i = cuda.grid(1)
    if i < out.size:
        out[i] = lerp(a[i], b[i], w)


@cuda.jit
def golden(x):
    i = cuda.grid(1)
    if i < x.size:
        x[i] = mt.smooth(x[i]) * GOLDEN + mathtools.PHI - mt.tables.SIZE


def unused():
    raise SystemExit(names)
