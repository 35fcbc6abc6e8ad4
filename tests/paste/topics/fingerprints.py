'''Tanimoto similarity of fingerprints, docking scores, Gaussian basis functions, spectra.'''
import functools as ft
import operator as op
import gzip, pickle, shelve
from collections.abc import Iterable, Mapping

import numpy as np
from numba import cuda
import numba.types as nt
from rdkit import Chem
from rdkit.Chem import AllChem

BITS = 1024
WORDS = BITS // 64
TPB = 64
assert WORDS * 64 == BITS
VDW = dict(H=1.2, C=1.7, N=1.55, O=1.52, S=1.8)
RADII = np.array(list(VDW.values()), dtype="float32")
ELEMENTS = {e: k for k, e in enumerate(VDW)}
C_INDEX = ELEMENTS["C"]
ANGSTROM = 1 / 0.529177210903
L_MAX = 2
DFACT = ft.reduce(op.mul, range(2 * L_MAX - 1, 0, -2))
NORM = (2 / np.pi) ** 0.75


@cuda.jit(device=True, inline="always")
def tanimoto(a, b):
    both = either = 0
    for w in range(WORDS):
        both += cuda.popc(a[w] & b[w])
        either += cuda.popc(a[w] | b[w])
    return both / either if either else 0.0


@cuda.jit
def all_pairs(q, db, out):
    tile = cuda.shared.array((TPB, WORDS), nt.uint64)
    j = cuda.grid(1)
    tx = cuda.threadIdx.x
    if j < db.shape[0]:
        for w in range(WORDS):
            tile[tx, w] = db[j, w]
    cuda.syncthreads()
    if j < db.shape[0]:
        for i in range(q.shape[0]):
            out[i, j] = tanimoto(q[i], tile[tx])


@cuda.jit
def top_k(scores, idx, val):
    i = cuda.grid(1)
    if i >= scores.shape[0]:
        return
    K = idx.shape[1]
    for k in range(K):
        val[i, k] = -1.
        idx[i, k] = -1
    for j in range(scores.shape[1]):
        s = scores[i, j]
        if s <= val[i, -1]:
            continue
        k = K - 1
        while k > 0 and val[i, k - 1] < s:
            val[i, k] = val[i, k - 1]
            idx[i, k] = idx[i, k - 1]
            k -= 1
        val[i, k], idx[i, k] = s, j


@cuda.jit
def dock_energy(lig, lig_t, rec, rec_t, charges, poses, energy):
    p = cuda.blockIdx.x
    acc = cuda.shared.array(1, nt.float64)
    if cuda.threadIdx.x == 0:
        acc[0] = 0.
    cuda.syncthreads()
    c, s = np.cos(poses[p, 3]), np.sin(poses[p, 3])
    e = 0.
    for a in range(cuda.threadIdx.x, lig.shape[0], cuda.blockDim.x):
        x = c * lig[a, 0] - s * lig[a, 1] + poses[p, 0]
        y = s * lig[a, 0] + c * lig[a, 1] + poses[p, 1]
        z = lig[a, 2] + poses[p, 2]
        for b in range(rec.shape[0]):
            r2 = (x - rec[b, 0]) ** 2 + (y - rec[b, 1]) ** 2 + (z - rec[b, 2]) ** 2
            r2 = max(r2, .25)
            sigma = (RADII[lig_t[a]] + RADII[rec_t[b]]) / 2
            s6 = (sigma * sigma / r2) ** 3
            e += 4 * .1 * (s6 * s6 - s6) + 332.06371 * charges[b] / (4 * r2)
            if lig_t[a] == C_INDEX == rec_t[b]:
                e -= .01
    cuda.atomic.add(acc, 0, e)
    cuda.syncthreads()
    if cuda.threadIdx.x == 0:
        energy[p] = acc[0]


@cuda.jit
def gto(points, centres, exponents, powers, coeff, out):
    g, f = cuda.grid(2)
    if g < points.shape[0] and f < centres.shape[0]:
        dx = (points[g, 0] - centres[f, 0]) * ANGSTROM
        dy = (points[g, 1] - centres[f, 1]) * ANGSTROM
        dz = (points[g, 2] - centres[f, 2]) * ANGSTROM
        lx, ly, lz = powers[f]
        r2 = dx * dx + dy * dy + dz * dz
        radial = 0.
        for k in range(exponents.shape[1]):
            radial += coeff[f, k] * NORM * exponents[f, k] ** .75 * np.exp(-exponents[f, k] * r2)
        out[g, f] = dx ** lx * dy ** ly * dz ** lz * radial / DFACT


@cuda.jit("f8(f8[:], f8[:], f8[:], f8[:], f8)", device=True)
def cosine_of_peaks(mz_a, i_a, mz_b, i_b, tol):
    i = j = 0
    dot = na = nb_ = 0.
    while i < mz_a.size and j < mz_b.size:
        if abs(mz_a[i] - mz_b[j]) <= tol:
            dot += i_a[i] * i_b[j]
            i += 1; j += 1
        elif mz_a[i] < mz_b[j]:
            i += 1
        else:
            j += 1
    for v in i_a:
        na += v * v
    for v in i_b:
        nb_ += v * v
    return dot / np.sqrt(na * nb_)


@cuda.jit
def spectra(mz, inten, out, tol):
    i, j = cuda.grid(2)
    if i < j < mz.shape[0]:
        out[i, j] = out[j, i] = cosine_of_peaks(mz[i], inten[i], mz[j], inten[j], tol)


def read(path: str) -> Iterable[Mapping[str, float]]:
    with gzip.open(path, "rt") as f:
        yield from (dict(zip("xyz", map(float, l.split()))) for l in f if not l.startswith("#"))


def main():
    rng = np.random.RandomState(5)
    db = rng.randint(0, 2 ** 63, (20, WORDS), dtype=np.uint64) & rng.randint(0, 2 ** 63, (20, WORDS), dtype=np.uint64)
    out = np.zeros((3, 20))
    all_pairs[1, TPB](db[:3].copy(), db, out)
    idx, val = np.zeros((3, 4), np.int32), np.zeros((3, 4))
    top_k[1, 4](out, idx, val)
    print(idx.tolist(), np.round(val, 4).tolist())
    e = np.zeros(4)
    dock_energy[4, 1](rng.rand(5, 3) * 4, np.arange(5) % 5, rng.rand(9, 3) * 8, np.arange(9) % 3, rng.rand(9) - .5, rng.rand(4, 4), e)
    print(np.round(e, 5).tolist())
    f = np.zeros((6, 3))
    gto[(1, 1), (8, 8)](rng.rand(6, 3), rng.rand(3, 3), rng.rand(3, 2), np.array([[0, 0, 0], [1, 0, 0], [0, 1, 1]]), rng.rand(3, 2), f)
    print(np.round(f.sum(axis=0), 8).tolist())
    s = np.eye(4)
    spectra[(1, 1), (4, 4)](np.sort(rng.rand(4, 9) * 20, axis=1), rng.rand(4, 9), s, .4)
    print(np.round(s[0], 8).tolist())


if __name__ == "__main__":
    main()
