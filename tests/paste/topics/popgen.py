"""Linkage, kinship, association and coalescence of genotypes."""
import argparse, gzip, os, sys, warnings
import numpy as np
import allel
import zarr
from numba import cuda, njit, types as t, config
config.CUDA_LOW_OCCUPANCY_WARNINGS = 0
MISSING = -1
HET, HOM = 1, 2
MAX_HAP = 1 << 4
NUCLEOTIDES = {b: i for i, b in enumerate("ACGT")}
N_NUC = len(NUCLEOTIDES)
JUKES_CANTOR = np.full((N_NUC, N_NUC), 0.25 / 3) + np.eye(N_NUC) * (0.75 - 0.25 / 3)
JC_LOG = np.log(JUKES_CANTOR)
THREADS = int(os.environ.get("PG_THREADS", 64))


def kernel(*sig, **options):
    """cuda.jit with our defaults"""
    options.setdefault("fastmath", False)
    return cuda.jit(*sig, **options)


@cuda.jit(device=True)
def moments(g, i, j):
    n = 0
    si = sj = sii = sjj = sij = 0.
    for s in range(g.shape[1]):
        a, b = g[i, s], g[j, s]
        if a == MISSING or b == MISSING:
            continue
        n += 1
        si += a; sj += b
        sii += a * a; sjj += b * b; sij += a * b
    return n, si, sj, sii, sjj, sij


@cuda.jit
def ld_r2(g, r2):
    i, j = cuda.grid(2)
    if i >= g.shape[0] or j > i:
        return
    n, si, sj, sii, sjj, sij = moments(g, i, j)
    num = n * sij - si * sj
    den = (n * sii - si ** 2) * (n * sjj - sj ** 2)
    r2[i, j] = r2[j, i] = num * num / den if den > 0 else np.nan


@cuda.jit
def ibs(g, shared, total):
    a, b = cuda.grid(2)
    n = g.shape[1]
    if a < n and b < n:
        for v in range(g.shape[0]):
            x, y = t.int32(g[v, a]), t.int32(g[v, b])
            if x >= 0 and y >= 0:
                shared[a, b] += 2 - abs(x - y)
                total[a, b] += 2


@cuda.jit
def association(g, y, beta, chi2):
    v = cuda.grid(1)
    if v < g.shape[0]:
        sx = sy = sxx = sxy = syy = 0.0
        n = 0
        for s in range(y.size):
            x = g[v, s]
            if x != MISSING and not np.isnan(y[s]):
                sx += x; sy += y[s]; sxx += x * x; sxy += x * y[s]; syy += y[s] ** 2; n += 1
        vx, cxy, vy = sxx - sx * sx / n, sxy - sx * sy / n, syy - sy * sy / n
        beta[v] = cxy / vx
        chi2[v] = (n - 2) * cxy ** 2 / (vx * vy - cxy ** 2)


@cuda.jit
def em_haplotypes(counts, freq, iters):
    pair = cuda.grid(1)
    if pair >= counts.shape[0]: return
    p = cuda.local.array(4, t.float64)
    q = cuda.local.array(4, t.float64)
    for k in range(4): p[k] = 0.25
    c = counts[pair]
    n = 0
    for k in range(9): n += c[k]
    for _ in range(iters):
        x = p[0] * p[3] / (p[0] * p[3] + p[1] * p[2])
        q[0] = 2 * c[0] + c[1] + c[3] + c[4] * x
        q[1] = 2 * c[2] + c[1] + c[5] + c[4] * (1 - x)
        q[2] = 2 * c[6] + c[3] + c[7] + c[4] * (1 - x)
        q[3] = 2 * c[8] + c[5] + c[7] + c[4] * x
        for k in range(4): p[k] = q[k] / (2 * n)
    freq[pair, :] = p


@cuda.jit
def likelihood(left, right, tl, tr, out):
    site = cuda.grid(1)
    if site >= left.shape[0]: return
    for s in range(N_NUC):
        a = b = 0.
        for k in range(N_NUC):
            pl = JUKES_CANTOR[s, k] ** tl
            pr = np.exp(JC_LOG[s, k] * tr)
            a += pl * left[site, k]
            b += pr * right[site, k]
        out[site, s] = a * b


@cuda.jit
def wright_fisher(freq, u, n_pop, s):
    rep = cuda.grid(1)
    if rep < freq.shape[0]:
        p = freq[rep, 0]
        for gen in range(1, freq.shape[1]):
            w = p * (1 + s) / (1 + s * p)
            k = 0
            for d in range(n_pop):
                k += u[rep, gen, d] < w
            p = k / n_pop
            freq[rep, gen] = p
            if p in (0.0, 1.0):
                break


def main(argv=None):
    ap = argparse.ArgumentParser(prog="popgen", formatter_class=argparse.ArgumentDefaultsHelpFormatter)
    ap.add_argument("--seed", "-s", type=int, default=1)
    args, _ = ap.parse_known_args(argv or [])
    rng = np.random.default_rng(args.seed)
    g = rng.integers(-1, 3, (8, 20)).astype(np.int8)
    r2 = np.zeros((8, 8)); ld_r2[(1, 1), (8, 8)](g, r2)
    print(round(float(np.nansum(r2)), 8))
    sh, to = np.zeros((2, 20, 20), np.int32)
    ibs[(3, 3), (8, 8)](g, sh, to)
    print(int(sh.sum()), int(to.sum()))
    beta, chi = np.zeros(8), np.zeros(8)
    association[1, 8](g, rng.normal(size=20), beta, chi)
    print(np.round(beta, 6).tolist(), round(chi.sum(), 6))
    fr = np.zeros((3, 4)); em_haplotypes[1, 4](rng.integers(1, 9, (3, 9)), fr, 10)
    print(np.round(fr, 6).tolist())
    out = np.zeros((5, 4)); likelihood[1, 8](rng.random((5, 4)), rng.random((5, 4)), 0.5, 1.5, out)
    print(round(out.sum(), 8))
    f = np.full((4, 6), .5); wright_fisher[1, 4](f, rng.random((4, 6, 10)), 10, .1)
    print(f[:, -1].tolist())


if __name__ == "__main__":
    main()
