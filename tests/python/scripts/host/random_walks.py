import numpy as np
import math
from numba import cuda
from numba.cuda.random import (create_xoroshiro128p_states, xoroshiro128p_uniform_float32,
                               xoroshiro128p_uniform_float64, xoroshiro128p_normal_float32, xoroshiro128p_normal_float64,
                               init_xoroshiro128p_states, xoroshiro128p_type)


@cuda.jit
def walk(states, out, steps):
    tid = cuda.grid(1)
    if tid >= out.shape[0]:
        return
    x = 0.0
    for _ in range(steps):
        if xoroshiro128p_uniform_float32(states, tid) < 0.5:
            x += 1
        else:
            x -= 1
    out[tid] = x


@cuda.jit
def draw(states, f32, f64, n32, n64):
    t = cuda.grid(1)
    f32[t] = xoroshiro128p_uniform_float32(states, t)
    f64[t] = xoroshiro128p_uniform_float64(states, t)
    n32[t] = xoroshiro128p_normal_float32(states, t)
    n64[t] = xoroshiro128p_normal_float64(states, t)


n = 64
states = create_xoroshiro128p_states(n, seed=12345)
out = np.zeros(n)
walk[2, 32](states, out, 50)
print(out[:10], out.sum())
states = create_xoroshiro128p_states(n, seed=7, subsequence_start=3)
arrs = [np.zeros(n, t) for t in ("f4", "f8", "f4", "f8")]
draw[2, 32](states, *arrs)
for a in arrs:
    print(a.dtype, [float("%.6g" % v) for v in a[:4]])
@cuda.jit
def jump_start(out):
    own = cuda.local.array(1, xoroshiro128p_type)
    own[0]["s0"], own[0]["s1"] = 1, 2
    out[0] = xoroshiro128p_uniform_float64(own, 0)


first = np.zeros(1)
jump_start[1, 1](first)
print("%.9g" % first[0])
h = cuda.device_array(4, dtype=xoroshiro128p_type.dtype)
init_xoroshiro128p_states(h, seed=3)
h = h.copy_to_host()
print([int(v) for v in h["s0"]], [hex(int(v)) for v in h["s1"]])
print(states.dtype, states.shape)
