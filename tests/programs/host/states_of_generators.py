"""States of random generators that a program lays out itself."""
import numpy as np
from numba import cuda
from numba.cuda.random import (init_xoroshiro128p_state, xoroshiro128p_dtype, xoroshiro128p_jump,
                               xoroshiro128p_next)


@cuda.jit
def begin(states, seeds, out):
    for i in range(seeds.size):
        init_xoroshiro128p_state(states, i, seeds[i])
        out[i, 0] = xoroshiro128p_next(states, i)
        xoroshiro128p_jump(states, i)
        out[i, 1] = xoroshiro128p_next(states, i)


states = np.zeros(3, dtype=xoroshiro128p_dtype)
out = np.zeros((3, 2), np.uint64)
begin[1, 1](states, np.array([42, 0, 2**64 - 1], np.uint64), out)
print(out.tolist())
print(states["s0"].tolist(), states["s1"].tolist(), states.dtype.names)
