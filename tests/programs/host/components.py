"""Principal components of points that lie near a plane, in five dimensions."""
import numpy as np

rng = np.random.default_rng(42)
n = 400
hidden = rng.normal(size=(n, 2)) * np.array([3.0, 1.5])
mixing = np.array([[1, 0, 0.5, -1, 2], [0, 1, 1, 0.5, -0.5]], dtype=float)
x = hidden @ mixing + 0.1 * rng.normal(size=(n, 5)) + np.arange(5)

mean = x.mean(axis=0)
centred = x - mean
covariance = centred.T @ centred / (n - 1)
assert np.allclose(covariance, np.cov(x, rowvar=False))

values, vectors = np.linalg.eigh(covariance)
order = np.argsort(values)[::-1]
values, vectors = values[order], vectors[:, order]
share = values / values.sum()
print("mean", np.round(mean, 3))
print("share of the variance", " ".join(f"{100 * s:.2f}%" for s in share))
kept = int(np.searchsorted(np.cumsum(share), 0.99)) + 1
print("components for 99%:", kept)

scores = centred @ vectors[:, :kept]
back = scores @ vectors[:, :kept].T + mean
print("root mean square error %.4f" % np.sqrt(np.mean((back - x) ** 2)))

u, s, vt = np.linalg.svd(centred, full_matrices=False)
print("the same by singular values:", np.allclose(s ** 2 / (n - 1), values))
print("orthogonal:", np.allclose(vectors.T @ vectors, np.eye(5)))
print("scores uncorrelated:", abs(np.corrcoef(scores.T)[0, 1]) < 1e-10)
whitened = scores / np.sqrt(values[:kept])
print(np.round(whitened.std(axis=0, ddof=1), 6), np.round(np.abs(whitened.mean(axis=0)), 6))
outliers = np.flatnonzero((whitened ** 2).sum(axis=1) > 9)
print(len(outliers), "points further than 3 sigma:", outliers[:6])
