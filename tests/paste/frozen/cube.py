import numpy as np, math
from numba import cuda
from scipy import constants
import scipy.constants

threads_per_block = 256
kB_T = constants.k * 300.0
k_e = 1.0 / (4 * np.pi * scipy.constants.epsilon_0)
cutoffs = {'lj': 2.5, 'coulomb': 10.0}
lookup = [x ** 2 for x in range(10)]
evens = {x for x in lookup if not x % 2}
squares = {k: v * v for k, v in cutoffs.items()}
total = sum(x for x in lookup)
lambda_ = lambda a, *b, c=1, **d: (a, b, c, d)


@cuda.jit('void(float32[:,:], float32[:], float32[:])')
def coulomb(pos, q, energy):
    i = cuda.grid(1)
    n = pos.shape[0]
    if i >= n: return
    e = 0.
    for j in range(n):
        if i != j:
            dx = pos[i, 0] - pos[j, 0]; dy = pos[i, 1] - pos[j, 1]
            dz = pos[i, 2] - pos[j, 2]
            e += k_e * q[i] * q[j] / math.sqrt(dx * dx + dy * dy + dz * dz)
    energy[i] = e / kB_T


@cuda.jit
def clip(x, lo, hi):
    i = cuda.grid(1)
    if i < x.shape[0]:
        v = x[i]
        x[i] = lo if v < lo else (hi if v > hi else v)
        if math.isnan(v):
            x[i] = np.nan


@cuda.jit()
def threshold(x, out, level=0.5):
    i = cuda.grid(1)
    if i < x.shape[0]:
        out[i] = 1 if x[i] > level else 0


def run(x, /, level, *, stream=0):
    match x.ndim:
        case 1:
            pass
        case 2 | 3 if stream:
            x = x.ravel()
        case _:
            raise ValueError(f"{x.ndim} axes") from None
    out = np.zeros(x.shape, np.int32)
    threshold[(x.size + threads_per_block - 1) // threads_per_block, threads_per_block](x, out, level)
    return out


n = 10 ** 6
if (m := n // 2) > 10:
    x = np.random.random(m).astype('f4')
    d_x = cuda.to_device(x)
    clip[m // 256 + 1, 256](d_x, 0.1, 0.9)
    print('mean', d_x.copy_to_host().mean(), end='\n\n')
