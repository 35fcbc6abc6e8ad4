"""Time steppers whose kernels are made by methods of objects, of classes and of other files."""
import argparse

import numpy as np
from numba import cuda

import relaxers
from relaxers import make_relaxer


class Stepper:
    ORDER = 2

    def __init__(self, dt, damping=0.0):
        self.dt = dt
        self.damping = damping

    def step(self, gain=ORDER):
        dt, damping = self.dt, self.damping

        @cuda.jit
        def kernel(x, v):
            i = cuda.grid(1)
            if i < x.size:
                v[i] -= dt * (gain * x[i] + damping * v[i])
                x[i] += dt * v[i]
        return kernel

    @classmethod
    def drift(cls, dt=0.5):
        @cuda.jit
        def kernel(x, v):
            i = cuda.grid(1)
            if i < x.size:
                x[i] += cls.ORDER * dt * v[i]
        return kernel

    @staticmethod
    def reset(value):
        @cuda.jit
        def kernel(x):
            i = cuda.grid(1)
            if i < x.size:
                x[i] = value
        return kernel


class Fourth(Stepper):
    ORDER = 4


springs = Stepper(0.25, damping=0.5)
swing = springs.step()
stiff = Stepper(0.125).step(gain=8)
coast = Stepper.drift()
coast4 = Fourth.drift(0.25)
clear = Fourth.reset(-1.5)
relax = make_relaxer(0.5)
relax_more = relaxers.make_relaxer(0.75)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--steps", type=int, default=10)
    arguments = parser.parse_args()
    x, v = np.ones(64), np.zeros(64)
    for _ in range(arguments.steps):
        swing[1, 64](x, v)
    print(x.mean(), v.mean())


if __name__ == "__main__":
    main()
