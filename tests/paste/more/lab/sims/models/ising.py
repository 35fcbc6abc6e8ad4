"""The Ising model by Metropolis steps on a checkerboard."""
from numba import cuda
from numba.cuda.random import (xoroshiro128p_uniform_float32 as uniform,
                               create_xoroshiro128p_states, xoroshiro128p_dtype)
import numpy as np
from ...settings import LIMIT, EPS, real
from lab import settings
import lab.settings as S

J = 1.0


@cuda.jit(device=True)
def neighbours(s, i, j):
    n, m = s.shape
    return s[(i + 1) % n, j] + s[(i - 1 + n) % n, j] + s[i, (j + 1) % m] + s[i, (j - 1 + m) % m]


@cuda.jit
def sweep(s, states, beta, colour):
    i, j = cuda.grid(2)
    n, m = s.shape
    if i < n and j < m and (i + j) % 2 == colour:
        de = 2 * J * s[i, j] * neighbours(s, i, j)
        if de <= 0 or uniform(states, i * m + j) < settings.EPS + np.exp(-beta * de):
            s[i, j] = -s[i, j]


@cuda.jit
def magnetisation(s, out):
    tile = cuda.shared.array(LIMIT, real)
    t = cuda.threadIdx.x
    i = cuda.grid(1)
    tile[t] = 0
    if i < s.size:
        tile[t] = s[i // s.shape[1], i % s.shape[1]]
    cuda.syncthreads()
    k = S.LIMIT // 2
    while k > 0:
        if t < k:
            tile[t] += tile[t + k]
        cuda.syncthreads()
        k //= 2
    if t == 0:
        cuda.atomic.add(out, 0, tile[0])


if __name__ == "__main__":
    spins = np.where(np.random.rand(64, 64) < .5, -1, 1).astype(np.int8)
    rng = create_xoroshiro128p_states(64 * 64, seed=0)
    for it in range(100):
        for colour in (0, 1):
            sweep[(4, 4), (16, 16)](spins, rng, 0.44, colour)
