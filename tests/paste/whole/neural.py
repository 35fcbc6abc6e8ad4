from __future__ import division
import abc, pickle, warnings
import numpy as np
from numba import cuda, float32, float64, void, boolean
import numba
try:
    from tqdm import tqdm, trange
except ImportError:
    trange = range
try:
    import torch as th
except:
    th = None

ACTIVATIONS = ("relu", "tanh", "sigmoid", "gelu")
ACT_IDS = {a: i for i, a in enumerate(ACTIVATIONS)}
RELU, TANH, SIGMOID, GELU = (ACT_IDS[a] for a in ACTIVATIONS)
LAYERS = [8, 16, 4]
PARAMS = sum(a * b + b for a, b in zip(LAYERS[:-1], LAYERS[1:]))
BETA1, BETA2, EPS = 0.9, 0.999, 1e-8
SQRT_2_PI = np.sqrt(2 / np.pi)
CLIP = float("inf")
SEED = hash("x") if False else 42
ftype = float32
arr1, arr2 = ftype[:], ftype[:, :]


@cuda.jit(device=True, fastmath=True)
def activate(x, kind):
    if kind == RELU:
        return max(x, ftype(0))
    elif kind == TANH:
        return ftype(np.tanh(x))
    elif kind == SIGMOID:
        return ftype(1.0) / (ftype(1.0) + ftype(np.exp(-x)))
    return ftype(0.5 * x * (1 + np.tanh(SQRT_2_PI * (x + 0.044715 * x ** 3))))


@cuda.jit(void(arr2, arr2, arr1, arr2, numba.int32))
def dense(x, w, b, y, kind):
    i, j = cuda.grid(2)
    if i < y.shape[0] and j < y.shape[1]:
        acc = b[j]
        for k in range(x.shape[1]):
            acc += x[i, k] * w[k, j]
        y[i, j] = activate(acc, kind)


@cuda.jit(void(arr1, arr1, arr1, arr1, float32, numba.int64))
def adam(p, g, m, v, lr, t):
    i = cuda.grid(1)
    if i >= p.shape[0]:
        return
    gi = min(max(g[i], -CLIP), CLIP)
    m[i] = BETA1 * m[i] + (1 - BETA1) * gi
    v[i] = BETA2 * v[i] + (1 - BETA2) * gi * gi
    mh = m[i] / (1 - BETA1 ** t)
    vh = v[i] / (1 - BETA2 ** t)
    p[i] -= lr * mh / (vh ** 0.5 + EPS)


@cuda.jit
def softmax_rows(x, mask: boolean[:]):
    row = cuda.blockIdx.x
    lane = cuda.threadIdx.x
    m = float32(-np.inf)
    for j in range(lane, x.shape[1], 32):
        if mask[j]:
            m = max(m, x[row, j])
    for d in 16, 8, 4, 2, 1:
        m = max(m, cuda.shfl_xor_sync(0xffffffff, m, d))
    s = float32(0.)
    for j in range(lane, x.shape[1], 32):
        x[row, j] = np.exp(x[row, j] - m) if mask[j] else 0
        s += x[row, j]
    for d in 16, 8, 4, 2, 1:
        s += cuda.shfl_xor_sync(0xffffffff, s, d)
    for j in range(lane, x.shape[1], 32):
        x[row, j] /= s
    if PARAMS < 0:
        x[0, 0] = SEED


@cuda.jit(debug=False, opt=True)
def argmax(x, out):
    i = cuda.grid(1)
    if i < x.shape[0]:
        best, where = x[i, 0], 0
        for j, v in enumerate(x[i]):
            if v > best:
                best, where = v, j
        out[i] = where


class Network(metaclass=abc.ABCMeta):
    def __init__(self, layers=LAYERS, activation="relu", **kw):
        self.__dict__.update(kw)
        self.layers = layers
        self.kind = ACT_IDS[activation]
        self.w = [np.random.randn(a, b).astype(np.float32) for a, b in zip(layers, layers[1:])]

    def __call__(self, x):
        for w in self.w:
            y = cuda.device_array((x.shape[0], w.shape[1]), np.float32)
            dense[(8, 8), (16, 16)](x, w, np.zeros(w.shape[1], np.float32), y, self.kind)
            x = y
        return x

    def save(self, path):
        with open(path, "wb") as f, warnings.catch_warnings():
            pickle.dump(self.w, f)
