"""np.random with a seed: NumPy's own numbers."""
import numpy as np

for seed in (0, 1, 12345):
    np.random.seed(seed)
    print(np.random.rand(3), np.random.rand(2, 2).shape, np.random.random())
    print(np.random.randn(3), np.random.normal(10, 2, 3), np.random.standard_normal())
    print(np.random.uniform(-1, 1, 4), np.random.uniform(size=2))
    print(np.random.randint(10), np.random.randint(5, 9, 8), np.random.randint(0, 1000, size=(2, 3)))
np.random.seed(7)
x = np.random.rand(2000)
print(f"{x.mean():.10f} {x.min():.10f} {x.max():.10f}")
print(np.random.randint(1, 2, 3), np.random.random_sample((2,)))
