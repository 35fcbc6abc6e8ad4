"""Ray bundles through a thin lens; the optics proper is in CUDA C."""
import argparse
import os
from pathlib import Path

import cffi
import numpy as np
from numba import cuda, float32, int32, types

HERE = os.path.dirname(os.path.abspath(__file__))
FUNCTIONS = [os.path.join(HERE, "functions.cu"), os.path.join(HERE, "functions.c")]
BESIDE = Path(__file__).resolve().parent

bend = cuda.declare_device("lens_bend", "float32(float32, float32)")
total = cuda.declare_device("lens_total", "float64(CPointer(float32), int32)", link=FUNCTIONS)
fill = cuda.declare_device("lens_fill", types.void(types.CPointer(int32), types.int64, int32),
                           link=(BESIDE / "functions.cu", str(BESIDE / "functions.c")))
SIGNATURE = "uint32(uint32)"
mix = cuda.declare_device("lens_mix", SIGNATURE, abi="c", link=FUNCTIONS)
split = cuda.declare_device("lens_split", "UniTuple(float32, 2)(float32)")

ffi = cffi.FFI()


@cuda.jit(link=FUNCTIONS)
def refract(angles, heights, focus):
    i = cuda.grid(1)
    if i < angles.size:
        angles[i] = bend(heights[i], focus)


@cuda.jit
def energies(out, rows):
    i = cuda.grid(1)
    if i < out.size:
        out[i] = total(ffi.from_buffer(rows[i]), rows.shape[1])


@cuda.jit
def histogram(counts, seeds):
    local = cuda.local.array(4, int32)
    shared = cuda.shared.array((2, 2), int32)
    i = cuda.grid(1)
    if cuda.threadIdx.x == 0:
        fill(ffi.from_buffer(shared), 4, 100)
    cuda.syncthreads()
    fill(ffi.from_buffer(local), 4, 10)
    if i < seeds.size:
        cuda.atomic.add(counts, mix(seeds[i]) % counts.size, local[3] + shared[1, 1])


def make_splitter(scale):
    @cuda.jit(link=FUNCTIONS)
    def parts(whole, rest, x):
        i = cuda.grid(1)
        if i < x.size:
            a, b = split(x[i] * scale)
            whole[i] = a
            rest[i] = b

    return parts


@cuda.jit(link=["missing.cu", "archive.a"])
def untouched(x):
    x[cuda.grid(1)] += 1


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--rays", type=int, default=1024)
    n = parser.parse_args().rays
    heights = cuda.to_device(np.linspace(-1, 1, n, dtype=np.float32))
    angles = cuda.device_array(n, np.float32)
    refract[(n + 127) // 128, 128](angles, heights, 2.0)
    print(angles.copy_to_host())


if __name__ == "__main__":
    main()
