"""Logistic regression by gradient descent on expressions of arrays."""
import numpy as np


def sigmoid(z):
    return 1.0 / (1.0 + np.exp(-z))


def loss(w, x, y, lam):
    p = np.clip(sigmoid(x @ w), 1e-12, 1 - 1e-12)
    return -np.mean(y * np.log(p) + (1 - y) * np.log(1 - p)) + lam * np.sum(w[1:] ** 2)


def fit(x, y, lam=1e-3, rate=0.5, steps=300):
    w = np.zeros(x.shape[1])
    history = []
    for step in range(steps):
        error = sigmoid(x @ w) - y
        grad = x.T @ error / len(y)
        grad[1:] += 2 * lam * w[1:]
        w -= rate * grad
        if step % 60 == 0:
            history.append(loss(w, x, y, lam))
    return w, history


rng = np.random.default_rng(0)
n = 1000
labels = rng.integers(0, 2, n)
points = rng.normal(size=(n, 3)) + labels[:, None] * np.array([1.5, -1.0, 0.5])
points = (points - points.mean(axis=0)) / points.std(axis=0)
x = np.column_stack([np.ones(n), points])
order = rng.permutation(n)
train, test = order[:800], order[800:]

w, history = fit(x[train], labels[train])
print("weights", np.round(w, 3))
print("loss", " ".join(f"{h:.4f}" for h in history))
assert all(a > b for a, b in zip(history, history[1:]))

predicted = (sigmoid(x[test] @ w) > 0.5).astype(int)
actual = labels[test]
table = np.zeros((2, 2), dtype=int)
np.add.at(table, (actual, predicted), 1)
print(table)
tp, fp, fn = table[1, 1], table[0, 1], table[1, 0]
precision, recall = tp / (tp + fp), tp / (tp + fn)
print(f"accuracy {np.mean(predicted == actual):.3f} precision {precision:.3f} "
      f"recall {recall:.3f} f1 {2 * precision * recall / (precision + recall):.3f}")
scores = sigmoid(x[test] @ w)
ranks = np.argsort(np.argsort(scores)) + 1
pos = actual == 1
auc = (ranks[pos].sum() - pos.sum() * (pos.sum() + 1) / 2) / (pos.sum() * (~pos).sum())
print("auc %.4f" % auc)
