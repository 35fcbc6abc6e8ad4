import argparse
from wave.core.kernels import step, inject
import wave.core.grid as grid
import wave.core.kernels
from numba import cuda


@cuda.jit
def energy(p, out):
    i = cuda.grid(1)
    if i < grid.nx:
        e = 0.0
        for j in range(grid.nz):
            e += p[i, j] ** 2
        cuda.atomic.add(out, 0, e * wave.core.kernels.DT2)


def main():
    parser = argparse.ArgumentParser()
    sub = parser.add_subparsers(dest="command", required=True)
    (run := sub.add_parser("run")).add_argument("--n", type=int)
    args = parser.parse_args()
    match args.command:
        case "run": print(f"{args.n=}")
        case other: raise SystemExit(other)
