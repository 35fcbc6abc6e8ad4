"""Nagel and Schreckenberg's road, and a Markov chain of a queue: averages and stationary states."""
import numpy as np
import numba
from numba import cuda
from numba.cuda.random import create_xoroshiro128p_states, xoroshiro128p_uniform_float32

ROAD, CARS, VMAX = 60, 18, 5


@cuda.jit
def drive(pos, speed, length, vmax, p, draws):
    """One block; cars in the order of their places."""
    i = cuda.threadIdx.x
    n = pos.shape[0]
    gap = (pos[(i + 1) % n] - pos[i] - 1) % length
    v = min(speed[i] + 1, vmax, gap)
    if draws[i] < p and v > 0:
        v -= 1
    cuda.syncthreads()
    speed[i] = v
    pos[i] = (pos[i] + v) % length


def show(pos, speed):
    road = ["."] * ROAD
    for x, v in zip(pos.tolist(), speed.tolist()):
        road[x] = str(v)
    return "".join(road)


rng = np.random.default_rng(seed=2)
pos = np.sort(rng.choice(ROAD, CARS, replace=False)).astype(np.int32)
speed = np.zeros(CARS, dtype=np.int32)
flow = []
for t in range(60):
    if t % 6 == 0:
        print(f"{t:3} {show(pos, speed)}")
    drive[1, CARS](pos, speed, ROAD, VMAX, 0.25, rng.random(CARS))
    flow.append(speed.sum() / ROAD)
print("flow %.4f +- %.4f" % (np.mean(flow[20:]), np.std(flow[20:], ddof=1) / np.sqrt(40)))
assert len(np.unique(pos)) == CARS


@cuda.jit
def walk(states, start, n, out):
    i = cuda.grid(1)
    if i >= out.shape[0]:
        return
    at = start
    while 0 < at < n:
        if xoroshiro128p_uniform_float32(states, i) < 0.5:
            at += 1
        else:
            at -= 1
    out[i] = at == n


walkers = 256
states = create_xoroshiro128p_states(walkers, seed=1)
wins = np.zeros(walkers, dtype=np.bool_)
walk[walkers // 64, 64](states, 3, 10, wins)
print("gambler wins", wins.sum(), wins.dtype)

N = 8
arrive, serve = 0.3, 0.4
P = np.zeros((N + 1, N + 1))
for i in range(N + 1):
    up = arrive * (i < N)
    down = serve * (i > 0)
    P[i, min(i + 1, N)] += up
    P[i, max(i - 1, 0)] += down
    P[i, i] += 1 - up - down
assert np.allclose(P.sum(axis=1), 1)
pi = np.linalg.matrix_power(P, 2 ** 12)[0]
rho = arrive / serve
theory = (1 - rho) * rho ** np.arange(N + 1) / (1 - rho ** (N + 1))
print("stationary", pi.round(5), np.abs(pi - theory).max() < 1e-12)
values, vectors = np.linalg.eig(P.T)
k = np.argmin(np.abs(values - 1))
v = np.real(vectors[:, k])
print("by eig", np.allclose(v / v.sum(), pi), "second", f"{np.sort(np.abs(values))[-2]:.6f}")
L = (np.arange(N + 1) * pi).sum()
print(f"mean length {L:.4f}, lost {pi[-1]:.4%}, wait {L / (arrive * (1 - pi[-1])):.3f}")
hit = np.linalg.solve(np.eye(N) - P[1:, 1:], np.ones(N))
print("steps to empty", hit.round(2))
