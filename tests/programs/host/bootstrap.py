# How far a mean may be off: a thousand samples with replacement, each summed by a thread.
import numpy as np
from numba import cuda

np.random.seed(7)
data = np.round(np.random.normal(10, 2, 50), 3)
picks = np.random.randint(0, data.size, (1000, data.size))


@cuda.jit
def means(data, picks, out):
    i = cuda.grid(1)
    if i < out.size:
        total = 0.0
        for k in range(picks.shape[1]):
            total += data[picks[i, k]]
        out[i] = total / picks.shape[1]


found = np.zeros(picks.shape[0])
means.forall(found.size)(data, picks, found)
low, high = np.percentile(found, [2.5, 97.5])
print(f"mean {data.mean():.4f}, median {np.median(data):.4f}, deviation {data.std(ddof=1):.4f}")
print(f"95% of the samples' means lie from {low:.4f} to {high:.4f}")
counts, edges = np.histogram(found, bins=8)
for count, left, right in zip(counts, edges[:-1], edges[1:]):
    print(f"{left:7.3f} to {right:7.3f} {'#' * (int(count) // 8)}")
print(np.allclose(found, data[picks].mean(axis=1)), counts.sum())
