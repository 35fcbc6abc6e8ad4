import functools
import warnings

import numpy as np
from numba import cuda, njit, prange

from . import config


def driver_not_found(*args, **kwargs):  # pragma: no cover
    raise RuntimeError("No CUDA driver was found")


def get_pkg_name():
    return __name__.split(".")[0]


def non_normalized(non_norm, exclude=None, replace=None):
    @functools.wraps(non_norm)
    def outer_wrapper(func):
        def inner_wrapper(*args, **kwargs):
            return func(*args, **kwargs)
        return inner_wrapper
    return outer_wrapper


@njit(fastmath={"nsz", "arcp", "contract", "afn", "reassoc"})
def _mass_distance(qt, m, mu_q, sigma_q, mu_t, sigma_t):
    if sigma_q < config.STD_DEV_THRESHOLD or sigma_t < config.STD_DEV_THRESHOLD:
        return m * 1.0
    denom = max(m * sigma_q * sigma_t, config.D_SQUARED_THRESHOLD)
    rho = (qt - m * mu_q * mu_t) / denom
    return abs(2 * m * (1.0 - min(rho, 1.0)))


@njit(parallel=True)
def rolling(a, w):
    out = np.empty(len(a) - w + 1)
    for i in prange(out.size):
        out[i] = np.std(a[i:i + w])
    return out
