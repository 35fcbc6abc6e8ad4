"""Functions of integers that math has, and what they refuse."""
import math

import numpy as np

CASES = {
    math.lcm: [(), (4, 6), (6, 4, 10), (0, 3), (-4, 6), (2.5,), (np.int64(5), True)],
    math.factorial: [(0,), (10,), (20,), (-1,), (2.5,)],
    math.perm: [(5,), (7, None), (5, 2), (2, 5), (-1, 2), (5, -1)],
    math.comb: [(62, 31), (66, 33), (1000000, 2), (5, 7), (5, 0), (-5, 1), (5, -1), ("a", 2),
                (np.int64(5), np.int32(2))],
    math.isqrt: [(0,), (15,), (16,), (17,), (-1,), (2.0,), (9223372036854775807,),
                 (9223372030926249001,), (9223372030926249000,), (np.int64(99),)],
    math.prod: [([],), ([1, 2, 3],), ((0.5, 4),)],
}
for function, cases in CASES.items():
    for given in cases:
        try:
            value = function(*given)
            print(function.__name__, given, value, type(value).__name__)
        except Exception as error:
            print(function.__name__, given, type(error).__name__, error)
