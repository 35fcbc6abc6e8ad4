import numpy as np

x = np.linspace(0, 1, 1000)
y = np.sqrt(x) + 2 * x
total = 0.0
for i in range(10):
    y[1:-1] = (y[2:] + y[:-2]) / 2
    total += y.max()
print(f"{total:.6f}")
print(y.mean())
