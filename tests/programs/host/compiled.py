"""Functions of @njit that the host calls: whole, by their loops, or interpreted."""
import numpy as np
from numba import njit, jit, prange
import numba
import math

SCALE = 3

@njit
def add(a, b):
    return a + b

@njit(parallel=True)
def total(a):
    s = 0.0
    for i in prange(a.shape[0]):
        s += a[i] * SCALE
    return s

@numba.jit(nopython=True)
def fib(n):
    if n < 2:
        return n
    return fib(n - 1) + fib(n - 2)

@jit
def minmax(a):
    lo = a[0]
    hi = a[0]
    for x in a:
        if x < lo:
            lo = x
        if x > hi:
            hi = x
    return lo, hi

@njit
def mandel(w, h, most):
    out = np.zeros((h, w), dtype=np.int32)
    for y in range(h):
        for x in range(w):
            c = complex(-2 + 3 * x / w, -1 + 2 * y / h)
            z = 0j
            n = 0
            while n < most and abs(z) < 2:
                z = z * z + c
                n += 1
            out[y, x] = n
    return out

@njit
def swap(u, v, steps):
    for t in range(steps):
        for i in range(1, u.size - 1):
            v[i] = 0.5 * (u[i - 1] + u[i + 1])
        u, v = v, u
    return u

@njit
def collect(n):
    found = []
    for i in range(2, n):
        prime = True
        for k in range(2, int(math.sqrt(i)) + 1):
            if i % k == 0:
                prime = False
                break
        if prime:
            found.append(i)
    return found

print(add(1, 2), add(1.5, 2), add(np.float32(1), np.float32(2)), add(np.arange(3), 1))
print(total(np.arange(1000.0)), repr(total(np.ones(4, dtype=np.float32))))
print(fib(20))
print(minmax(np.array([3, 1, 4, 1, 5])), minmax(np.array([3.5, 1, 4, 1, 5])))
m = mandel(60, 40, 50)
print(m.sum(), m.dtype, m[20, ::7])
print(swap(np.arange(10.0) ** 2, np.zeros(10), 7))
print(collect(60))
print(fib.py_func(10))


def slow(a):
    s = 0
    for x in a:
        s += x
    return s

fast = njit(slow)
fast2 = numba.jit(nopython=True)(slow)
print(fast(np.arange(10)), fast2(np.arange(10.0)), slow([1, 2]))

@njit("float64(float64, int64)")
def typed(x, n):
    return x ** n
print(typed(2, 3), typed(1.5, 2))

@njit([numba.int64(numba.int64), numba.float64(numba.float64)])
def twice(x):
    return 2 * x
print(twice(3), twice(2.5))

def factory(k):
    @njit
    def inner(a):
        t = 0
        for i in range(a.size):
            t += a[i] * k
        return t
    return inner
print(factory(3)(np.arange(5)), factory(2)(np.arange(5)))

@njit
def helper(x, scale=2):
    return x * scale

@njit
def caller(a, out):
    for i in range(a.size):
        out[i] = helper(a[i]) + helper(a[i], 3)
    return out
print(caller(np.arange(4.0), np.zeros(4)))

@njit
def none(a):
    a[0] = 7
z = np.zeros(2)
print(none(z), z)

@njit
def histogram(x, bins):
    h = np.zeros(bins, np.int64)
    for v in x:
        b = int(v * bins)
        if b == bins:
            b -= 1
        h[b] += 1
    return h
print(histogram(np.linspace(0, 1, 101), 5))

@njit
def walk(n, seed):
    state = seed
    pos = 0
    far = 0
    for _ in range(n):
        state = (1103515245 * state + 12345) % 2147483648
        step = 1 if state > 1073741824 else -1
        pos += step
        far = max(far, abs(pos))
    last = step
    return pos, far, last
print(walk(1000, 42))

@njit
def wraps(n):
    h = 14695981039346656037
    for i in range(n):
        h = (h ^ i) * 1099511628211
    return h
@njit
def wraps2(n):
    h = np.int64(1)
    for i in range(n):
        h = h * 6364136223846793005 + 1442695040888963407
    return h
print(wraps2(10))

@njit
def t32(a):
    s = np.float32(0)
    out = np.empty_like(a)
    for i in range(a.size):
        s += a[i]
        out[i] = s
    return out, s
o, s = t32(np.ones(3, np.float32) / np.float32(3))
print(o, s, o.dtype)
