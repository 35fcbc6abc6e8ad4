"""What the kernels of parts.k must leave."""
import numpy as np
from expect import options


def written_and_read():
    i = np.arange(6)
    z, w = np.ones((2, 6), np.complex64), np.zeros(6, complex)
    z.real[0] = i + 1
    z.imag[1] = 2 * (i + 1)
    w.imag = i + 1
    w.real = -7
    z[0].imag += 0.5
    z.real[1] = -i
    return {"z": z, "w": w, "n": np.array([6, 48, 8, 2, 4, 16, 0, 4])}


def atomics_on_global():
    i = np.arange(64)
    z, w = np.zeros(4, np.complex64), np.zeros((2, 3), complex)
    np.add.at(z.real, i % 4, 1)
    np.add.at(z.imag, i % 4, i)
    np.maximum.at(w.real, (i % 2, i % 3), i)
    np.minimum.at(w.imag[1], i % 3, -i)
    np.subtract.at(w.imag[0], i % 3, 2)
    return {"z": z, "w": w, "old": np.ones(64, np.float32)}


@options("--shared", "16")
def atomics_on_shared():
    x = np.arange(128.0).reshape(2, 16, 4)
    return {"out": (x.sum(1) + 16j).astype(np.complex64),
            "wide": np.array([63 - 33j, 127 - 33j])}


def passed_and_sliced():
    z = np.ones((4, 3), np.complex64)
    z.real *= np.arange(4)[:, None]
    out = np.zeros((4, 4))
    out[:, 0] = 3 * np.arange(4)
    out[:, 1] = 10 - np.arange(4)
    out[:, 2] = 6 + np.arange(4)
    twiddles = np.array([1 + 2j, 3 - 4j, -0.5j])
    k = np.arange(4) % 3
    out[:, 3] = twiddles.real[k] * 10 + twiddles[::-1].imag[k]
    return {"z": z, "out": out}


def of_real_arrays():
    x, n = np.arange(4, dtype=np.float32) + 1, np.arange(4, dtype=np.int32) + 2
    return {"x": x, "n": n, "out": (x + n).astype(float)}
