# Chooses what it has.
import sys
import importlib
import numpy as np

try:
    import cupy as xp
    from cupyx.scipy import ndimage
except ImportError:
    xp = np
    ndimage = None
else:
    np_like = True
try:
    from numba import cuda
    HAS_CUDA = True
except ImportError as error:
    HAS_CUDA = False
    raise SystemExit(f"no numba: {error}") from error
finally:
    sys.stdout.flush()

if sys.version_info >= (3, 8):
    from math import prod
else:
    def prod(xs):
        r = 1
        for x in xs: r *= x
        return r

DEBUG = False
if DEBUG:
    THREADS = 32
elif HAS_CUDA:
    THREADS = 256
else:
    THREADS = 1
SHAPE = (4, 8)
SIZE = SHAPE[0] * SHAPE[1]
if not DEBUG:
    SCALE = xp.pi / 2
plugins = [importlib.import_module(m) for m in sys.argv[1:]]
for plugin in plugins:
    plugin.register()
while False:
    NEVER = 1


@cuda.jit
def fill(x):
    i = cuda.grid(1)
    if i < x.size:
        x[i] = SCALE * (i % SIZE)


@cuda.jit
def accumulate(x, out):
    s = cuda.shared.array(THREADS, np.float32)
    t = cuda.threadIdx.x
    s[t] = x[cuda.grid(1)]
    cuda.syncthreads()
    if t == 0:
        v = np.float32(0)
        for k in range(THREADS):
            v += s[k]
        out[cuda.blockIdx.x] = v


if DEBUG:
    def check(x):
        assert not xp.isnan(x).any()
else:
    check = None
with np.errstate(divide="ignore"):
    RATIO = 1.5


@cuda.jit
def scaled(x):
    x[cuda.grid(1)] *= RATIO
