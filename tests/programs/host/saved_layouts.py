"""The bytes that np.save writes: columns where they lie whole and rows do not."""
import os
import tempfile

import numpy as np

a = np.arange(6, dtype=np.int16).reshape(2, 3)
cube = np.arange(24.0).reshape(2, 3, 4)
table = np.zeros((2, 2), dtype=[("a", "i4"), ("b", "f8")])
table["a"] = [[1, 2], [3, 4]]
cases = [
    a, a.T, np.asfortranarray(a), a[:, ::2], a[:, ::2].T, a[:1].T, a[::-1], a.T[:, ::-1], np.asfortranarray(a)[:, :2], np.asfortranarray(a)[:1],
    np.arange(3), np.array(5), np.zeros((0, 3)), np.zeros((0, 3)).T, np.asfortranarray(cube), cube.transpose(1, 0, 2), cube.T, cube.T[:, :, :1],
    a.T + 1, np.ones((2, 3), order="F", dtype=np.complex64), np.zeros((2, 2), dtype=bool, order="F") | True, table, table.T,
]
with tempfile.TemporaryDirectory() as folder:
    path = os.path.join(folder, "a.npy")
    for case in cases:
        np.save(path, case)
        with open(path, "rb") as file:
            data = file.read()
        back = np.load(path)
        print(data[6:data.index(b"}") + 1], len(data), data[128:].hex()[:96])
        print(back.shape, back.size and back.strides, back.flags["C_CONTIGUOUS"], back.flags["F_CONTIGUOUS"], bool((back == case).all()))
    np.savez(os.path.join(folder, "b.npz"), a=a.T, b=a)
    with np.load(os.path.join(folder, "b.npz")) as both:
        print([(name, both[name].strides, both[name].tolist()) for name in both.files])
