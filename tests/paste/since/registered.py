"""Kernels under decorators of packages that are not installed here."""
import mylib
from mylib import profiled, gpu_kernel
from numba import cuda
import line_profiler

@profiled
@cuda.jit
def k1(x):
    i = cuda.grid(1)
    if i < x.size:
        x[i] += 1

@mylib.register("k2")
@cuda.jit
def k2(x):
    i = cuda.grid(1)
    if i < x.size:
        x[i] += 1

@gpu_kernel
def k3(x):
    i = cuda.grid(1)
    if i < x.size:
        x[i] += 1

@gpu_kernel(fast=True)
def k4(x):
    i = cuda.grid(1)
    if i < x.size:
        x[i] += 1

@cuda.jit
@mylib.check
def k5(x):
    i = cuda.grid(1)
    if i < x.size:
        x[i] += 1

@line_profiler.profile
@cuda.jit
def k6(x):
    i = cuda.grid(1)
    if i < x.size:
        x[i] += 1
