"""What NumPy's arrays of texts hold after the same."""
import numpy as np

NAMES = ["pear", "fig", "", "äpfel", "fig tree"]
CODES = [b"pear", b"fig", b"a\xff"]




def stored():
    a = np.array([["XYZ", "a€𝄞 long"], ["XYZ", "äpfel"], ["XYZ", "fig tree"]], "<U5")
    return {"a": a, "b": np.array([b"\x01bcd", b"q", b"fig", b"\x01bcd"], "S3")}


def compared():
    rows = [[n == "fig" for n in NAMES], [NAMES[i] != NAMES[(i + 1) % 5] for i in range(5)],
            [n < "fig t" for n in NAMES], ["g" <= n for n in NAMES], [len(n) for n in NAMES],
            [bool(n) for n in NAMES], [CODES[i % 3][0] for i in range(5)],
            [b"a\xfe" < CODES[i % 3] < b"f" for i in range(5)], [0] * 5, [len(n) <= 4 for n in NAMES]]
    return {"out": np.array(rows).astype(np.int64)}


def in_records():
    r = np.zeros(3, [("x", np.float32), ("name", "<U4"), ("key", "S3")])
    r[0] = 2.5, "tile", b"k"
    r[1] = 0, "tile", b"long"
    r[2] = 0, "fig", b""
    return {"r": r, "out": np.array([17, 19, 12], np.int32)}


def _hash_of(data):
    h = 2166136261
    for c in data:
        h = (h ^ c) * 16777619 % 2**32
    return h


def bytes_by_number():
    key = b"\x01\xfeA"
    return {"out": np.array([*key, sum(key), 2540, 651, 254 + 65 * 2, 65, ord("z"), _hash_of(key),
                             _hash_of(b"hello"), 1, -253, 254, 0, 0])}


def texts_that_are_written_out():
    return {"out": np.array([1, 1, 2, 5, 1, 1, 1, 1, 1, 2, 3, 0]), "printed": "aabc\n"}
