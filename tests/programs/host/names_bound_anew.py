"""Functions that kernels call are those that their names stand for at the launch, by whatever text
they are made, and however often a name is bound."""
import numpy as np
from numba import cuda
def run(k, n=4):
    out = np.zeros(n)
    k[1, n](out)
    print(out)
fs = [cuda.jit(device=True)(lambda x: x * i) for i in range(3)]
@cuda.jit
def k(out):
    i = cuda.grid(1)
    out[i] = fs0(i)
fs0 = fs[0]
run(k)
fs2 = [cuda.jit(device=True)(lambda x, i=i: x * i) for i in range(3)]
fs0 = fs2[1]
@cuda.jit
def k(out):
    i = cuda.grid(1)
    out[i] = fs0(i) + 1
run(k)
def mk():
    gs = []
    for j in range(3):
        @cuda.jit(device=True)
        def g(x):
            return x + j
        gs.append(g)
    j = 50
    return gs
g0 = mk()[0]
@cuda.jit
def k(out):
    i = cuda.grid(1)
    out[i] = g0(i)
run(k)
x = 5
def f():
    x = 7
    @cuda.jit
    def k(out):
        out[cuda.grid(1)] = x
    x = 9
    return k
run(f())
C = [1, 2, 3]
D = tuple(C)
C[0] = 100
@cuda.jit
def k(out):
    out[cuda.grid(1)] = D[0] + D[2]
run(k)
A = np.arange(4)
B = A
A[0] = 9
A = A + 1
@cuda.jit
def k(out):
    i = cuda.grid(1)
    out[i] = A[i] * 100 + B[i]
run(k)
@cuda.jit(device=True)
def h(x):
    return x + 1
@cuda.jit
def k(out):
    i = cuda.grid(1)
    out[i] = h(i)
@cuda.jit(device=True)
def h(x):
    return x + 1000
run(k)
@cuda.jit(device=True)
def h(x):
    return x + 5
@cuda.jit
def k2(out):
    i = cuda.grid(1)
    out[i] = h(i)
run(k2)
hh = h
@cuda.jit(device=True)
def h(x):
    return hh(x) * 2
@cuda.jit
def k3(out):
    i = cuda.grid(1)
    out[i] = h(i)
run(k3)
def outer(n):
    def mid(m):
        @cuda.jit(device=True)
        def leaf(x, z=n * m):
            return x + n * 100 + m * 10 + z * 1000
        return leaf
    n += 1
    return mid(n + 1)
leaf = outer(1)
@cuda.jit
def k4(out):
    i = cuda.grid(1)
    out[i] = leaf(i)
run(k4)
w = 3
def counter():
    global w
    w += 1
    return w
@cuda.jit(device=True)
def called(x, n=counter()):
    return x + n * 10 + w
counter()
@cuda.jit
def k5(out):
    i = cuda.grid(1)
    out[i] = called(i)
run(k5)
