# Time series: moving averages, EWMA, FFT spectrum, Goertzel on the device, AR(2) fit, text plot.
import math
import numpy as np
from numba import cuda, njit

n, fs = 256, 64.0
t = np.arange(n) / fs
rng = np.random.default_rng(1)
signal = 1.5 * np.sin(2 * np.pi * 5 * t) + 0.7 * np.cos(2 * np.pi * 12.5 * t) + 0.3 * rng.standard_normal(n)


@njit
def ewma(x, alpha):
    out = np.empty_like(x)
    out[0] = x[0]
    for i in range(1, x.size):
        out[i] = alpha * x[i] + (1 - alpha) * out[i - 1]
    return out


@cuda.jit
def goertzel(x, freqs, fs, power):
    k = cuda.grid(1)
    if k < freqs.size:
        w = 2 * math.pi * freqs[k] / fs
        c = 2 * math.cos(w)
        s1 = s2 = 0.0
        for v in x:
            s0 = v + c * s1 - s2
            s2 = s1
            s1 = s0
        power[k] = s1 * s1 + s2 * s2 - c * s1 * s2


def moving(x, k):
    c = np.cumsum(np.insert(x, 0, 0))
    return (c[k:] - c[:-k]) / k


freqs = np.arange(0.0, 20.0, 2.5)
power = np.zeros(freqs.size)
goertzel.forall(freqs.size)(signal, freqs, fs, power)
spectrum = np.abs(np.fft.rfft(signal)) ** 2
axis = np.fft.rfftfreq(n, 1 / fs)
for f, p in zip(freqs, power):
    bin_ = int(round(f * n / fs))
    print(f"{f:5.1f} Hz {p:12.3f} {spectrum[bin_]:12.3f} {'*' * int(10 * math.log10(1 + p) / 2)}")
top = np.argsort(spectrum)[-2:][::-1]
print(axis[top], np.round(np.sqrt(spectrum[top]) * 2 / n, 3))
m = moving(signal, 8)
print(m.size, m[:4].round(5), ewma(signal, 0.25)[-3:].round(5))
x = signal - signal.mean()
r = np.correlate(x, x, mode="full")[n - 1:] / n
phi = np.linalg.solve(np.array([[r[0], r[1]], [r[1], r[0]]]), r[1:3])
print("AR(2)", phi.round(4), "residual", np.var(x[2:] - phi[0] * x[1:-1] - phi[1] * x[:-2]).round(5))
peaks = [i for i in range(1, n - 1) if signal[i - 1] < signal[i] > signal[i + 1] and signal[i] > 1.5]
print(len(peaks), peaks[:8], np.diff(peaks)[:6])
window = np.hanning(32)
frames = np.lib.stride_tricks.sliding_window_view(signal, 32)[::32] * window
print(np.abs(np.fft.rfft(frames, axis=1)).argmax(axis=1))
