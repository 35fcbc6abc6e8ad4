# Neural network: XOR-like spiral with momentum, batches, softmax by rows; accuracy printed per epoch.
import numpy as np
from numba import cuda

rng = np.random.RandomState(0)
K, D, H, PER = 3, 2, 24, 40
X = np.zeros((PER * K, D))
labels = np.zeros(PER * K, dtype=np.int64)
for j in range(K):
    ix = range(PER * j, PER * (j + 1))
    r = np.linspace(0.0, 1, PER)
    t = np.linspace(j * 4, (j + 1) * 4, PER) + rng.randn(PER) * 0.2
    X[ix] = np.c_[r * np.sin(t), r * np.cos(t)]
    labels[ix] = j
W1, b1 = 0.1 * rng.randn(D, H), np.zeros((1, H))
W2, b2 = 0.1 * rng.randn(H, K), np.zeros((1, K))


@cuda.jit
def softmax(z, p):
    i = cuda.grid(1)
    if i < z.shape[0]:
        m = z[i, 0]
        for k in range(1, z.shape[1]):
            m = max(m, z[i, k])
        s = 0.0
        for k in range(z.shape[1]):
            p[i, k] = np.exp(z[i, k] - m)
            s += p[i, k]
        for k in range(z.shape[1]):
            p[i, k] /= s


velocity = [np.zeros_like(w) for w in (W1, b1, W2, b2)]
for epoch in range(120):
    hidden = np.maximum(0, X @ W1 + b1)
    scores = hidden @ W2 + b2
    p = np.empty_like(scores)
    softmax[(len(X) + 31) // 32, 32](scores, p)
    loss = -np.log(p[np.arange(len(X)), labels]).mean() + 5e-4 * (np.sum(W1 * W1) + np.sum(W2 * W2))
    d = p.copy()
    d[range(len(X)), labels] -= 1
    d /= len(X)
    dW2, db2 = hidden.T @ d, d.sum(axis=0, keepdims=True)
    dh = d @ W2.T
    dh[hidden <= 0] = 0
    dW1, db1 = X.T @ dh, np.sum(dh, axis=0, keepdims=True)
    for k, (w, g) in enumerate(zip((W1, b1, W2, b2), (dW1 + 1e-3 * W1, db1, dW2 + 1e-3 * W2, db2))):
        velocity[k] = 0.9 * velocity[k] - 0.3 * g
        w += velocity[k]
    if epoch % 30 == 0 or epoch == 119:
        accuracy = np.mean(scores.argmax(axis=1) == labels)
        print(f"epoch {epoch:3d}  loss {loss:.5f}  accuracy {accuracy:.3f}")
confusion = np.zeros((K, K), dtype=int)
np.add.at(confusion, (labels, scores.argmax(1)), 1)
print(confusion, confusion.trace() / confusion.sum())
print(f"|W1|={np.linalg.norm(W1):.4f} |W2|={np.linalg.norm(W2):.4f} hidden on {np.mean(hidden > 0):.3f}")
