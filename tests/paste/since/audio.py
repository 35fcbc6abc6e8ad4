"""STFT, mel filter bank, pitch by autocorrelation, IIR, WSOLA"""
import numpy as np
import scipy.signal as sig
import librosa, soundfile as sf
from numba import cuda, float32, complex64
import math

SR = 22050
N_FFT = 1024
HOP = N_FFT // 4
N_MELS = 80
WINDOW = np.hanning(N_FFT).astype(np.float32)
LOG2N = int(math.log2(N_FFT))
BITREV = np.array([int(format(i, "0%db" % LOG2N)[::-1], 2) for i in range(N_FFT)], dtype=np.int32)
TW = np.exp(-2j * np.pi * np.arange(N_FFT // 2) / N_FFT).astype(np.complex64)
F_MIN, F_MAX = 0.0, SR / 2


def hz_to_mel(f):
    return 2595.0 * np.log10(1.0 + f / 700.0)


def mel_to_hz(m):
    return 700.0 * (10.0 ** (m / 2595.0) - 1.0)


MEL_POINTS = mel_to_hz(np.linspace(hz_to_mel(F_MIN), hz_to_mel(F_MAX), N_MELS + 2))
BINS = np.floor((N_FFT + 1) * MEL_POINTS / SR).astype(np.int32)
NOTE_NAMES = "C C# D D# E F F# G G# A A# B".split()
A4 = 440
MIDI = A4 * 2.0 ** ((np.arange(128) - 69) / 12)


@cuda.jit
def stft(x, out):
    frame = cuda.blockIdx.x
    t = cuda.threadIdx.x
    buf = cuda.shared.array(N_FFT, complex64)
    for k in range(t, N_FFT, cuda.blockDim.x):
        p = frame * HOP + k
        v = x[p] if p < x.size else float32(0)
        buf[BITREV[k]] = v * WINDOW[k]
    cuda.syncthreads()
    size = 2
    while size <= N_FFT:
        half = size // 2
        stride = N_FFT // size
        for b in range(t, N_FFT // 2, cuda.blockDim.x):
            g, o = b // half, b % half
            i = g * size + o
            w = TW[o * stride]
            a, c = buf[i], buf[i + half] * w
            buf[i] = a + c
            buf[i + half] = a - c
        cuda.syncthreads()
        size <<= 1
    for k in range(t, N_FFT // 2 + 1, cuda.blockDim.x):
        out[frame, k] = buf[k]


@cuda.jit
def mel(spec, out):
    f, m = cuda.grid(2)
    if f < out.shape[0] and m < N_MELS:
        lo, mid, hi = BINS[m], BINS[m + 1], BINS[m + 2]
        s = 0.0
        for k in range(lo, mid):
            s += abs(spec[f, k]) ** 2 * (k - lo) / max(mid - lo, 1)
        for k in range(mid, hi):
            s += (spec[f, k].real ** 2 + spec[f, k].imag ** 2) * (hi - k) / max(hi - mid, 1)
        out[f, m] = 10 * math.log10(max(s, 1e-10))


@cuda.jit
def autocorr(x, lag_min, lag_max, best):
    frame = cuda.grid(1)
    if frame >= best.size:
        return
    off = frame * HOP
    top, arg = -math.inf, 0
    for lag in range(lag_min, lag_max):
        s = 0.0
        for k in range(N_FFT - lag):
            s += x[off + k] * x[off + k + lag]
        if s > top:
            top, arg = s, lag
    best[frame] = SR / arg if arg else 0.0


@cuda.jit
def nearest_note(freqs, notes):
    i = cuda.grid(1)
    if i < freqs.size:
        lo, hi = 0, MIDI.size - 1
        while hi - lo > 1:
            mid = (lo + hi) >> 1
            if MIDI[mid] <= freqs[i]:
                lo = mid
            else:
                hi = mid
        notes[i] = lo if freqs[i] - MIDI[lo] < MIDI[hi] - freqs[i] else hi


class Resampler:
    def __init__(self, up, down, taps=32):
        h = sig.firwin(taps * up, 1 / max(up, down)) * up
        self.h = cuda.to_device(h)
        L, M, T = up, down, taps

        @cuda.jit
        def poly(x, h, y):
            n = cuda.grid(1)
            if n < y.shape[0]:
                k = n * M
                phase, i0 = k % L, k // L
                s = 0.0
                for t in range(T):
                    if 0 <= i0 - t < x.size:
                        s += h[phase + t * L] * x[i0 - t]
                y[n] = s
        self.kernel = poly
