# A fast Fourier transform by kernels: one launch a stage, real and imaginary parts apart.
import math
import numpy as np
from numba import cuda

N = 64


@cuda.jit
def shuffle(re, im, bits):
    i = cuda.grid(1)
    if i < re.shape[0]:
        j, rest = 0, i
        for _ in range(bits):
            j = j * 2 + rest % 2
            rest //= 2
        if i < j:
            re[i], re[j] = re[j], re[i]
            im[i], im[j] = im[j], im[i]


@cuda.jit
def stage(re, im, half, sign):
    t = cuda.grid(1)
    if t < re.shape[0] // 2:
        k = t % half
        i = (t // half) * 2 * half + k
        j = i + half
        angle = sign * math.pi * k / half
        c, s = math.cos(angle), math.sin(angle)
        a, b = re[j] * c - im[j] * s, re[j] * s + im[j] * c
        re[j], im[j] = re[i] - a, im[i] - b
        re[i], im[i] = re[i] + a, im[i] + b


def transform(re, im, sign=-1.0):
    shuffle[2, 32](re, im, int(math.log2(re.size)))
    half = 1
    while half < re.size:
        stage[1, 32](re, im, half, sign)
        half *= 2


t = np.arange(N) / N
signal = np.sin(2 * np.pi * 5 * t) + 0.5 * np.cos(2 * np.pi * 12 * t)
re, im = cuda.to_device(signal), cuda.to_device(np.zeros(N))
transform(re, im)
power = np.hypot(re.copy_to_host(), im.copy_to_host())[:N // 2]
peaks = np.where(power > 1)[0]
print(peaks, np.round(power[peaks], 6))
transform(re, im, 1.0)
print(np.allclose(re.copy_to_host() / N, signal), np.abs(im.copy_to_host()).max() < 1e-9)
