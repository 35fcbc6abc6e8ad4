"""Cahn-Hilliard, dendrites, peridynamics and finite elements with Gauss points."""
from itertools import product
import math
import numpy as np
from numba import cuda, f8, i8, void

π = math.pi
ε̄, δ, α, γ = 0.01, 0.02, 0.9, 10.0
n_folds = 6
GP = 1 / np.sqrt(3)
gauss = np.array(list(product((-GP, GP), repeat=2)))
XI = gauss[:, 0]
ETA = gauss[:, 1]
E_MOD, NU = 1.0, 0.3
D = E_MOD / (1 - NU ** 2) * np.array([[1, NU, 0], [NU, 1, 0], [0, 0, (1 - NU) / 2]])
SIMP_P = 3


@cuda.jit(device=True)
def per(i, n):
    return (i + n) % n


@cuda.jit(device=True)
def lap(a, i, j, h):
    n, m = a.shape
    return (a[per(i - 1, n), j] + a[per(i + 1, n), j] + a[i, per(j - 1, m)] + a[i, per(j + 1, m)]
            - 4 * a[i, j]) / h ** 2


@cuda.jit(void(f8[:, ::1], f8[:, ::1], f8, f8))
def potential(c, mu, kappa, h):
    i, j = cuda.grid(2)
    if i < c.shape[0] and j < c.shape[1]:
        v = c[i, j]
        mu[i, j] = 2 * v * (1 - v) * (1 - 2 * v) - kappa * lap(c, i, j, h)


@cuda.jit(void(f8[:, ::1], f8[:, ::1], f8, f8, f8))
def evolve(c, mu, mobility, dt, h):
    i, j = cuda.grid(2)
    if i < c.shape[0] and j < c.shape[1]:
        c[i, j] += dt * mobility * lap(mu, i, j, h)


@cuda.jit
def anisotropy(φ, ε, dε, θ0, h):
    i, j = cuda.grid(2)
    n, m = φ.shape
    if i >= n or j >= m:
        return
    φx = (φ[per(i + 1, n), j] - φ[per(i - 1, n), j]) / (2 * h)
    φy = (φ[i, per(j + 1, m)] - φ[i, per(j - 1, m)]) / (2 * h)
    θ = math.atan2(φy, φx)
    ε[i, j] = ε̄ * (1 + δ * math.cos(n_folds * (θ - θ0)))
    dε[i, j] = -ε̄ * n_folds * δ * math.sin(n_folds * (θ - θ0))


@cuda.jit
def solidify(φ, T, ε, φ_new, T_new, τ, K, dt, h):
    i, j = cuda.grid(2)
    n, m = φ.shape
    if i < n and j < m:
        m_ = α / π * math.atan(γ * (1.0 - T[i, j]))
        p = φ[i, j]
        rate = (ε[i, j] ** 2 * lap(φ, i, j, h) + p * (1 - p) * (p - 0.5 + m_)) / τ
        φ_new[i, j] = p + dt * rate
        T_new[i, j] = T[i, j] + dt * (lap(T, i, j, h) + K * rate)


@cuda.jit
def bond_forces(x, u, family, ptr, stretch0, bulk, force, damage):
    i = cuda.grid(1)
    if i >= x.shape[0]:
        return
    fx = fy = 0.0
    broken = 0
    for k in range(ptr[i], ptr[i + 1]):
        j = family[k]
        if j < 0:
            broken += 1
            continue
        ξx, ξy = x[j, 0] - x[i, 0], x[j, 1] - x[i, 1]
        ηx, ηy = u[j, 0] - u[i, 0], u[j, 1] - u[i, 1]
        l0 = math.hypot(ξx, ξy)
        l1 = math.hypot(ξx + ηx, ξy + ηy)
        s = (l1 - l0) / l0
        if s > stretch0:
            family[k] = -1
            broken += 1
        else:
            fx += bulk * s * (ξx + ηx) / l1
            fy += bulk * s * (ξy + ηy) / l1
    force[i, 0], force[i, 1] = fx, fy
    damage[i] = broken / max(ptr[i + 1] - ptr[i], 1)


@cuda.jit
def element_stiffness(coords, conn, density, Ke):
    e = cuda.grid(1)
    if e >= conn.shape[0]:
        return
    B = cuda.local.array((3, 8), f8)
    dN = cuda.local.array((2, 4), f8)
    for a in range(8):
        for b in range(8):
            Ke[e, a, b] = 0
    for g in range(4):
        ξ, η = XI[g], ETA[g]
        dN[0, 0], dN[0, 1], dN[0, 2], dN[0, 3] = -(1 - η) / 4, (1 - η) / 4, (1 + η) / 4, -(1 + η) / 4
        dN[1, 0], dN[1, 1], dN[1, 2], dN[1, 3] = -(1 - ξ) / 4, -(1 + ξ) / 4, (1 + ξ) / 4, (1 - ξ) / 4
        J00 = J01 = J10 = J11 = 0.0
        for a in range(4):
            px, py = coords[conn[e, a], 0], coords[conn[e, a], 1]
            J00 += dN[0, a] * px; J01 += dN[0, a] * py
            J10 += dN[1, a] * px; J11 += dN[1, a] * py
        det = J00 * J11 - J01 * J10
        B[:, :] = 0
        for a in range(4):
            bx = (J11 * dN[0, a] - J01 * dN[1, a]) / det
            by = (-J10 * dN[0, a] + J00 * dN[1, a]) / det
            B[0, 2 * a] = bx
            B[1, 2 * a + 1] = by
            B[2, 2 * a], B[2, 2 * a + 1] = by, bx
        for a in range(8):
            for b in range(8):
                s = 0.0
                for p in range(3):
                    for q in range(3):
                        s += B[p, a] * D[p, q] * B[q, b]
                Ke[e, a, b] += s * det * density[e] ** SIMP_P


@cuda.jit
def matvec(Ke, conn, v, out):
    e, a = cuda.grid(2)
    if e < conn.shape[0] and a < 8:
        s = 0.0
        for b in range(8):
            s += Ke[e, a, b] * v[2 * conn[e, b // 2] + b % 2]
        cuda.atomic.add(out, 2 * conn[e, a // 2] + a % 2, s)


def main():
    n = 12
    g2, b2 = (3, 3), (4, 4)
    i, j = np.mgrid[:n, :n]
    c = 0.5 + 0.05 * np.cos(i) * np.sin(2.0 * j)
    mu = np.zeros_like(c)
    for _ in range(20):
        potential[g2, b2](c, mu, 0.5, 1.0)
        evolve[g2, b2](c, mu, 1.0, 0.05, 1.0)
    print(round(c.sum(), 10), round(c.std(), 8))
    φ, T = np.exp(-((i - 5.3) ** 2 + (j - 6.4) ** 2) / 4.0), np.zeros((n, n))
    ε, dε = np.zeros((2, n, n))
    for _ in range(5):
        φn, Tn = φ.copy(), T.copy()
        anisotropy[g2, b2](φ, ε, dε, 0.2, 0.03)
        solidify[g2, b2](φ, T, ε, φn, Tn, 3e-4, 1.6, 1e-5, 0.03)
        φ, T = φn, Tn
    print(round(φ.sum(), 8), round(T.sum(), 8), round(dε.sum(), 10))
    x = np.stack([i.ravel(), j.ravel()], 1).astype(float)
    d = np.hypot(*(x[:, None] - x[None]).transpose(2, 0, 1))
    near = [[q for q in range(n * n) if 0 < d[p, q] < 2.1] for p in range(n * n)]
    ptr = np.cumsum([0] + list(map(len, near)))
    fam = np.array(sum(near, []))
    F, dmg = np.zeros((n * n, 2)), np.zeros(n * n)
    bond_forces[5, 32](x, 0.01 * x * x, fam, ptr, 0.15, 2.0, F, dmg)
    print(np.round(np.abs(F).sum(0), 8).tolist(), round(dmg.sum(), 8), int((fam < 0).sum()))
    coords = np.array([[0, 0], [1, 0], [2.2, 0], [0, 1], [1, 1.1], [2, 1]])
    conn = np.array([[0, 1, 4, 3], [1, 2, 5, 4]])
    Ke = np.zeros((2, 8, 8))
    element_stiffness[1, 2](coords, conn, np.array([1.0, 0.5]), Ke)
    out = np.zeros(12)
    matvec[(1, 1), (2, 8)](Ke, conn, np.arange(12.0), out)
    print(np.round(out, 8).tolist())


if __name__ == "__main__":
    main()
