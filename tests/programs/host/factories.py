"""Kernels of factories that are given what other factories have made."""
from numba import cuda, float64, int64
import numpy as np
import math

def power(n):
    @cuda.jit(device=True)
    def inner(x):
        return x ** n
    return inner

TABLE = np.array([1.0, 2.0, 4.0])

def combine(*fs, weights=TABLE):
    f0, f1 = fs
    w = tuple(weights)
    @cuda.jit(device=True)
    def both(x):
        return w[0] * f0(x) + w[2] * f1(x)
    return both

def integrator(rhs, order=2):
    if order == 2:
        @cuda.jit(device=True)
        def step(y, h):
            k1 = rhs(y)
            return y + h * rhs(y + 0.5 * h * k1)
    else:
        @cuda.jit(device=True)
        def step(y, h):
            return y + h * rhs(y)

    @cuda.jit
    def kernel(y, h, n):
        i = cuda.grid(1)
        if i < y.size:
            for _ in range(n):
                y[i] = step(y[i], h)
    return kernel

def Solver(rhs, order):
    kernel = integrator(rhs, order=order)
    def call(y, n):
        d = cuda.to_device(y)
        kernel[1, 32](d, 0.1, n)
        return d.copy_to_host()
    return call

def shifted(T):
    @cuda.jit(float64(T, float64), device=True)
    def inner(x, by):
        return x + by
    return inner

def main():
    for order in (1, 2):
        for n in (1, 2):
            s = Solver(combine(power(n), power(3), weights=np.array([0.1, 9., -0.2])), order)
            print(order, n, s(np.linspace(0, 1, 5), 3))
    fns = [("neg", cuda.jit(device=True)(lambda x: -x)), ("sq", power(2))]
    for name, fn in fns:
        print(name, Solver(fn, 2)(np.ones(2), 2))
    shift = shifted(int64)

    @cuda.jit
    def cut(y):
        y[0] = shift(y[0], 0.5)
    y = np.array([2.0])
    cut[1, 1](y)
    print(y)

if __name__ == "__main__":
    main()


def launched(g):
    @cuda.jit
    def kernel(out):
        out[0] = g(1)
    out = np.zeros(1)
    kernel[1, 1](out)
    return out[0]


def each(values):
    made = []
    for n in values:
        @cuda.jit(device=True)
        def plus(x, n=n, pair=(n, 2), *, table=np.arange(n, n + 3), none=None):
            return x + 10 * n + 100 * pair[0] + 1000 * table[x]
        made.append(plus)
    return made


print([launched(g) for g in each([2, 3])])
kept = []
for n in range(3):
    def of_module(x, n=n):
        return x + n
    kept += [cuda.jit(device=True)(of_module), cuda.jit(device=True)(lambda x, n=n: x - n)]
n = 50
print([launched(g) for g in kept])
