"""Many kernels by comprehension, exec-free; globals computed by host code."""
import numpy as np, math, string, itertools as it
from numba import cuda, types as T
import numba.cuda as nc

def sieve(n):
    m = [True] * (n + 1)
    for p in range(2, int(n ** 0.5) + 1):
        if m[p]:
            for q in range(p * p, n + 1, p):
                m[q] = False
    return [k for k in range(2, n + 1) if m[k]]

PRIMES = np.array(sieve(100), dtype=np.int64)
NP_ = len(PRIMES)
TABLE = np.zeros(256, np.uint8)
for _i, _c in enumerate(string.ascii_lowercase):
    TABLE[ord(_c)] = _i + 1
TABLE[ord(' ')] = 27
SIN = np.array([math.sin(2 * math.pi * k / 64) for k in range(64)], dtype=np.float32)
BITREV = np.array([int(f"{k:06b}"[::-1], 2) for k in range(64)], dtype=np.int32)
SHAPES = {"small": (8, 8), "large": (32, 32)}
TILE = SHAPES["small"][0]
assert TILE == 8, "tile"
if TILE > 4:
    PAD = 1
else:
    PAD = 0
MASKS = tuple((1 << k) - 1 for k in range(5))
n_threads = TILE * TILE
SQ = lambda x: x * x
sq = cuda.jit(device=True)(SQ)
poly = [3.0, -1.0, 0.5][::-1]
c0, c1, c2 = poly
LOG2E = math.log2(math.e)
EPS = np.finfo(np.float32).eps
IMAX = np.iinfo(np.int32).max
F4 = np.dtype('float32')

@cuda.jit
def factor(x, out):
    i = nc.grid(1)
    if i < x.size:
        n, c = x[i], 0
        for k in range(NP_):
            while n % PRIMES[k] == 0 and n > 1:
                n //= PRIMES[k]
                c += 1
        out[i] = c if n == 1 else -c

@cuda.jit
def encode(text, out):
    i = nc.grid(1)
    if i < text.shape[0]:
        out[i] = TABLE[text[i]]

@cuda.jit
def dft64(x, y):
    r = cuda.blockIdx.x
    k = cuda.threadIdx.x
    acc = 0j
    for n in range(64):
        w = (n * k) & 63
        acc += x[r, n] * complex(SIN[(w + 16) & 63], -SIN[w])
    y[r, BITREV[k]] = acc

@cuda.jit
def transpose(a, b):
    s = cuda.shared.array((TILE, TILE + PAD), F4)
    x, y = cuda.threadIdx.x, cuda.threadIdx.y
    bx, by = cuda.blockIdx.x * TILE, cuda.blockIdx.y * TILE
    if by + y < a.shape[0] and bx + x < a.shape[1]:
        s[y, x] = a[by + y, bx + x]
    cuda.syncthreads()
    if bx + y < b.shape[0] and by + x < b.shape[1]:
        b[bx + y, by + x] = s[x, y]

@cuda.jit
def horner(x, y):
    i = nc.grid(1)
    if i < x.size:
        v = x[i]
        y[i] = (c2 * v + c1) * v + c0 + sq(v) * LOG2E + (EPS if v > IMAX else 0)

@cuda.jit
def masks(x, out):
    i = nc.grid(1)
    if i < x.size:
        for k, m in enumerate(MASKS):
            out[i, k] = x[i] & m

@cuda.jit(T.void(T.float32[::1], T.float32))
def scale3(x, a):
    start = nc.grid(1)
    for i in range(start, len(x), nc.gridsize(1)):
        x[i] *= a if a else 1

kernels = [factor, encode, dft64]
by_name = {k.__name__: k for k in kernels}
