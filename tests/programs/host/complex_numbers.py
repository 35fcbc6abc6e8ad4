"""Complex numbers: of Python, of NumPy, in arrays, and as texts."""
import numpy as np
import cmath, math
z = 3 + 4j
print(z, abs(z), z.real, z.imag, z.conjugate(), -z, +z, z * 2, z / (1 - 2j), z ** 2, z ** -1, z ** 0.5, 2 ** z, z == 3 + 4j, z != 0, bool(0j), 1j, -1j, complex(1, -0.0), complex("1+2j"), complex(3), 0j ** 2)
print((-8) ** (1 / 3), (-1) ** 0.5, (1e200 + 1j) * 1e-200, 1j * float("inf"))
print(f"{z:.2f} {z} {z:>12} {1j:.1f} {z:e}", "%s" % z, "{:+.3g}".format(z), repr(z), str(1.5j), [z, 1j])
print(cmath.sqrt(-1), cmath.exp(1j * math.pi), cmath.log(1j), cmath.phase(-1), cmath.polar(1 + 1j), cmath.rect(2, 1), cmath.sin(1 + 1j), cmath.isnan(1j), cmath.pi, cmath.log10(100), cmath.sqrt(3 - 4j), cmath.isclose(1, 1 + 1e-12j))
print(isinstance(z, complex), type(z), isinstance(np.complex128(1), complex), type(np.complex64(1)), (5).real, (2.5).imag, True.real)
a = np.array([1 + 2j, 3 - 1j, 0.5j])
print(a, a.dtype, a.real, a.imag, a.conj(), np.abs(a), a * a, a / (1 + 1j), a + 1, 2 * a, a - a[::-1], a ** 2, a ** 3)
print(repr(a), repr(a.astype(np.complex64)), a.sum(), a.mean(), a.prod(), np.angle(a), np.angle(a, deg=True))
print(np.sqrt(a), np.exp(a), np.log(a), np.sin(a), np.sqrt(np.complex128(-1)), np.exp(1j * np.pi / 3))
print(a == a, a != 0, a.astype(complex) is a, np.allclose(a, a + 1e-10), np.array_equal(a, a))
b = np.zeros((2, 3), dtype=complex)
b[0] = a; b[1, 1] = 5; b[1].imag = 7; b.real[1, 0] = -2; b.real += 1
print(b, b.T.shape, b.sum(axis=0), b.sum(axis=1), np.dot(a, a), np.vdot(a, a), a @ a, np.outer(a, a).shape, b.var(), a.std())
x = np.linspace(0, 1, 5)
w = np.exp(2j * np.pi * x)
print(w.round(3), np.real(w).round(2), np.imag(w)[1], w.dtype, (x + 0j).dtype, (x.astype(np.float32) * 1j).dtype, (np.arange(3) * 1j).dtype, (np.float32(2) * 1j).dtype, np.complex64(1) * 2.0)
print(np.array([1, 2j, 3.5]), np.array([[1j, 2], [3, 4]]) @ np.array([[1, 0], [0, 1j]]), np.full(3, 1 + 1j), np.ones(2, complex), np.eye(2, dtype=complex))
print(np.array([1e-10 + 1j, 1e10 - 2j]), np.array([np.nan + 1j, 1 - np.inf * 1j]), np.array([0.1 + 0.25j, 100.5 - 3j], dtype=np.complex64))
print(np.complex128(1 + 2j), repr(np.complex128(1 + 2j)), repr(np.complex64(0.1j)), repr(np.complex64(0.1 - 2j)), np.complex128(2) ** 3, np.complex64(1 + 2j) / np.complex64(3 - 1j), np.complex128(1 + 2j) / (3 - 1j), np.abs(np.complex64(3 + 4j)), np.conj(np.complex128(1j)))
print(np.where(a.real > 0.7, a, 0), np.isnan(a), np.isfinite(a * np.inf), np.concatenate([a, [1]]), np.cumsum(a), a.tolist(), a[0].item(), np.iscomplexobj(a), np.real(3 + 2j), np.square(a), np.reciprocal(a), np.power(a, 2.5), np.any(a), np.all(a))
print(np.arange(1100) * 1j)
f = np.zeros(3); f[:] = a.real; print(f, a.nbytes, a.itemsize, np.dtype(complex), np.complex64, a.strides, np.isclose(a, a), np.trace(np.eye(2) * 1j), np.linalg.norm(a), np.sum(np.abs(a) ** 2))
print(min([abs(v) for v in a]), sum(a), sum([1j, 2]), sorted(a, key=abs), max(a, key=lambda v: v.imag), 1j in [1j, 2], (1 + 0j) == 1)
print(np.array([1j]).item(), complex(np.complex64(2 + 1j)), np.array(3 + 1j), repr(np.array(3 + 1j)), np.complex128(3).real, np.add(a, 1j), np.multiply(a, 2), np.divide(a, 3), np.subtract(1, a), np.negative(a))
z=np.array([1+2j,0j, 1e-5+3j, -2-1j])
for e in (0, 1, 2, 3, 5, -1, -3, 99):
    print(e, np.power(z, e), z ** e, z.astype(np.complex64) ** e)
rng = np.random.default_rng(3)
for n in (1,3,4,5,7,8,9,20,63,64,65,66,100,127,128,129,130,136,200,1000,5000,100001):
    z = rng.standard_normal(n) + 1j * rng.standard_normal(n)
    print(n, z.sum(), z.mean(), z.astype(np.complex64).sum())
z = rng.standard_normal((100, 300)) + 1j * rng.standard_normal((100, 300))
print(z.sum(), z.T.sum(), z[:, ::2].sum(), z.sum(axis=0)[:2], z.sum(axis=1)[:2], z[::3].sum(axis=1)[:2])
rng = np.random.default_rng(3)
z = (rng.standard_normal(300) + 1j * rng.standard_normal(300)).astype(np.complex64)
w = (rng.standard_normal(300) + 1j * rng.standard_normal(300)).astype(np.complex64)
q = z / w
print((q.real.astype(np.float64).sum(), q.imag.astype(np.float64).sum()))
q = 1 / w
print(q.real.astype(np.float64).sum(), q.imag.astype(np.float64).sum())
q = w ** -1
print(q.real.astype(np.float64).sum(), q.imag.astype(np.float64).sum())
q = w ** 5
print(q.real.astype(np.float64).sum(), q.imag.astype(np.float64).sum())
print(q.dtype, (z[0] / w[0]), z[3] * w[3], z[7] ** 3)
