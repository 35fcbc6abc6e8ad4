# Game theory and simulation: iterated prisoner's dilemma between strategies given as IntEnum.
from enum import IntEnum
import numpy as np
from numba import cuda
from numba.cuda.random import create_xoroshiro128p_states, xoroshiro128p_uniform_float64


class S(IntEnum):
    COOPERATE = 0
    DEFECT = 1
    TIT_FOR_TAT = 2
    GRUDGER = 3
    RANDOM = 4


PAYOFF = np.array([[3, 0], [5, 1]], dtype=np.int64)
ROUNDS = 50


@cuda.jit(device=True)
def choose(strategy, last, betrayed, r):
    if strategy == S.COOPERATE:
        return 0
    elif strategy == S.DEFECT:
        return 1
    elif strategy == S.TIT_FOR_TAT:
        return last
    elif strategy == S.GRUDGER:
        return 1 if betrayed else 0
    return 1 if r < 0.5 else 0


@cuda.jit
def play(states, payoff, scores):
    i, j = cuda.grid(2)
    n = scores.shape[0]
    if i >= n or j >= n:
        return
    k = i * n + j
    last_i = last_j = 0
    hurt_i = hurt_j = False
    total = 0
    for _ in range(ROUNDS):
        a = choose(i, last_j, hurt_i, xoroshiro128p_uniform_float64(states, k))
        b = choose(j, last_i, hurt_j, xoroshiro128p_uniform_float64(states, k))
        total += payoff[a, b]
        hurt_i = hurt_i or b == 1
        hurt_j = hurt_j or a == 1
        last_i, last_j = a, b
    scores[i, j] = total


n = len(S)
states = create_xoroshiro128p_states(n * n, seed=42)
scores = np.zeros((n, n), dtype=np.int64)
play[(1, 1), (8, 8)](states, PAYOFF, scores)
print(scores)
print(f"{'':14}" + "".join(f"{s.name[:8]:>10}" for s in S))
for s in S:
    print(f"{s.name:14}" + "".join(f"{v / ROUNDS:10.2f}" for v in scores[s]))
ranking = sorted(S, key=lambda s: -scores[s].sum())
print([s.name for s in ranking])
shares = np.full(n, 1 / n)
for generation in range(60):
    fitness = (scores / ROUNDS) @ shares
    shares = shares * fitness / (shares @ fitness)
print(shares.round(4))
print(S(int(shares.argmax())), repr(S(int(np.argmax(shares)))))
