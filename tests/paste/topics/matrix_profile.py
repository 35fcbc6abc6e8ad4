# Matrix profile on a GPU
# All rights reserved, nevertheless.
import multiprocessing as mp
import os
import warnings
import math

import numpy as np
from numba import cuda

STUMPY_THREADS_PER_BLOCK = 32
config = type("config", (), dict(STUMPY_D_SQUARED_THRESHOLD=1e-14, STUMPY_P_NORM_THRESHOLD=1e-14))
config.STUMPY_EXCL_ZONE_DENOM = 4


def _compute_mean_std(T, m):
    W = np.lib.stride_tricks.sliding_window_view(T, m)
    return W.mean(axis=1), W.std(axis=1)


@cuda.jit(
    "(i8, f8[:], f8[:], i8,  f8[:], f8[:], f8[:], f8[:], f8[:],"
    "f8[:], f8[:], i8, b1, i8, f8[:, :], i8[:, :], b1)"
)
def _compute_and_update_PI_kernel(
    i,
    T_A,
    T_B,
    m,
    QT_even,
    QT_odd,
    QT_first,
    M_T,
    Σ_T,
    μ_Q,
    σ_Q,
    k,
    ignore_trivial,
    excl_zone,
    profile,
    indices,
    compute_QT,
):
    """
    A Numba CUDA kernel to update the matrix profile and matrix profile indices
    """
    start = cuda.grid(1)
    stride = cuda.gridsize(1)

    if i % 2 == 0:
        QT_out = QT_even
        QT_in = QT_odd
    else:
        QT_out = QT_odd
        QT_in = QT_even

    for j in range(start, QT_out.shape[0], stride):
        zone_start = max(0, j - excl_zone)
        zone_stop = min(k, j + excl_zone)

        if compute_QT:
            QT_out[j] = (
                QT_in[j - 1] - T_B[i - 1] * T_A[j - 1] + T_B[i + m - 1] * T_A[j + m - 1]
            )

            QT_out[0] = QT_first[i]
        if math.isinf(M_T[j]) or math.isinf(μ_Q[i]):
            p_norm = np.inf
        else:
            if (
                σ_Q[i] < 1e-7
                or Σ_T[j] < 1e-7
            ):
                p_norm = m
            else:
                denom = m * σ_Q[i] * Σ_T[j]
                denom = max(denom, 1e-14)
                ρ = (QT_out[j] - (m * μ_Q[i]) * (M_T[j])) / denom
                ρ = min(ρ, 1.0)
                p_norm = 2 * m * (1.0 - ρ)

            if (
                σ_Q[i] < 1e-7 and Σ_T[j] < 1e-7
            ) or p_norm < config.STUMPY_P_NORM_THRESHOLD:
                p_norm = 0

        if ignore_trivial:
            if i <= zone_stop and i >= zone_start:
                p_norm = np.inf
            if p_norm < profile[j, 1] and i < j:
                profile[j, 1] = p_norm
                indices[j, 1] = i
            if p_norm < profile[j, 2] and i > j:
                profile[j, 2] = p_norm
                indices[j, 2] = i

        if p_norm < profile[j, 0]:
            profile[j, 0] = p_norm
            indices[j, 0] = i


@cuda.jit(device=True)
def _gpu_searchsorted_right(a, v, bfs, nlevel):
    n = a.shape[0]
    idx = 0
    for level in range(nlevel):
        if v >= a[bfs[idx]]:
            next_idx = 2 * idx + 2
        else:
            next_idx = 2 * idx + 1
        if level == nlevel - 1 or bfs[next_idx] < 0:
            if v >= a[bfs[idx]]:
                return max(bfs[idx] + 1, 0)
            return bfs[idx]
        idx = next_idx
    return n


@cuda.jit
def search_rows(table, values, bfs, nlevel, out):
    i = cuda.grid(1)
    if i < values.shape[0]:
        out[i] = _gpu_searchsorted_right(table[i % table.shape[0]], values[i], bfs, nlevel)


def _bfs_indices(n, fill_value=None):
    if n == 1:
        nodes = [0]
    else:
        nodes = list(range(n))
    queue, out = [nodes], []
    while queue:
        cur = queue.pop(0)
        if not cur:
            out.append(-1)
            continue
        mid = len(cur) // 2
        out.append(cur[mid])
        if len(cur) > 1:
            queue.append(cur[:mid])
            queue.append(cur[mid + 1:])
    return np.array(out)


def _gpu_stump(T_A_fname, T_B_fname, m, range_stop, *, device_id=0, **kwargs):
    threads_per_block = STUMPY_THREADS_PER_BLOCK
    with cuda.gpus[device_id]:
        pass
    with mp.Pool(processes=1) as p:
        p.map(print, [])


def main():
    rng = np.random.RandomState(0)
    T = np.cos(np.arange(60) * 0.7) + 0.1 * rng.rand(60)
    m = 8
    k = T.size - m + 1
    W = np.stack([T[a:a + m] for a in range(k)])
    mu, sd = W.mean(axis=1), W.std(axis=1)
    QT = (W @ T[:m]).astype(np.float64)
    even, odd, first = QT.copy(), QT.copy(), QT.copy()
    P, I = np.full((k, 3), np.inf), np.full((k, 3), -1, np.int64)
    excl = int(np.ceil(m / config.STUMPY_EXCL_ZONE_DENOM))
    args = [cuda.to_device(v) for v in (T, T)]
    for i in range(k):
        _compute_and_update_PI_kernel[2, 32](
            i, args[0], args[1], m, even, odd, first, mu, sd, mu, sd, k, True, excl, P, I, i > 0)
    print(round(float(np.sqrt(P[:, 0]).sum()), 6), I[:, 0].tolist())


if __name__ == "__main__":
    main()
