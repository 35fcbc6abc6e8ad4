"""Forms of decorators, options, enumerations and constants."""
import enum
import time
from collections import namedtuple
import numpy as np
import numba
from numba import cuda, float32, int32

class Flag(enum.IntFlag):
    A = 1
    B = 2
    C = 4
    AB = A | B

class Mode(enum.IntEnum):
    FAST = 0
    SLOW = 1

Fast = Mode.FAST
MASK = Flag.A | Flag.C
GLOBALS = (Mode.FAST, Mode.SLOW)

Inner = namedtuple("Inner", "a b")
Outer = namedtuple("Outer", ["x", "inner"])
CFG = Outer(1.5, Inner(2, 3))

DATES = np.array([np.datetime64("2020-01-01"), np.datetime64("2021-01-01")], 'M8[D]')

def timed(f):
    def wrapper(*a, **k):
        t = time.time()
        r = f(*a, **k)
        print(time.time() - t)
        return r
    return wrapper

DEBUG = 0

@cuda.jit
def k_enum(x):
    i = cuda.grid(1)
    if i < x.size:
        if x[i] == Fast:
            x[i] = MASK
        elif x[i] & Flag.B:
            x[i] |= Flag.AB | Flag.C
        elif x[i] == GLOBALS[1]:
            x[i] = Mode.SLOW

@cuda.jit
def k_nested(x):
    i = cuda.grid(1)
    if i < x.size:
        x[i] = CFG.x + CFG.inner.a * CFG.inner.b

@cuda.jit
def k_dates(x):
    i = cuda.grid(1)
    if i < x.size and x[i] > DATES[0]:
        x[i] = DATES[1]

@timed
@cuda.jit
def k_timed(x):
    i = cuda.grid(1)
    if i < x.size:
        x[i] += 1

@cuda.jit(debug=DEBUG == 1, opt=DEBUG != 1, fastmath=not DEBUG)
def k_opts(x):
    i = cuda.grid(1)
    if i < x.size:
        x[i] += 1

SAMPLE = np.zeros(3, np.float32)
@cuda.jit((numba.typeof(SAMPLE), numba.typeof(1)))
def k_typeof(x, n):
    i = cuda.grid(1)
    if i < n:
        x[i] += 1

@cuda.jit
def k_default(x, n=3, s=1.5):
    i = cuda.grid(1)
    if i < n:
        x[i] += s
