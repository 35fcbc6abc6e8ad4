"""Leaky integrate and fire."""
import dataclasses as dc
import numpy as np
from numba import cuda


@dc.dataclass(frozen=True)
class Params:
    tau: float = 10.0
    v_rest: float = -65.0
    v_reset = -70.0
    v_thresh = -50.0
    names: dict = dc.field(default_factory=dict)


class Neuron:
    dt = 0.1

    class Synapse:
        weight = 0.5
        delay = 3

        @staticmethod
        @cuda.jit(device=True)
        def decay(g, tau):
            return g * (1 - Neuron.dt / tau)

    @staticmethod
    @cuda.jit
    def update(v, g, spikes, current):
        i = cuda.grid(1)
        if i < v.size:
            g[i] = Neuron.Synapse.decay(g[i], 5.0)
            dv = (Params.v_rest - v[i] + current[i] + g[i]) / Params.tau
            v[i] += dv * Neuron.dt
            if v[i] > Params.v_thresh:
                v[i] = Params.v_reset
                spikes[i] = True
            else:
                spikes[i] = False

    @staticmethod
    @cuda.jit
    def deliver(spikes, targets, g):
        i = cuda.grid(1)
        if i < spikes.size and spikes[i]:
            for k in range(targets.shape[1]):
                cuda.atomic.add(g, targets[i, k], Neuron.Synapse.weight)
