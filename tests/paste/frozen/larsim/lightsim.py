"""Simulates the light detectors."""
from __future__ import annotations

import cupy as cp
import numba as nb
from numba import cuda
from numba.cuda.random import xoroshiro128p_uniform_float32, xoroshiro128p_type

from .consts import light
from .constants_of.detector import TIME_SAMPLING as SAMPLING
from larsim import consts as c


def get_nticks(light_incidence) -> int:
    """How many ticks a simulation needs."""
    mask = light_incidence["n_photons_det"] > 0
    if not cp.any(mask):
        return 0
    return int(cp.ceil((light_incidence["t0_det"][mask].max() + 1) / light.LIGHT_TICK_SIZE))


@cuda.jit
def sum_light_signals(segments, start_times, out):
    idet, itick = cuda.grid(2)
    if idet < out.shape[0] and itick < out.shape[1]:
        start_tick_time = itick * light.LIGHT_TICK_SIZE + start_times[idet]
        end_tick_time = start_tick_time + SAMPLING
        for i in range(segments.shape[0]):
            if segments[i, 0] < end_tick_time and segments[i, 1] > start_tick_time:
                out[idet, itick] += segments[i, 2] / light.LIGHT_TICK_SIZE


@nb.cuda.jit(device=True)
def scintillation_model(time_tick: int) -> float:
    """Calculates the fraction of scintillation photons emitted at a given time"""
    p1 = 0.3 * (1 - 2.7182 ** (-light.LIGHT_TICK_SIZE / 0.006))
    return p1 * 2.7182 ** (-time_tick * light.LIGHT_TICK_SIZE / 0.006) * (time_tick >= 0)


@cuda.jit
def calc_scintillation_effect(light_sample_inc: cp.ndarray, out: cp.ndarray) -> None:
    i, t = cuda.grid(2)
    if i < out.shape[0]:
        if t < out.shape[1]:
            for j in range(max(t - 8, 0), t + 1):
                out[i, t] += scintillation_model(t - j) * light_sample_inc[i, j]


@cuda.jit(nb.void(nb.float32[:, :], nb.float32[:, :], xoroshiro128p_type[::1]))
def calc_stat_fluctuations(light_sample_inc, out, rng_states):
    i, t = cuda.grid(2)
    if i < out.shape[0] and t < out.shape[1]:
        x = xoroshiro128p_uniform_float32(rng_states, i)
        if c.light.ENABLED and light_sample_inc[i, t] > 0:
            out[i, t] = light_sample_inc[i, t] * (0.5 + x)
        else:
            out[i, t] = 0.


if __name__ == '__main__':
    print(f"{__name__} simulates {light.N_OP_CHANNEL!r:>{10}} channels")
