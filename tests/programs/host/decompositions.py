"""Decompositions of small matrices, least squares, polynomials."""
import numpy as np


def show(name, x, digits=9):
    if isinstance(x, (tuple, list)):
        for y in x:
            show(name, y, digits)
        return
    x = np.asarray(x)
    if x.dtype.kind in "fc":
        print(name, x.dtype, x.shape, (np.round(x.ravel()[:8], digits) + 0.0).tolist())
    else:
        print(name, x.dtype, x.shape, x.ravel()[:8].tolist())


r = np.random.default_rng(5)
A = r.normal(size=(6, 6))
S = A @ A.T
B = r.normal(size=(7, 3))
C = r.normal(size=(3, 5))
show("qr", np.linalg.qr(A))
show("qr", np.linalg.qr(B))
show("qrc", np.linalg.qr(B, mode="complete"))
show("qr r", np.linalg.qr(C, mode="r"))
show("qr", np.linalg.qr(C))
w, v = np.linalg.eigh(S)
show("eigh", w)
show("eigh", np.abs(v))
show("eigh", S @ v - v * w)
show("eigvalsh", np.linalg.eigvalsh(S))
for M in (A, B, C):
    u, s, vt = np.linalg.svd(M)
    show("svd", (s, np.abs(vt[:len(s)])))
    print(u.shape, vt.shape)
    show("svd", u.T @ u, 8)
    u, s, vt = np.linalg.svd(M, full_matrices=False)
    print(u.shape, vt.shape)
    show("svd", (u * s) @ vt - M, 8)
    show("pinv", np.linalg.pinv(M), 7)
    show("rank", np.linalg.matrix_rank(M))
    show("cond", np.linalg.cond(M), 7)
show("rank", np.linalg.matrix_rank(np.outer(np.arange(4.0), np.arange(3.0) + 1)))
show("svdrank", np.linalg.svd(np.outer(np.arange(4.0), np.arange(3.0) + 1))[1], 7)
u = np.linalg.svd(np.outer(np.arange(4.0), np.arange(3.0) + 1))[0]
show("uu", u.T @ u, 7)
show("lstsq", np.linalg.lstsq(B, np.arange(7.0), rcond=None))
show("lstsq2", np.linalg.lstsq(B, np.arange(14.0).reshape(7, 2), rcond=None)[:2])
show("slogdet", np.linalg.slogdet(A))
show("multi", np.linalg.multi_dot([A, S, A]), 7)
show("solve32", np.linalg.solve(A.astype(np.float32), np.ones(6, np.float32)), 3)
show("det", np.linalg.det(np.stack([A, S])), 6)
show("inv", np.linalg.inv(np.stack([A, S])), 5)
for o in (None, "fro", 1, -1, 2, -2, np.inf, -np.inf):
    show("norm", np.linalg.norm(A, o))
x = np.linspace(-1, 2, 20)
y = x ** 3 - 2 * x + 1
show("polyfit", np.polyfit(x, y, 3), 7)
show("polyfit", np.polyfit(x, np.stack([y, x], axis=1), 2), 7)
show("polyval", np.polyval(np.polyfit(x, y, 3), 1.5), 7)
show("poly", (np.polyadd([1, 2], [3, 4, 5]), np.polysub([1, 2, 3.0], [1]),
              np.polymul([1, 2], [1, -1]), np.polyder([3, 2, 1]), np.polyint([3, 2, 1]),
              np.poly([1, 2, 3.0])))

# Squares of these overflow or vanish.
for a in (np.array([[3e180, 1e180], [2e180, 5e180]]), np.array([[1e-190, 0.0], [2e-190, 1e-190]])):
    u, s, v = np.linalg.svd(a)
    print([f"{size:.9e}" for size in s], np.linalg.matrix_rank(a), np.allclose((u * s @ v) / a[1, 1], a / a[1, 1]))
