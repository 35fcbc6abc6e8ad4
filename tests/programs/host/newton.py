"""Newton's fractal and the roots of polynomials with complex numbers."""
import cmath
import numpy as np
from numba import cuda, vectorize, complex128

coeffs = [1, 0, 0, -1]


@vectorize(['complex128(complex128)'])
def newton_step(z):
    return z - (z * z * z - 1) / (3 * z * z)


@cuda.jit
def basin(roots, xmin, xmax, ymin, ymax, out, iters, tol):
    i, j = cuda.grid(2)
    h, w = out.shape
    if i < h and j < w:
        z = complex(xmin + (xmax - xmin) * (j + 0.5) / w, ymin + (ymax - ymin) * (i + 0.5) / h)
        for it in range(iters):
            if abs(z) < 1e-12:
                break
            z -= (z ** 3 - 1) / (3 * z * z)
            for k in range(len(roots)):
                if abs(z - roots[k]) < tol:
                    out[i, j] = k + 1
                    return


def durand_kerner(c, tol=1e-13, most=200):
    c = np.asarray(c, dtype=complex) / c[0]
    n = len(c) - 1
    z = (0.4 + 0.9j) ** np.arange(n)
    for it in range(1, most + 1):
        old = z.copy()
        for i in range(n):
            others = np.delete(z, i)
            z[i] = z[i] - np.polyval(c, z[i]) / np.prod(z[i] - others)
        if np.max(np.abs(z - old)) < tol:
            break
    return z, it


def tidy(z, digits=6):
    return f"{round(z.real, digits) + 0.0:g}{round(z.imag, digits) + 0.0:+g}j"


def by_angle(zs):
    return sorted(zs, key=lambda z: (round(abs(z), 8), round(cmath.phase(z), 8)))


roots = np.array([cmath.exp(2j * cmath.pi * k / 3) for k in range(3)])
out = np.zeros((18, 36), dtype=np.int8)
basin[(3, 3), (8, 16)](roots, -2.0, 2.0, -1.5, 1.5, out, 40, 1e-6)
for row in out:
    print("".join(" .o@"[v] for v in row))
print(np.bincount(out.ravel()))
z = np.array([1 + 1j, -1 + 0.5j, -0.3 - 2j], dtype=np.complex128)
for _ in range(12):
    z = newton_step(z)
print([tidy(v) for v in z.tolist()])
for c in ([1, 0, 0, -1], [1, -6, 11, -6], [2, 0, 3, 1, 5]):
    zs, it = durand_kerner(c)
    zs = by_angle(zs.tolist())
    print(c, "->", [tidy(v) for v in zs], it < 60)
    assert all(abs(np.polyval(c, v)) < 1e-8 for v in zs)
    other = by_angle(np.roots(c).tolist())
    print("   np.roots agrees:", np.allclose(zs, other))
A = np.array([[0., 1, 0], [0, 0, 1], [6, -11, 6]])
w, V = np.linalg.eig(A)
print("eig", np.sort(w.real).round(6), np.allclose(A @ V, V * w))
R = np.array([[0.8, -0.6], [0.6, 0.8]])
lam = np.linalg.eigvals(R)
print(sorted([tidy(v) for v in lam.tolist()]), abs(lam).round(12))
q = (3 + 4j) * (1 - 2j) / (2 + 1j)
print(q, abs(q), q.conjugate(), complex("1+2j"), cmath.polar(1j), cmath.sqrt(-4), (2j) ** 2, 1j ** 1j)
