"""A mixture of Gaussians fitted by expectation and maximisation."""
import numpy as np

rng = np.random.RandomState(3)
true_means = np.array([-4.0, 0.0, 5.0])
true_stds = np.array([1.0, 0.5, 1.5])
sizes = [300, 200, 500]
data = np.concatenate([m + s * rng.randn(k) for m, s, k in zip(true_means, true_stds, sizes)])
rng.shuffle(data)


def densities(x, means, stds):
    z = (x[:, np.newaxis] - means) / stds
    return np.exp(-0.5 * z ** 2) / (stds * np.sqrt(2 * np.pi))


means = np.percentile(data, [10, 50, 90])
stds = np.full(3, data.std())
weights = np.ones(3) / 3
previous = -np.inf
for iteration in range(1, 201):
    weighted = weights * densities(data, means, stds)
    total = weighted.sum(axis=1, keepdims=True)
    likelihood = np.log(total).sum()
    responsibility = weighted / total
    counts = responsibility.sum(axis=0)
    means = (responsibility * data[:, None]).sum(axis=0) / counts
    stds = np.sqrt((responsibility * (data[:, None] - means) ** 2).sum(axis=0) / counts)
    weights = counts / data.size
    if likelihood - previous < 1e-6:
        break
    previous = likelihood

print("iterations", iteration)
for m, s, w in sorted(zip(means.tolist(), stds.tolist(), weights.tolist())):
    print(f"mean {m:+.3f} std {s:.3f} weight {w:.3f}")
print("log likelihood %.3f" % likelihood)
assignment = responsibility.argmax(axis=1)
print("sizes", np.bincount(assignment, minlength=3))
edges = np.linspace(-8, 10, 10)
counts, _ = np.histogram(data, bins=edges)
for low, high, count in zip(edges[:-1], edges[1:], counts):
    print(f"{low:6.1f} to {high:5.1f} {'#' * (int(count) // 8)}")
