"""What the kernels of array_variables.k must leave."""
import numpy as np

T = np.arange(64)


def arguments():
    return {"out": np.array([T, 100 * T, 20 * T + 2 + (T // 32 * 32 + 3) * 10 + 1, (7 * T + 2) * 1000 + 7 * T + 1])}


def waits_before_it_reads():
    return {"out": T}


def shuffles_before_it_reads():
    return {"out": 10 * T + 10 * (T // 32 * 32 + 3) + 1}


def row_alone():
    return {"out": T}


def record_alone():
    return {"out": T}


def swapped():
    turned = [10 * T + i for i in range(4)]
    for turn in range(5):
        last, turned = turned, [x + 1 for x in turned[::-1]]
    return {"out": np.array([turned[0], turned[1], last[3]])}


def chosen():
    even = np.where(T % 3, 101 + T, 1000)
    return {"out": np.array([np.where(T % 3, T, 100 + T),
                             np.where(T % 2, np.where(T % 3, 1000, T + 1), 102 + T),
                             1000 + np.where(T % 2, T + 2, even)])}


def rows_and_records():
    return {"out": np.array([200 * T + 10 * (T % 3) + 3 + 12, 100 * T + 13, T + 1001, 5 * T + T % 2 + 2])}


def in_tuples():
    f, g = np.array([T, T + 1, T + 2]), np.array([T * 1000, T * 1000 + 1, T * 1000 + 2])
    odd = T % 2 == 1
    both = [f, g]
    for turn in range(3):
        both.reverse()
        both[0][turn][~odd] += 7
        both[1][turn][odd] += 7
    return {"out": np.array([f[0] + g[0], np.where(odd, both[1][1], both[0][1])])}


def reversed_in_a_loop():
    return {"out": np.array([10 * T + 4 + 200, 10 * T + 100])}


def made_in_both_branches():
    return {"out": np.where(T % 2, T + 1, T + 101)}


def walked():
    x = T ^ 1
    return {"out": ((x + 1) * 3 + x + 2) * 3 + x + 3}


def may_be_none():
    return {"out": np.where(T % 2, T + 2, 0)}


def stops_and_goes_on():
    low = T < 32
    return {"out": np.array([np.where(low, 100 * T, T + 3), np.where(low, T + 1, 100 * T + 1)])}


def over_the_grid():
    a, b = 2 * T + 1, 101 * T + 1
    return {"out": np.array([np.where(T % 3, b, a), np.where(T % 3, a, b)])}


def behind_a_return():
    n = 61
    t = np.arange(n)
    a, b = t.copy(), 0 * t
    source, target, total, own = a, b, 0, t + 3
    for turn in range(4):
        target[:] = source[(t + 1) % n] + 1
        total = total + a
        source, target = target, source
        own = own + own + source
    out = np.zeros((3, 64), int)
    out[:, :n] = source, total, own
    return {"out": out}


def of_the_block():
    sign = np.where(T % 3, 1, -1)
    return {"out": np.array([sign * (63 - T) + 1000 * sign * 60, 63 - T + 3])}


def made_anew():
    return {"out": np.array([T + 1, T + 2])}
