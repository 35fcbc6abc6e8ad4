import numpy as np


def sums():
    return {"out": np.array([6.5, 13, 15, 2.5, 115])}


def ranges():
    q, back = range(2, 20, 3), range(3, -8, -2)
    return {"out": np.array([6, 22003, 3, 517, sum(q), len(back) * 100 + back[2],
                             1 + 2 + 4, 3, 3,
                             sum(10 * i + j for i in range(2) for j in range(i, 5, 2)), 4, 0])}


def ranges_of_no_step():
    return {"out": np.array([0, 0, 0, 1])}


def ranges_of_floats():
    digits = 0
    for i in range(-3, 2, 1):
        digits = 10 * digits + i + 5
    return {"out": np.array([3, digits, 110805 * 100 + 2, 20, -3, 2])}


def lengths_of_ranges():
    return {"out": np.array([2 ** 63 - 1, -1.0])}    # of uint64 and of int32, as the counters are


def rounding():
    return {"out": np.array([2, -2.68, 1200, -28, 0.5, 1024.5, 8.5, 10, 6, 4, 5, 2])}


def number_methods():
    bits = np.float32(3).view(np.int32)
    return {"out": np.array([10, -4 + 2.5, 6, bits, 1, -1, 2, 0x3e00])}


def isinstance_prunes():
    return {"out": np.array([103, 201, 300, 400, 400, 500, 601, 1, 1, 401, 400, 600, 600])}


def tuples():
    return {"out": np.array([23, 400 + 40 + 2, 12, 1 + 4 + 8, 13.5, 3, 6.5, 2, 9, 0 + 3 + 2 + 4.0])}


def slices():
    return {"out": np.array([0.0, 5, 9, 0, 0, 0])}


def lists():
    return {"out": np.array([132.5, 28, 1, 6, 29, 3 + 6, 2, 1, 3, 6, 14])}


def walks():
    x = np.arange(4.0)
    out = [10, 22, 34, sum((i + 1) * (i + 2) * v for i, v in enumerate(x)), 40,
           sum(a * b for a, b in zip(range(10, 0, -3), x[::-1]))]
    return {"out": np.array(out)}


def printing():
    numbers = " ".join(str(i) for i in range(1, 36))
    return {"out": np.zeros(1),
            "printed": "True (1, 2) (1,) ((1, 2.500000), 3) (0, 0, 0) x 1.500000 None\n\n"
                       f"1 (0.000000+1.000000j) -3 18446744073709551615 0.100000\n{numbers}\n"}


def float_of_text():
    texts = ["1.5", "  -1_000.25e-1_0\t\n", "+.5", "5.", "00012", "-INF", "+Infinity", "nan",
             "1E400", "-0", "4.9e-324", "2e-324", "0.1_0", "123456789012345678901234567890"]
    return {"out": np.array([float(text) for text in texts])}


def far_ranges():
    return {"out": np.array([1.0, 1, 1, 1, 0, 0, 1, 1, 0])}
