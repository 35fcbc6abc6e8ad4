"""Signatures that the program puts together."""
import numba as nb
import numpy as np
from numba import cuda, float32, float64, void, types, int32
arr = float64[:]
T = float64
arr2 = types.Array(T, 1, "A")
pairs = (arr, T)
name = "float64"
SIG5 = "void({0}[:], {0})".format(name)

@cuda.jit(void(arr, T))
def a(x, y): x[cuda.grid(1)] = y
@cuda.jit("void(%s[:], %s)" % (name, name))
def b(x, y): x[cuda.grid(1)] = y
@cuda.jit(f"void({name}[:], {name})")
def c(x, y): x[cuda.grid(1)] = y
@cuda.jit(void(arr2, T))
def d(x, y): x[cuda.grid(1)] = y
@cuda.jit(SIG5)
def e(x, y): x[cuda.grid(1)] = y
@cuda.jit(pairs)
def g(x, y): x[cuda.grid(1)] = y
@cuda.jit([(t[:], t) for t in (float32, float64)])
def h(x, y): x[cuda.grid(1)] = y
def sig(t, r=void):
    """doc"""
    return r(t[:], t)
@cuda.jit([sig(float32), sig(T)])
def i(x, y): x[cuda.grid(1)] = y
@cuda.jit(list(map(sig, [float32, float64])))
def j(x, y): x[cuda.grid(1)] = y
FLOATS = [float32, float64]
@cuda.jit([void(t[:], t) for t in FLOATS] + [void(int32[:], int32)])
def k(x, y): x[cuda.grid(1)] = y
@cuda.jit("void(" + ", ".join(["f8[:]", "f8"]) + ")")
def l(x, y): x[cuda.grid(1)] = y
@cuda.jit("void(" "f8[:]," "f8)")
def n(x, y): x[cuda.grid(1)] = y
@cuda.jit("(f8[:], f8)".replace("f8", "float64"))
def o(x, y): x[cuda.grid(1)] = y
