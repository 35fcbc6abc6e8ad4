"""The nearest by cosine of many vectors: products, top k, votes."""
import numpy as np

rng = np.random.default_rng(8)
classes, dim = 6, 32
centres = rng.normal(size=(classes, dim))
labels = rng.integers(classes, size=900)
vectors = (centres[labels] + 0.9 * rng.normal(size=(900, dim))).astype(np.float32)
vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
base, queries = vectors[:800], vectors[800:]
base_labels, query_labels = labels[:800], labels[800:]

scores = queries @ base.T
k = 9
near = np.argpartition(-scores, k, axis=1)[:, :k]
rows = np.arange(len(queries))[:, None]
order = np.argsort(-scores[rows, near], axis=1)
near = near[rows, order]
assert np.all(np.diff(scores[rows, near], axis=1) <= 0)
assert np.array_equal(np.sort(near[0]), np.sort(np.argsort(-scores[0])[:k]))

votes = np.zeros((len(queries), classes), dtype=np.int64)
np.add.at(votes, (rows, base_labels[near]), 1)
predicted = votes.argmax(axis=1)
print("right: %d of %d" % ((predicted == query_labels).sum(), len(queries)))
confusion = np.zeros((classes, classes), int)
np.add.at(confusion, (query_labels, predicted), 1)
print(confusion)
print("sure:", np.mean(votes.max(axis=1) == k), "ties:", np.sum(np.sort(votes, axis=1)[:, -1]
                                                               == np.sort(votes, axis=1)[:, -2]))
similarity = np.array([[scores[query_labels == a][:, base_labels == b].mean()
                        for b in range(classes)] for a in range(classes)])
print("own class nearest:", np.all(similarity.argmax(axis=1) == np.arange(classes)))
print(np.round(np.diag(similarity), 2))
