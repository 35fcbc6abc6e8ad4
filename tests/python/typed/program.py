"""What programs write, for mypy --strict: tests/python/test_stubs.py."""
import numpy as np

import kjit
from kjit import cuda, float32, guvectorize, int32, types, vectorize, void
from kjit.cuda.random import create_xoroshiro128p_states, xoroshiro128p_uniform_float32


@cuda.jit
def scale(x, factor):  # type: ignore[no-untyped-def]
    i = cuda.grid(1)
    tile = cuda.shared.array(128, float32)
    tile[cuda.threadIdx.x] = x[i] * factor
    cuda.syncthreads()
    x[i] = tile[cuda.threadIdx.x]
    cuda.atomic.add(x, 0, 1)


@cuda.jit("void(float32[:], int32)", debug=True)
def declared(x, n):  # type: ignore[no-untyped-def]
    x[0] = n


@cuda.jit(void(float32[:, ::1]), device=True)
def helper(x):  # type: ignore[no-untyped-def]
    return x[0, 0]


@vectorize([float32(float32, float32)], target="cuda")
def add(a, b):  # type: ignore[no-untyped-def]
    return a + b


@guvectorize([(int32[:], int32[:])], "(n)->(n)")
def copied(a, out):  # type: ignore[no-untyped-def]
    out[0] = a[0]


def main() -> None:
    stream = cuda.stream()
    x = cuda.to_device(np.zeros(128, np.float32), stream=stream)
    scale[1, 128, stream, 0](x, 2.0)
    scale.forall(128)(x, 2.0)
    host = x.copy_to_host(stream=stream)
    shape: tuple[int, ...] = x[:3].shape
    stream.synchronize()
    kernel = scale.specialize(float32[::1], types.float64)
    registers: int = kernel.get_regs_per_thread()
    text: str = kernel.overloads[(float32[::1], types.float64)].inspect_asm()
    with cuda.gpus[0] as gpu, cuda.defer_cleanup():
        major: int = gpu.compute_capability[0]
    states = create_xoroshiro128p_states(64, seed=1)
    kernels = kjit.load("hist.k", defines={"TPB": 32}, device="cpu")
    kernels.histogram[64, 64](x, np.float32(-4), states)
    kernels["histogram"][1, (2, 2)](x)
    for finding in kjit.findings():
        rule: str = finding.rule
    try:
        add(host, host, out=host)
    except kjit.TypingError as error:
        print(error.status, shape, registers, text, major, rule, copied.inputs, cuda.reduce(lambda a, b: a + b)(host))


def wrong() -> None:
    cuda.to_device()  # type: ignore[call-arg]
    cuda.stream().synchronise()  # type: ignore[attr-defined]
    kjit.load(5)  # type: ignore[arg-type]
    scale[1, 1](1).nothing  # type: ignore[attr-defined]
