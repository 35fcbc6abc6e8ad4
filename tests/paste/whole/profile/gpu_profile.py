# Matrix profile on a GPU
import logging
import math
import multiprocessing as mp
import os

import numpy as np
from numba import cuda

from . import config, core
from .core import _mass_distance as distance_of

logger = logging.getLogger(__name__)


@cuda.jit("(i8, f8[:], f8[:], i8, f8[:], f8[:], f8[:], f8[:], f8[:], f8[:], f8[:], i8, i8, f8[:], i8[:])")
def _compute_and_update_PI_kernel(
    idx,
    T_A,
    T_B,
    m,
    QT_even,
    QT_odd,
    QT_first,
    M_T,
    Sigma_T,
    mu_Q,
    sigma_Q,
    w,
    ez,
    profile,
    indices,
):
    """
    Update profile `w` windows at a time.

    Notes
    -----
    One thread a window, for `idx`
    """
    start = cuda.grid(1)
    stride = cuda.gridsize(1)

    j = idx
    # even and odd take turns
    if idx % 2 == 0:
        QT_out = QT_even
        QT_in = QT_odd
    else:
        QT_out = QT_odd
        QT_in = QT_even

    for i in range(start, QT_out.shape[0], stride):
        zone_start = i - ez
        zone_stop = i + ez

        if i == 0:
            QT_out[i] = QT_first[j]
        else:
            QT_out[i] = (
                QT_in[i - 1] - T_B[i - 1] * T_A[j - 1] + T_B[i + m - 1] * T_A[j + m - 1]
            )

        if math.isinf(mu_Q[j]) or math.isinf(M_T[i]):
            p = np.inf
        elif sigma_Q[j] < config.STD_DEV_THRESHOLD and Sigma_T[i] < config.STD_DEV_THRESHOLD:
            p = 0
        else:
            denom = m * sigma_Q[j] * Sigma_T[i]
            denom = max(denom, config.P_NORM_THRESHOLD)
            p = abs(2 * m * (1.0 - min((QT_out[i] - m * mu_Q[j] * M_T[i]) / denom, 1.0)))
            if p < config.D_SQUARED_THRESHOLD:
                p = 0

        if zone_start <= j <= zone_stop:
            p = np.inf
        if p < profile[i]:
            profile[i] = p
            indices[i] = j


@cuda.jit
def _ignore(Q, out, m):
    i = cuda.grid(1)
    if i < out.shape[0]:
        out[i] = core._mass_distance(Q[i], m, 0.1, Q[i] + 0.5, 0.3, 0.7) + distance_of(0.1, m, Q[i], 0.0, 0.1, 0.2)
        if out[i] > config.MAX_DISTANCE:
            out[i] = config.MAX_DISTANCE


@core.non_normalized(None, exclude=["normalize", "p"])
def gpu_profile(T_A, m, T_B=None, ignore_trivial=True, device_id=0):
    if T_B is None:
        T_B = T_A
    with cuda.gpus[device_id]:
        device_T = cuda.to_device(T_A)
        threads = config.THREADS_PER_BLOCK
        blocks = math.ceil(len(T_A) / threads)
        p = mp.Pool(processes=os.cpu_count() or 1)
        results = [p.apply_async(_compute_and_update_PI_kernel, (i, *[device_T] * 3)) for i in range(3)]
        logger.warning(f"{results!r:>10} {blocks:,}")
    return results
