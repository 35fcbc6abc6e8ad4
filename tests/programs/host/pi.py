"""Monte Carlo pi: each thread has a generator of its own."""
import numpy as np
from numba import cuda


@cuda.jit
def throw(seed, hits, tries):
    i = cuda.grid(1)
    if i < hits.size:
        state = (seed + 2654435761 * (i + 1)) & 0xFFFFFFFF
        inside = 0
        for k in range(tries):
            state = (state * 1664525 + 1013904223) & 0xFFFFFFFF
            x = (state >> 8) / 16777216.0
            state = (state * 1664525 + 1013904223) & 0xFFFFFFFF
            y = (state >> 8) / 16777216.0
            if x * x + y * y < 1.0:
                inside += 1
        hits[i] = inside


threads, tries = 64, 100
hits = np.zeros(threads, dtype=np.int64)
total = 0
for seed in range(3):
    throw[2, 32](seed, hits, tries)
    total += int(hits.sum())
    print(f"seed {seed}: {hits.min()} to {hits.max()} hits a thread")
estimate = 4 * total / (3 * threads * tries)
print(f"pi is about {estimate:.3f}")
assert abs(estimate - np.pi) < 0.1
