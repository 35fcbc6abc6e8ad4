# reduce(), accumulate(), outer(), at() and reduceat() of ufuncs, those of @vectorize among them; which
# floats functions of two integers give; arrays of arrays without axes.
import numpy as np
from numba import float64, int64, vectorize


@vectorize([int64(int64, int64)])
def gcd(a, b):
    while b:
        a, b = b, a % b
    return a


@vectorize([float64(float64, float64)])
def mix(a, b):
    return a - b / 2


print(gcd.reduce(np.array([120, 84, 36])), gcd.outer([4, 6], [8, 9]))
x = np.arange(12.0).reshape(3, 4)
print(mix.reduce(x), mix.reduce(x, axis=1), mix.reduce(x, axis=1, keepdims=True), mix.reduce(x, 1, initial=100.0))
print(mix.accumulate(x), mix.accumulate(x, axis=1), mix.accumulate(np.array([8.0, 2, 2])))
print(mix.reduce(np.array([3.0])), mix.reduce(np.zeros((2, 1)), axis=1), mix.reduceat(np.arange(6.0), [0, 2, 4]))
y = np.zeros(4)
mix.at(y, [0, 1, 1], 2.0)
print(y, mix.outer(np.arange(3), np.arange(2)).shape)
print(np.gcd.reduce([12, 18, 30]), np.gcd.accumulate([12, 18, 30]), np.lcm.reduce([2, 3, 4]), np.hypot.reduce([3.0, 4.0, 12.0]))
print(np.gcd.reduce(np.array([[12, 18], [8, 27]]), axis=1), np.bitwise_xor.reduce([1, 2, 7]), np.logical_and.reduce([[1, 0], [1, 1]], axis=0), np.logical_or.accumulate([0, 1, 0]))
print(np.add.accumulate([1, 2, 3]), np.bitwise_or.reduce(np.array([[1, 2], [4, 8]]), axis=None), np.left_shift.reduce([1, 2, 3]), np.subtract.reduce([10, 2, 3]), np.power.reduce([2, 3, 2]), np.divide.accumulate([64.0, 2, 4]))
print(np.divide.reduce(np.array([7])), np.divide.accumulate([7]), np.arctan2.reduce(np.array([3], np.int8)).dtype, mix.reduce(np.array([3])), mix.__name__)
print(np.logical_and.reduceat([5, 3, 8, 1], [1, 0]), np.logical_xor.reduce([3, 5]), np.logical_xor.accumulate([2, 0, 4]), np.logical_or.accumulate([3]))
print(np.add.reduceat(np.array([1, 2, 3], np.int8), [2, 1, 0]).dtype, np.divide.reduceat(np.array([8, 2, 4]), [2, 0]), np.gcd.accumulate(np.zeros(0, np.int16)).dtype)
a = np.array([12, -18, 0, 7], dtype=np.int16)
print(np.gcd(a, 6), np.gcd(a, 6).dtype, np.lcm(a, 4), np.gcd(a, np.array([[4], [0]], dtype=np.int32)), np.lcm(a, a[::-1]), np.lcm(a, 0).dtype)
print(np.gcd(np.arange(6, dtype=np.uint8), 4), np.gcd(12, 18), np.gcd.outer([12, 18], [8, 9]), np.lcm.outer([2, 3], [4, 6]))
print(np.array([np.asarray(1.5), 2]), np.array([np.asarray(1), np.asarray(2)]).dtype, np.array([[np.asarray(1), 2], [3, np.asarray(4.5)]]), np.array([np.zeros(()), np.ones((), bool)]), np.stack([np.asarray(1), np.asarray(2)]))
three = np.asarray(3)
print(np.array(three), np.array([three + 1, 2]))
dtypes = [np.bool_, np.int8, np.uint8, np.int16, np.uint16, np.int32, np.uint64, np.float16, np.float32, np.float64]
for function in np.copysign, np.logaddexp, np.heaviside, np.fmax, np.divide:
    for a in dtypes:
        print(function.__name__, a.__name__, [str(function(np.ones(2, a), b(1)).dtype) for b in dtypes],
              [str(function(np.ones(2, a), w).dtype) for w in (1, 1.0, True)])
