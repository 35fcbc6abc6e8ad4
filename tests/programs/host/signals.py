"""Signals: filters, spectra, peaks, codes, noise; strings with them."""
import numpy as np
from numba import cuda, njit, vectorize, guvectorize, float64

RATE = 200


@vectorize(["float64(float64, float64)"])
def soften(x, limit):
    if abs(x) <= limit:
        return 0.0
    return x - limit if x > 0 else x + limit


@guvectorize(["void(float64[:], float64[:], float64[:])"], "(n),(m)->(n)")
def fir(x, taps, out):
    for i in range(x.shape[0]):
        total = 0.0
        for k in range(taps.shape[0]):
            if i >= k:
                total += taps[k] * x[i - k]
        out[i] = total


@njit(fastmath=False)
def iir(x, a):
    y = np.empty_like(x)
    last = 0.0
    for i in range(x.size):
        last += a * (x[i] - last)
        y[i] = last
    return y


@njit
def crossings(x):
    count = 0
    for i in range(1, len(x)):
        if x[i - 1] < 0 <= x[i]:
            count += 1
    return count


def goertzel(x, frequency):
    w = 2 * np.pi * frequency / RATE
    c, s1, s2 = 2 * np.cos(w), 0.0, 0.0
    for v in x:
        s1, s2 = v + c * s1 - s2, s1
    return np.hypot(s1 - s2 * np.cos(w), s2 * np.sin(w))


def peaks(x, least):
    inner = (x[1:-1] > x[:-2]) & (x[1:-1] >= x[2:]) & (x[1:-1] > least)
    return np.flatnonzero(inner) + 1


def runs(text):
    out, i = [], 0
    while i < len(text):
        j = i
        while j < len(text) and text[j] == text[i]:
            j += 1
        out.append(f"{j - i}{text[i]}" if j - i > 1 else text[i])
        i = j
    return "".join(out)


def caesar(text, shift):
    made = ""
    for c in text:
        if c.isalpha():
            base = ord("a") if c.islower() else ord("A")
            c = chr((ord(c) - base + shift) % 26 + base)
        made += c
    return made


t = np.arange(RATE) / RATE
clean = np.sin(2 * np.pi * 5 * t) + 0.5 * np.sin(2 * np.pi * 20 * t)
noise = np.random.default_rng(9).normal(0, 0.2, RATE)
x = clean + noise
print("power %.4f, noise %.4f, ratio %.1f dB" % (np.mean(clean**2), noise.var(), 10 * np.log10(np.mean(clean**2) / noise.var())))
spectrum = np.abs(np.fft.rfft(x)) / RATE * 2
frequencies = np.fft.rfftfreq(RATE, 1 / RATE)
at = peaks(spectrum, 0.2)
print("peaks at", frequencies[at], np.round(spectrum[at], 2))
print("goertzel", [round(float(goertzel(x, f)) / RATE * 2, 2) for f in (5, 12, 20)])
taps = np.ones(8) / 8
filtered = fir(np.stack([x, clean]), taps)
print("fir", filtered.shape, np.allclose(filtered[0], np.convolve(x, taps)[:RATE]), np.round(filtered[1, :3], 4))
slow = iir(x, 0.1)
print("iir", np.round(slow[[0, 50, -1]], 4), crossings(x - x.mean()), crossings(slow))
print("soft", np.round(soften(x[:6], 0.3), 3), np.count_nonzero(soften(spectrum, 0.1)))
auto = np.correlate(clean, clean, mode="full")[RATE - 1:]
print("period", peaks(auto / auto[0], 0.5)[:2])
windows = np.lib.stride_tricks.sliding_window_view(x, 50)[::25]
print("windows", windows.shape, np.round(windows.std(axis=1), 3))
hann = np.hanning(50)
print("welch", (np.abs(np.fft.rfft(windows * hann, axis=1)) ** 2).mean(axis=0).argsort()[::-1][:2])
levels = np.clip(np.round((x + 2) * 2).astype(int), 0, 7)
text = "".join("abcdefgh"[k] for k in levels[:40])
print(text, runs(text), len(runs(text)) < 80)
coded = caesar("Fast Fourier, 1965!", 7)
print(coded, "->", caesar(coded, -7), coded.split(), coded.lower().count("m"))
bits = np.unpackbits(np.array([179], dtype=np.uint8))
print("bits", bits, int("".join(map(str, bits.tolist())), 2), "parity", bits.sum() % 2)
