# Least squares by normal equations, by np.linalg and by steps down the slope.
import numpy as np

np.random.seed(5)
x = np.linspace(-1, 1, 41)
y = 2 - 3 * x + 0.5 * x ** 2 + 0.05 * np.random.randn(x.size)
powers = np.stack([x ** k for k in range(3)], axis=1)
solved = np.linalg.solve(powers.T @ powers, powers.T @ y)
print(np.round(solved, 4))
weights = np.zeros(3)
for step in range(3000):
    slope = powers.T @ (powers @ weights - y) / x.size
    weights -= 0.5 * slope
    if np.linalg.norm(slope) < 1e-9:
        break
print(step < 2999, np.allclose(weights, solved, atol=1e-6))
rest = y - powers @ solved
print(f"{np.sqrt(np.mean(rest ** 2)):.4f} {np.abs(rest).max():.4f} {1 - rest.var() / y.var():.5f}")
print(np.round(np.linalg.inv(powers.T @ powers).diagonal(), 5), round(float(np.linalg.det(np.eye(3) * 2)), 6))
