# A network of two layers learns exclusive or: products by a kernel, the rest as arrays.
import numpy as np
from numba import cuda


@cuda.jit
def product(a, b, out):
    i, j = cuda.grid(2)
    if i < out.shape[0] and j < out.shape[1]:
        total = 0.0
        for k in range(a.shape[1]):
            total += a[i, k] * b[k, j]
        out[i, j] = total


def multiply(a, b):
    out = np.zeros((a.shape[0], b.shape[1]))
    product[((a.shape[0] + 7) // 8, (b.shape[1] + 7) // 8), (8, 8)](a, b, out)
    return out


def sigmoid(x):
    return 1 / (1 + np.exp(-x))


np.random.seed(3)
x = np.array([[0, 0, 1], [0, 1, 1], [1, 0, 1], [1, 1, 1]], dtype=np.float64)
y = np.array([[0.0], [1.0], [1.0], [0.0]])
first, second = np.random.randn(3, 6), np.random.randn(6, 1)
for epoch in range(1501):
    hidden = sigmoid(multiply(x, first))
    output = sigmoid(multiply(hidden, second))
    error = output - y
    if epoch % 500 == 0:
        print(f"epoch {epoch:4d}: loss {np.mean(error ** 2):.4f}")
    slope = error * output * (1 - output)
    back = multiply(slope, second.T.copy()) * hidden * (1 - hidden)
    second -= 2.0 * multiply(hidden.T.copy(), slope)
    first -= 2.0 * multiply(x.T.copy(), back)
print((output > 0.5).astype(int).ravel().tolist())
