import numpy as np

X = np.arange(8.0)


def arguments_are_converted():
    first = (np.linspace(-1.75, 255.9, 4).astype(np.int32) & 255).astype(np.uint32)
    return {"out": first | np.uint32(2 << 8 | 1 << 16 | 4 << 24)}


def the_result_is_converted():
    x = (X + 0.1).astype(np.float32)
    third = (x.astype(np.float64) / 3).astype(np.float32)
    return {"out": np.where(x > 5, 1, third).astype(np.float64)}


def one_of_several():
    return {"out": np.array([2, 2.5, 2, 2.5, 2, 0, 2])}


def a_kernel_with_one():
    return {"out": np.ones(8, np.float32)}


def a_constant_lists_them():
    return {"out": np.full(8, 3.5, np.float32)}


def a_tuple_of_types():
    return {"out": np.full(8, 9.0)}


def tuples():
    return {"out": np.array([3.0, 2.0])}


def recursion():
    def steps(n):
        return 0 if n <= 1 else 1 + steps(n // 2 if n % 2 == 0 else 3 * n + 1)

    return {"out": np.array([steps(n) for n in range(1, 9)], np.int32)}


def arrays():
    return {"out": np.array([[-i, i, 0] for i in range(4)], float)}


def pointers():
    x = np.arange(1, 11, dtype=np.uint8)
    y = np.append(x * 2.5, 12.5)
    return {"x": x, "y": y}
