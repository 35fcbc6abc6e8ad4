#!/usr/bin/env python3
"""Writes random.npz: what numba's own generators give, run on the host by numba.

    python random.py        needs numba and numba-cuda, which the tests do not

CASES are (seed, subsequence_start) of so many states. Of each: STATES as they are made; then, in this
order, 8 words, 8 uniform float32, 8 uniform float64 (their bits), 8 normal float32, 8 normal float64,
and after 1000 words more the state."""
import pathlib
import sys

sys.path.pop(0)  # this folder: its random.py is no other module
import numpy as np
from numba.cuda import random as generators

STATES, DRAWN, SKIPPED = 32, 8, 1000
CASES = {"zero": (0, 0), "small": (42, 0), "later": (1, 1000), "large": (2**63 + 12345, 3),
         "last": (2**64 - 1, 77)}


def record(seed, start):
    states = np.empty(STATES, generators.xoroshiro128p_dtype)
    generators.init_xoroshiro128p_states_cpu(states, np.uint64(seed), start)
    kinds = {"words": (generators.xoroshiro128p_next, np.uint64),
             "float32": (generators.xoroshiro128p_uniform_float32, np.float32),
             "float64": (generators.xoroshiro128p_uniform_float64, np.float64),
             "normal32": (generators.xoroshiro128p_normal_float32, np.float32),
             "normal64": (generators.xoroshiro128p_normal_float64, np.float64)}
    table = {"states": np.stack([states["s0"], states["s1"]], 1)}
    for kind, (draw, dtype) in kinds.items():
        table[kind] = np.array([[draw(states, i) for _ in range(DRAWN)] for i in range(STATES)],
                               dtype)
    for i in range(STATES):
        for _ in range(SKIPPED):
            generators.xoroshiro128p_next(states, i)
    return table | {"end": np.stack([states["s0"], states["s1"]], 1)}


np.savez_compressed(pathlib.Path(__file__).with_suffix(".npz"),
                    **{f"{case}.{kind}": values for case, facts in CASES.items()
                       for kind, values in record(*facts).items()})
