"""Functions of @njit of many kinds: types that meet, loops of all forms, what cannot be compiled."""
import numpy as np
from numba import njit, jit
import math
from math import ceil, floor as down

LIMIT = 5
TABLE = np.array([1.5, 2.5, 3.5])

@njit
def unify(n):
    x = 0
    for i in range(n):
        x = x + i * 0.5
    return x

@njit
def empty_loop(n):
    i = -1
    for i in range(n):
        pass
    return i

@njit
def loop_else(a, v):
    for i in range(a.size):
        if a[i] == v:
            found = i
            break
    else:
        found = -1
    return found

@njit
def zipped(a, b):
    s = 0.0
    for i, (x, y) in enumerate(zip(a, b)):
        s += i * x * y
    return s

@njit
def rows(m):
    out = np.zeros(m.shape[0])
    for i in range(m.shape[0]):
        out[i] = m[i].sum() + m[i, 0] - np.max(m[i])
    return out

@njit
def even(n):
    return True if n == 0 else odd(n - 1)

@njit
def odd(n):
    return False if n == 0 else even(n - 1)

@njit
def globals_(n):
    s = 0.0
    for i in range(n):
        s += TABLE[i % 3] * LIMIT
    return s

@njit
def defaults(a, scale=2.0, shift=1):
    return a * scale + shift

@njit
def keep_type(a):
    m = a[0]
    for v in a:
        if v > m:
            m = v
    return m

@njit
def matrix(a, b):
    n, k = a.shape
    m = b.shape[1]
    c = np.zeros((n, m))
    for i in range(n):
        for j in range(m):
            t = 0.0
            for l in range(k):
                t += a[i, l] * b[l, j]
            c[i, j] = t
    return c

@njit
def newton(x):
    g = x
    while abs(g * g - x) > 1e-12:
        g = 0.5 * (g + x / g)
    return g

@njit
def swap_rows(a):
    for i in range(a.shape[0] // 2):
        for j in range(a.shape[1]):
            t = a[i, j]
            a[i, j] = a[-1 - i, j]
            a[-1 - i, j] = t

@njit
def ints(a, b):
    return a // b, a % b, -a // b, -a % b, a ** 3, a << 2, a >> 1, a & b, a | b, a ^ b, ~a, a / b

@njit
def floats(a, b):
    return a // b, a % b, a ** b, math.floor(a), round(a), int(-a), abs(-a), min(a, b), max(a, b)

@njit
def bools(a, n):
    c = 0
    ok = True
    for x in a:
        ok = ok and x > 0
        if x > n:
            c += 1
    return ok, c, not ok

@njit
def strided(a):
    s = 0
    for i in range(0, a.shape[0]):
        s = s * 3 + a[i]
    return s

@njit
def text(a):
    return "many" if a > 3 else "few"

@njit
def list_in(values):
    s = 0
    for v in values:
        s += v
    return s

@njit
def list_out(n):
    return [i * i for i in range(n) if i % 2]

@njit
def nested_while(n):
    count = 0
    i = 0
    while i < n:
        j = i
        while True:
            j += 2
            if j > n:
                break
            if j % 3 == 0:
                continue
            count += 1
        i += 1
    return count, i

@njit
def bubble(a):
    a = a.copy()
    n = len(a)
    swapped = True
    passes = 0
    while swapped:
        swapped = False
        for i in range(n - 1):
            if a[i] > a[i + 1]:
                a[i], a[i + 1] = a[i + 1], a[i]
                swapped = True
        passes += 1
    return a, passes

@njit
def reassign(x):
    for k in range(3):
        x = x / 2
    return x

@njit
def monte(n, seed):
    state = np.uint64(seed)
    hits = 0
    for i in range(n):
        state = state * np.uint64(6364136223846793005) + np.uint64(1442695040888963407)
        x = (state >> np.uint64(33)) / 2147483648.0
        state = state * np.uint64(6364136223846793005) + np.uint64(1442695040888963407)
        y = (state >> np.uint64(33)) / 2147483648.0
        if x * x + y * y < 1.0:
            hits += 1
    return 4.0 * hits / n

@njit
def cplx(n):
    z = 0j
    for i in range(n):
        z = z * (1 + 1j) + i
    return z, z.real

@njit
def tuple_arg(t, k):
    return t[0] * k + t[1]

@njit
def early(a):
    for i in range(a.size):
        if a[i] < 0:
            return i
    return -1

@njit
def hist2d(x, y, n):
    h = np.zeros((n, n), np.int32)
    for k in range(x.size):
        h[int(x[k] * n), int(y[k] * n)] += 1
    return h, h.max()

print(unify(5), unify(0), empty_loop(4), empty_loop(0))
print(loop_else(np.arange(5), 3), loop_else(np.arange(5), 9), zipped(np.arange(3.0), np.arange(4)))
print(rows(np.arange(12.0).reshape(3, 4)), even(10), odd(7), even(3), globals_(7))
print(defaults(2), defaults(2, 3.0), defaults(2, scale=1.0, shift=5), defaults(np.float32(2)))
print(keep_type(np.array([1, 5, 2], np.int16)), keep_type(np.array([1.5, 5.25], np.float32)), keep_type(np.array([True, False])))
print(matrix(np.arange(6.0).reshape(2, 3), np.arange(12.0).reshape(3, 4)), newton(2.0), newton(2))
a = np.arange(6).reshape(3, 2); swap_rows(a); print(a, swap_rows(a))
print(ints(7, 3), ints(-7, 3), ints(np.int32(7), np.int8(-3)), floats(7.5, 2.0))
print(bools(np.array([1, 2, 3]), 1), bools(np.array([1.0, -2]), 0.5), strided(np.arange(10)[::-3]), strided(np.arange(6, dtype=np.uint8)))
print(text(4), text(1), list_out(8), nested_while(12), bubble(np.array([3, 1, 2, 5, 4])))
print(reassign(8), reassign(np.float32(8)), monte(1000, 42), cplx(6), tuple_arg((2, 3.5), 2), early(np.array([1, -1, 2])), early(np.ones(2)))
h, top = hist2d(np.linspace(0, 0.99, 50), np.linspace(0.99, 0, 50), 4); print(h, top, h.dtype)
@njit
def f(x):
    return down(x), ceil(x), math.trunc(-x), math.floor(math.ceil(x) / 2), np.floor(x)

@njit
def g(n):
    out = np.zeros(n, dtype=np.int64)
    for i in range(n):
        out[math.floor(i / 2.0)] += ceil(i * 0.3)
    return out

print(f(7.5), f(-2.25), g(6))


@njit
def inverted(a):
    return ~a


print([inverted(np.uint8(3)), inverted(np.uint32(3)), inverted(np.int8(4))])
