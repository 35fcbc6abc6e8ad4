"""from a import *: of files, of modules, and of files that have all of a module."""
from numba import cuda
from numpy import *
from numpy.linalg import *
from math import *
from parts.starred import *
from parts.listed import *
import parts.starred_again as again
from parts.starred_again import sqrt as root


@cuda.jit
def bend(x):
    x[0] = sin(x[0]) + pi


def product(n):
    return factorial(n)


print(double(4), value, _own, a, pi, floor(2.5), pow(2, 3))
x = array([4.0])
add[1, 1](x)
print(x, root(16), again.value, again.sqrt(9))
bend[1, 1](x)
print(x, product(5))
print(sum(arange(5)), abs(array([-1, 2])), max([[1, 2], [3, 4]]), zeros(3), float32(2), complex(1, 2))
print(norm([3, 4]), round(2.567, 1), all([1, 0]), bool(2), linalg.det(eye(2)), sorted([3, 1]), int("4"))
