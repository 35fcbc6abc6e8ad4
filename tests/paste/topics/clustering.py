"""Two-point correlations, friends of friends, power spectra and DBSCAN of points in periodic boxes."""
from __future__ import division, print_function, absolute_import
import sys
import math
import numpy as np
from numba import cuda, guvectorize, vectorize
if sys.version_info[0] < 3:
    range = xrange
    input = raw_input
try:
    unicode
except NameError:
    unicode = str

BOX = 10.0
HALF_BOX = BOX / 2
BINS_PER_DECADE = 4.
r_edges = 10 ** np.linspace(-1, np.log10(HALF_BOX), 9)
R2 = tuple(r_edges ** 2)
NB = len(R2) - 1
UNSEEN, NOISE = -2, -1


@cuda.jit(device=True)
def wrap(d):
    if d > HALF_BOX:
        d -= BOX
    elif d < -HALF_BOX:
        d += BOX
    return d


@cuda.jit(device=True)
def separation2(pos, i, j):
    out = 0.
    for a in range(3):
        d = wrap(pos[i, a] - pos[j, a])
        out += d * d
    return out


@cuda.jit
def pair_counts(pos, weights, counts, wcounts):
    private = cuda.local.array(NB, np.int64)
    for b in range(NB):
        private[b] = 0
    start, step = cuda.grid(1), cuda.gridsize(1)
    for i in range(start, pos.shape[0], step):
        for j in range(i + 1, pos.shape[0]):
            r2 = separation2(pos, i, j)
            if r2 < R2[0] or r2 >= R2[NB]:
                continue
            b = NB - 1
            while r2 < R2[b]:
                b -= 1
            private[b] += 1
            cuda.atomic.add(wcounts, b, weights[i] * weights[j])
    for b in range(NB):
        if private[b]:
            cuda.atomic.add(counts, b, private[b])


@cuda.jit
def link(pos, parent, b2, changed):
    i = cuda.grid(1)
    if i < parent.size:
        mine = parent[i]
        for j in range(parent.size):
            if j == i:
                pass
            elif separation2(pos, i, j) < b2:
                mine = min(mine, parent[j])
        if mine != parent[i]:
            cuda.atomic.min(parent, i, mine)
            cuda.atomic.exch(changed, 0, 1)


@cuda.jit
def assign_cic(pos, mesh):
    i = cuda.grid(1)
    n = mesh.shape[0]
    if i >= pos.shape[0]: return
    cell = cuda.local.array(3, 'int32')
    frac = cuda.local.array(3, 'float64')
    for a in range(3):
        s = pos[i, a] / BOX * n
        cell[a] = int(s)
        frac[a] = s - cell[a]
    for corner in range(8):
        w = 1.0
        ix = iy = iz = 0
        for a in range(3):
            bit = corner >> a & 1
            w *= frac[a] if bit else 1 - frac[a]
            k = (cell[a] + bit) % n
            if a == 0: ix = k
            elif a == 1: iy = k
            else: iz = k
        cuda.atomic.add(mesh, (ix, iy, iz), w)


@cuda.jit
def bin_power(delta_k, power, modes, kf):
    i, j, l = cuda.grid(3)
    n = delta_k.shape[0]
    if i >= n or j >= n or l >= delta_k.shape[2]:
        return
    kx = i if i <= n // 2 else i - n
    ky = j if j <= n // 2 else j - n
    k = math.sqrt(kx ** 2 + ky ** 2 + l ** 2)
    b = int(k + 0.5)
    if 0 < b < power.shape[0]:
        v = delta_k[i, j, l]
        cuda.atomic.add(power, b, v.real ** 2 + v.imag ** 2)
        cuda.atomic.add(modes, b, 1)


@cuda.jit
def core_points(pos, eps2, min_pts, core, degree):
    i = cuda.grid(1)
    if i < pos.shape[0]:
        n = 0
        for j in range(pos.shape[0]):
            n += separation2(pos, i, j) <= eps2
        degree[i] = n
        core[i] = n >= min_pts


@vectorize(["float64(float64)"])
def ufunc(x):
    return x * 2


@cuda.jit
def spread(pos, eps2, core, label, again):
    i = cuda.grid(1)
    if i < label.size and core[i]:
        for j in range(label.size):
            if i != j and separation2(pos, i, j) <= eps2:
                if core[j]:
                    old = cuda.atomic.max(label, j, label[i])
                    if old < label[i]:
                        again[0] = True


def main():
    rng = np.random.RandomState(11)
    pos = rng.uniform(0, BOX, (60, 3))
    counts, wc = np.zeros(NB, np.int64), np.zeros(NB)
    pair_counts[2, 16](pos, np.ones(60), counts, wc)
    print(counts.tolist(), wc.tolist())
    parent = np.arange(60)
    while True:
        changed = np.zeros(1, np.int32)
        link[2, 32](pos, parent, 1.5 ** 2, changed)
        if not changed[0]:
            break
    print(np.unique(parent).size)
    mesh = np.zeros((4, 4, 4))
    assign_cic[2, 32](pos, mesh)
    print(round(float(mesh.sum()), 6), round(float(mesh[0].sum()), 6))
    dk = np.fft.rfftn(mesh)
    power, modes = np.zeros(4), np.zeros(4, np.int32)
    bin_power[(1, 1, 1), (4, 4, 3)](dk, power, modes, 2 * np.pi / BOX)
    print(np.round(power, 4).tolist(), modes.tolist())
    core, deg = np.zeros(60, bool), np.zeros(60, np.int32)
    core_points[2, 32](pos, 2.25, 3, core, deg)
    label = np.arange(60); again = np.ones(1, bool)
    while again[0]:
        again[0] = False
        spread[2, 32](pos, 2.25, core, label, again)
    print(int(core.sum()), int(deg.sum()), np.unique(label[core]).size)


if __name__ == "__main__":
    main()
