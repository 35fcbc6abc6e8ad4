"""Matrix factorisation by SGD and ALS, word vectors, t-SNE forces."""
import numpy as np, math, os, sys; from numba import cuda as cu, float32 as real
g1, atomic, sync = cu.grid, cu.atomic, cu.syncthreads
import typing as tp

K = 8
LR, REG = real(.01), np.float32(2e-2)
NEGATIVE = int(os.getenv("NEGATIVE", 3))
EXP_TABLE_SIZE, MAX_EXP = 200, 6
EXP_TABLE = [math.exp((i / EXP_TABLE_SIZE * 2 - 1) * MAX_EXP) for i in range(EXP_TABLE_SIZE)]
SIGMOID = np.asarray([e / (e + 1) for e in EXP_TABLE], np.float32)

njit_dev = lambda f: cu.jit(f, device=True)
kernel = cu.jit


@njit_dev
def dot(P, u, Q, i):
    s = real(0)
    for k in range(K): s += P[u, k] * Q[i, k]
    return s


@kernel
def sgd(rows, cols, vals, P, Q, bu, bi, mean):
    n = g1(1)
    if n < vals.size:
        u, i = rows[n], cols[n]
        err = vals[n] - (mean + bu[u] + bi[i] + dot(P, u, Q, i))
        for k in range(K):
            p, q = P[u, k], Q[i, k]
            atomic.add(P, (u, k), LR * (err * q - REG * p))
            atomic.add(Q, (i, k), LR * (err * p - REG * q))
        atomic.add(bu, u, LR * (err - REG * bu[u])); atomic.add(bi, i, LR * (err - REG * bi[i]))


@kernel
def als_row(ptr, col, val, Q, P, lam):
    u = cu.blockIdx.x
    t = cu.threadIdx.x
    A = cu.shared.array((K, K + 1), real)
    for j in range(K):
        A[t, j] = lam if t == j else 0
    A[t, K] = 0
    sync()
    for n in range(ptr[u], ptr[u + 1]):
        q = Q[col[n]]
        for j in range(K):
            A[t, j] += q[t] * q[j]
        A[t, K] += val[n] * q[t]
    sync()
    for c in range(K):
        pivot = A[c, c]
        sync()
        if t != c:
            f = A[t, c] / pivot
            for j in range(c, K + 1):
                A[t, j] -= f * A[c, j]
        sync()
    P[u, t] = A[t, K] / A[t, t]


@kernel
def skipgram(centre, context, noise, V, U, alpha):
    pair = cu.blockIdx.x
    c = centre[pair]
    grad = cu.local.array(K, real)
    for k in range(K): grad[k] = 0
    for s in range(NEGATIVE + 1):
        label, w = (1, context[pair]) if s == 0 else (0, noise[pair, s - 1])
        f = dot(V, c, U, w)
        if f > MAX_EXP: g = (label - 1) * alpha
        elif f < -MAX_EXP: g = (label - 0) * alpha
        else: g = (label - SIGMOID[int((f + MAX_EXP) * (EXP_TABLE_SIZE / MAX_EXP / 2))]) * alpha
        for k in range(K):
            grad[k] += g * U[w, k]
            U[w, k] += g * V[c, k]
    for k in range(K): V[c, k] += grad[k]


@kernel
def tsne_repulsive(Y, Z, F):
    i = g1(1); n = Y.shape[0]
    if i >= n: return
    yi = Y[i, 0], Y[i, 1]
    fx = fy = z = 0.
    for j in range(n):
        if j != i:
            dx, dy = yi[0] - Y[j, 0], yi[1] - Y[j, 1]
            q = 1. / (1. + dx ** 2 + dy ** 2)
            z += q
            fx += q ** 2 * dx; fy += q ** 2 * dy
    F[i] = (fx, fy)
    Z[i] = z


@kernel
def perplexity(D, beta, P, logU):
    i = g1(1)
    if i >= D.shape[0]: return
    lo, hi = -np.inf, np.inf
    b = 1.0
    for it in range(50):
        s = h = 0.0
        for j in range(D.shape[1]):
            if j != i:
                p = math.exp(-D[i, j] * b)
                P[i, j] = p
                s += p; h += D[i, j] * p
        H = math.log(s) + b * h / s
        if abs(diff := H - logU) < 1e-5: break
        if diff > 0:
            lo = b; b = b * 2 if math.isinf(hi) else (b + hi) / 2
        else:
            hi = b; b = b / 2 if math.isinf(lo) else (b + lo) / 2
    beta[i] = b
    for j in range(D.shape[1]): P[i, j] = P[i, j] / s if j != i else 0.


class Model(tp.NamedTuple):
    P: np.ndarray
    Q: np.ndarray


if __name__ == "__main__":
    r = np.random.RandomState(0)
    P = r.rand(4, K).astype("f4"); Q = r.rand(5, K).astype("f4")
    rows, cols = np.array([0, 1, 2, 3]), np.array([0, 1, 2, 4])
    bu, bi = np.zeros(4, "f4"), np.zeros(5, "f4")
    for _ in range(10): sgd[1, 4](rows, cols, np.array([5, 3, 4, 1], "f4"), P, Q, bu, bi, np.float32(3))
    print(np.round(P.sum(axis=1), 3).tolist(), np.round(bi, 4).tolist())
    als_row[3, K](np.array([0, 2, 4, 5]), np.array([0, 1, 2, 3, 4]), np.array([1, 2, 3, 4, 5], "f4"), Q, P, np.float32(.5))
    print(np.round(P.sum(axis=1), 2).tolist())
    V, U = r.rand(6, K).astype("f4") - .5, r.rand(6, K).astype("f4") - .5
    skipgram[1, 1](np.array([2]), np.array([3]), np.array([[0, 1, 5]]), V, U, np.float32(.05))
    print(round(float(V.sum()), 4), round(float(U.sum()), 4))
    Y = r.randn(10, 2); Z = np.zeros(10); F = np.zeros((10, 2))
    tsne_repulsive[1, 32](Y, Z, F)
    print(round(float(Z.sum()), 8), np.round(F[3], 8).tolist())
    D = ((Y[:, None] - Y[None]) ** 2).sum(-1); beta = np.zeros(10); PP = np.zeros((10, 10))
    perplexity[1, 16](D, beta, PP, math.log(4))
    print(np.round(beta, 6).tolist())
