"""A hidden Markov model of a fair and a loaded die: forward, backward, Viterbi, and training."""
import numpy as np

STATES = ("fair", "loaded")
start = np.array([0.5, 0.5])
move = np.array([[0.95, 0.05], [0.10, 0.90]])
show = np.vstack([np.full(6, 1 / 6), [0.1] * 5 + [0.5]])


def throw(n, seed):
    rng = np.random.default_rng(seed)
    state = 0
    states = np.empty(n, dtype=np.int8)
    faces = np.empty(n, dtype=np.intp)
    for t in range(n):
        if rng.random() > move[state, state]:
            state = 1 - state
        states[t] = state
        faces[t] = np.searchsorted(show[state].cumsum(), rng.random())
    return states, faces


def forward(faces, start, move, show):
    n = len(faces)
    alpha = np.zeros((n, 2))
    scale = np.zeros(n)
    alpha[0] = start * show[:, faces[0]]
    scale[0] = alpha[0].sum()
    alpha[0] /= scale[0]
    for t in range(1, n):
        alpha[t] = (alpha[t - 1] @ move) * show[:, faces[t]]
        scale[t] = alpha[t].sum()
        alpha[t] /= scale[t]
    return alpha, scale


def backward(faces, move, show, scale):
    beta = np.ones((len(faces), 2))
    for t in reversed(range(len(faces) - 1)):
        beta[t] = move @ (show[:, faces[t + 1]] * beta[t + 1]) / scale[t + 1]
    return beta


def viterbi(faces):
    score = np.log(start) + np.log(show[:, faces[0]])
    back = np.zeros((len(faces), 2), int)
    for t, face in enumerate(faces[1:], start=1):
        ways = score[:, None] + np.log(move)
        back[t] = ways.argmax(axis=0)
        score = ways.max(axis=0) + np.log(show[:, face])
    path = [int(score.argmax())]
    for t in range(len(faces) - 1, 0, -1):
        path.append(int(back[t, path[-1]]))
    return np.array(path[::-1]), float(score.max())


states, faces = throw(300, 11)
print("".join(str(f + 1) for f in faces[:60]))
print("".join("FL"[s] for s in states[:60]))
alpha, scale = forward(faces, start, move, show)
beta = backward(faces, move, show, scale)
gamma = alpha * beta
print("log likelihood %.6f" % np.log(scale).sum(), np.allclose(gamma.sum(1), 1))
path, best = viterbi(faces)
print("".join("FL"[s] for s in path[:60]), f"{best:.4f}", f"{(path == states).mean():.2%}")
runs = np.flatnonzero(np.diff(path)) + 1
for a, b in zip(np.r_[0, runs][:4], np.r_[runs, len(path)][:4]):
    print(f"{a:4d}..{b - 1:<4d} {STATES[path[a]]:>6} mean face {faces[a:b].mean() + 1:.3f}")

A, B, p = np.array([[0.8, 0.2], [0.3, 0.7]]), np.array([[1 / 6] * 6, [.15, .15, .15, .15, .15, .25]]), start
for it in range(15):
    alpha, scale = forward(faces, p, A, B)
    beta = backward(faces, A, B, scale)
    gamma = alpha * beta
    xi = alpha[:-1, :, None] * A[None] * (B[:, faces[1:]].T * beta[1:] / scale[1:, None])[:, None, :]
    A = xi.sum(axis=0) / gamma[:-1].sum(axis=0)[:, np.newaxis]
    B = np.stack([gamma[faces == k].sum(0) for k in range(6)], axis=1) / gamma.sum(0)[:, None]
    p = gamma[0] / gamma[0].sum()
    if it % 5 == 4:
        print(it + 1, f"{np.log(scale).sum():.5f}", A.round(4).tolist())
with np.printoptions(precision=3, suppress=True):
    print(B)
