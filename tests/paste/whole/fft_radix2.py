"""FFT of power-of-two sizes, one block a signal."""
import cmath, math, sys, time
from collections import defaultdict
import numpy as np
from numba import cuda, complex64, complex128, int32

N = 64
LOGN = int(math.log2(N))
assert 1 << LOGN == N, "a power of two"
W = np.exp(-2j * np.pi * np.arange(N // 2) / N).astype(np.complex64)
BITREV = np.zeros(N, dtype=np.int32)
for i in range(N):
    r, v = 0, i
    for _ in range(LOGN):
        r = (r << 1) | (v & 1)
        v >>= 1
    BITREV[i] = r
WINDOW = 0.5 - 0.5 * np.cos(2 * np.pi * np.arange(N) / (N - 1))
WINDOW /= WINDOW.mean()
FREQS = np.fft.fftfreq(N, d=0.5)
roots = [cmath.exp(2j * cmath.pi * k / 4) for k in range(4)]


@cuda.jit(device=True)
def butterfly(a, b, w):
    t = w * b
    return a + t, a - t


@cuda.jit
def fft(x, out):
    s = cuda.shared.array(N, complex64)
    b, t = cuda.blockIdx.x, cuda.threadIdx.x
    s[BITREV[t]] = x[b, t]
    s[BITREV[t + N // 2]] = x[b, t + N // 2]
    cuda.syncthreads()
    half = 1
    for stage in range(LOGN):
        k = t % half
        i = 2 * (t - k) + k
        s[i], s[i + half] = butterfly(s[i], s[i + half], W[k * (N // 2 // half)])
        half *= 2
        cuda.syncthreads()
    out[b, t] = s[t]
    out[b, t + N // 2] = s[t + N // 2]


@cuda.jit
def windowed(x, out):
    i, j = cuda.grid(2)
    if i < x.shape[0] and j < N:
        out[i, j] = x[i, j] * WINDOW[j]


@cuda.jit
def spectrum(z, out):
    i = cuda.grid(1)
    if i < z.size:
        out[i] = z[i].real ** 2 + z[i].imag ** 2 + abs(FREQS[i % N]) + (z[i] * roots[1]).imag


def benchmark(sizes=(64, 128)):
    times = defaultdict(list)
    for n in sizes:
        begin = time.perf_counter_ns()
        fft[n, N // 2](np.zeros((n, N), np.complex64), np.zeros((n, N), np.complex64))
        cuda.synchronize()
        times[n].append(time.perf_counter_ns() - begin)
    return {n: min(t) for n, t in times.items()}
