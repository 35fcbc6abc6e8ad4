"""Particle swarm / differential evolution / simulated annealing."""
import math, time, sys
import numpy as np
from numba import cuda, float64
from numba.cuda.random import *
from math import *

DIM = 10
SWARM = 1024
W, C1, C2 = .729, 1.494, 1.494
LO, HI = -5.12, 5.12


def rastrigin(x, n):
    s = 10. * n
    for i in range(n):
        s += x[i] ** 2 - 10 * cos(2 * pi * x[i])
    return s


def sphere(x, n):
    s = 0.0
    for i in range(n):
        s += x[i] * x[i]
    return s


def rosenbrock(x, n):
    s = 0.0
    for i in range(n - 1):
        s += 100 * (x[i + 1] - x[i] ** 2) ** 2 + (1 - x[i]) ** 2
    return s


OBJECTIVES = {f.__name__: f for f in (rastrigin, sphere, rosenbrock)}


def build_pso(fn, dim=DIM):
    obj = cuda.jit(fn, device=True)

    @cuda.jit
    def pso_step(pos, vel, best, best_f, gbest, rng):
        i = cuda.grid(1)
        if i < pos.shape[0]:
            for d in range(dim):
                r1 = xoroshiro128p_uniform_float64(rng, i)
                r2 = xoroshiro128p_uniform_float64(rng, i)
                vel[i, d] = W * vel[i, d] + C1 * r1 * (best[i, d] - pos[i, d]) + C2 * r2 * (gbest[d] - pos[i, d])
                pos[i, d] = min(max(pos[i, d] + vel[i, d], LO), HI)
            f = obj(pos[i], dim)
            if f < best_f[i]:
                best_f[i] = f
                for d in range(dim):
                    best[i, d] = pos[i, d]

    @cuda.jit
    def evaluate(pos, out):
        i = cuda.grid(1)
        if i < out.size:
            out[i] = obj(pos[i, :], pos.shape[1])

    return pso_step, evaluate


step, evaluate = build_pso(rastrigin)
steps = {name: build_pso(f)[0] for name, f in OBJECTIVES.items()}


@cuda.jit
def anneal(x, f, rng, t0, iters):
    i = cuda.grid(1)
    if i >= x.shape[0]:
        return
    cur = cuda.local.array(DIM, float64)
    cand = cuda.local.array(DIM, float64)
    for d in range(DIM):
        cur[d] = x[i, d]
    e = rosenbrock_d(cur, DIM)
    for it in range(iters):
        T = t0 * (1 - it / iters)
        for d in range(DIM):
            cand[d] = cur[d] + T * xoroshiro128p_normal_float64(rng, i)
        ec = rosenbrock_d(cand, DIM)
        if ec < e or xoroshiro128p_uniform_float64(rng, i) < exp((e - ec) / (T + 1e-12)):
            e = ec
            for d in range(DIM):
                cur[d] = cand[d]
    f[i] = e
    x[i, :] = cur


rosenbrock_d = cuda.jit(device=True)(rosenbrock)


@cuda.jit
def argmin_block(f, out_f, out_i):
    sf = cuda.shared.array(SWARM, float64)
    si = cuda.shared.array(SWARM, 'int32')
    t = cuda.threadIdx.x
    sf[t], si[t] = f[t], t
    cuda.syncthreads()
    n = cuda.blockDim.x
    while n > 1:
        n //= 2
        if t < n and sf[t + n] < sf[t]:
            sf[t] = sf[t + n]
            si[t] = si[t + n]
        cuda.syncthreads()
    if not t:
        out_f[0], out_i[0] = sf[0], si[0]
