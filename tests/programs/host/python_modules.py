"""Functions of operator, functools, timeit and sys that programs pass on."""
import functools as ft
import operator
import sys
import timeit
from functools import partial, reduce
from operator import attrgetter, itemgetter
from timeit import default_timer as timer

import numpy as np
from numba import cuda


def weigh(a, b, c=3):
    return a + 10 * b + 100 * c


one = partial(weigh, 1)
seven = partial(weigh, c=7)
print(one(2), seven(1, 2), partial(one, 5)(c=1), one(2, c=9), partial(seven, c=1)(1, 2))
print(list(map(partial(pow, 2), [1, 2, 3])), one.args, one.func == weigh, callable(seven))
more = partial(partial(one, 5), c=1)
print(more.args, more.func == weigh, more.func(2, 3), more(), more(c=2), partial(partial(weigh, c=1), c=2)(3, 4))
print(ft.partial(int, base=16)("ff"), ft.partial(sorted, key=operator.neg)([1, 3, 2]))
print(ft.partial(np.sum, axis=0)(np.ones((2, 3))))

print(reduce(operator.mul, range(1, 11)), list(map(operator.add, [1, 2], [3, 4])))
print(operator.lt(1, 2), operator.not_(3), operator.neg(4), operator.contains([1, 2], 2))
print(operator.matmul(np.ones((2, 2)), np.ones(2)), operator.getitem("abc", 1))
people = [("Ann", 31), ("Bob", 25), ("Cid", 31)]
print(sorted(people, key=itemgetter(1)), itemgetter(1, 0)(people[0]))
print(attrgetter("ndim")(np.zeros((2, 2))), attrgetter("size", "shape")(np.zeros(3)), attrgetter("T.shape")(np.zeros((1, 2))))


def made(op):
    @cuda.jit
    def kernel(x):
        x[0] = op(x[0], 2)
    return kernel


for sign, op in [("+", operator.add), ("-", operator.sub), ("//", operator.floordiv)]:
    x = np.array([7])
    made(op)[1, 1](x)
    print(f"7 {sign} 2 = {op(7, 2)}, {x[0]}")

begin = timer()
print(timer() >= begin, timeit.timeit(lambda: 1 + 1, number=3) >= 0,
      len(timeit.repeat(lambda: 2, repeat=4, number=2)))
print(sys.stdout.write("written\n"))
sys.stdout.flush()
