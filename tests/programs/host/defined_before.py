"""What a definition says, its decorators and default values, is what names hold where it stands."""
import numpy as np
from numba import cuda


def launched(kernel):
    out = np.zeros(3)
    kernel[1, 3](out)
    return out


K = 4
@cuda.jit(device=True)
def scaled(x, k=K):
    return x * k + K
K = 7


@cuda.jit
def by_default(out):
    i = cuda.grid(1)
    out[i] = scaled(i)


print(launched(by_default))
L = 3


def bump():
    global L
    L += 10


@cuda.jit(device=True)
def shifted(x, k=L):
    return x * k + L


bump()


@cuda.jit
def by_global(out):
    i = cuda.grid(1)
    out[i] = shifted(i)


print(launched(by_global))


def adding(v):
    def decorator(f):
        def g(x):
            return f(x) + v
        return cuda.jit(device=True)(g)
    return decorator


N = 2
@adding(N)
def twice(x):
    return x * 2
N = 100


@cuda.jit
def by_decorator(out):
    i = cuda.grid(1)
    out[i] = twice(i)


print(launched(by_decorator))

for n in range(3):
    @cuda.jit(device=True)
    def last(x, n=n):
        return x + n
for n in range(3):
    if n != 1:
        continue
    def middle(x, k=n):
        return x * 10 + k
for n in range(4):
    if n == 1:
        @cuda.jit(device=True)
        def first(x, k=n + 1):
            return x * 100 + k
while n < 9:
    n += 1
    @cuda.jit(device=True)
    def computed(x, k=len(str(n)) + n):
        return x + k
    if n == 6:
        break
n = 9


@cuda.jit
def by_loops(out):
    i = cuda.grid(1)
    out[i] = last(i) + middle(i) * 100 + first(i) * 1000 + computed(i) * 1000000


print(launched(by_loops))


def factory(v):
    @cuda.jit(device=True)
    def made(x, w=v):
        return x * v + w
    v = v + 1
    return made


made = factory(n)
n = 5


@cuda.jit
def by_factory(out):
    i = cuda.grid(1)
    out[i] = made(i)


print(launched(by_factory))

TRUE, GREATER, PAIR = np.bool_(True), np.float32(n) > 1, (np.bool_(False), np.float32(1.5))


@cuda.jit
def by_truths(out):
    i = cuda.grid(1)
    out[i] = (2 if TRUE else 3) + (10 if GREATER else 20) + (100 if PAIR[0] else 200) + PAIR[1]


print(launched(by_truths))
