import numpy as np
import scipy.signal as sig
from scipy import fft as sp_fft, constants
from scipy.constants import pi, c as speed
from math import pi as PI, sin, cos, ceil
from numba import cuda, complex64, float32
from numba.cuda import grid, gridsize, shared, syncthreads

FS = 48_000
NTAPS = 63
N_FFT = 1 << 10
LOG2 = N_FFT.bit_length() - 1 if False else 10
taps = sig.firwin(NTAPS, 0.25)
window = np.hanning(N_FFT)
wavelength = speed / 2.4e9
HALF_PI = 0.5 * PI
assert abs(pi - PI) < 1e-12


@cuda.jit
def fir(x, h, y):
    i = grid(1)
    if i < y.size:
        acc = float32(0.)
        for k in range(NTAPS):
            if i - k >= 0:
                acc += h[k] * x[i - k]
        y[i] = acc


@cuda.jit
def goertzel(x, freqs, power):
    i = grid(1)
    if i < freqs.size:
        w = 2. * PI * freqs[i] / FS
        coeff = 2 * cos(w)
        s1 = s2 = 0.
        for n in range(x.size):
            s1, s2 = x[n] + coeff * s1 - s2, s1
        power[i] = s1 * s1 + s2 * s2 - coeff * s1 * s2


@cuda.jit
def mix(x, f0, out):
    for i in range(grid(1), x.size, gridsize(1)):
        a = -2 * PI * f0 * i / FS
        out[i] = x[i] * complex64(cos(a) + 1j * sin(a))


@cuda.jit
def fft_block(x):
    buf = shared.array(N_FFT, complex64)
    t = cuda.threadIdx.x
    r = 0
    for b in range(LOG2):
        r |= ((t >> b) & 1) << (LOG2 - 1 - b)
    buf[r] = x[t]
    syncthreads()
    half = 1
    while half < N_FFT:
        if t < N_FFT // 2:
            k = t % half
            a = 2 * (t - k) + k
            ang = -PI * k / half
            w = complex64(cos(ang) + 1j * sin(ang)) * buf[a + half]
            u = buf[a]
            buf[a] = u + w
            buf[a + half] = u - w
        syncthreads()
        half *= 2
    x[t] = buf[t]


def spectrogram(x, *, nperseg=256, **kwargs):
    f, t, S = sig.spectrogram(x, FS, nperseg=nperseg, **kwargs)
    return f[:, None], t[None, ...], 10 * np.log10(S[..., ::-1] + 1e-12)
